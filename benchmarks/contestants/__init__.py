"""The contestants, each a program that does a `Work` against a model server."""
