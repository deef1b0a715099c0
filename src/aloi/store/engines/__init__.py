"""The databases that Aloi works on, behind `Database`: connections, errors in plain words, and the schema."""
