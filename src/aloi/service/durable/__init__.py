"""Executions that survive a restart: from the start, or from where they stood, to a question or the end."""
