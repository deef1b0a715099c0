"""Suite files and definitions: texts that people write, read with the line of everything."""
