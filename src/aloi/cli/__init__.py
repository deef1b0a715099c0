"""The command line: it parses, calls the client, and prints."""
