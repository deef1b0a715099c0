"""Runs workflows: the steps of a definition, as soon as each can go."""
