"""Workflows as values: which step waits for which, what is known of the document, and what is wrong with it."""
