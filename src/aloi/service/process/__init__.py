"""What one process shares among all that goes on in it; the context holds it."""
