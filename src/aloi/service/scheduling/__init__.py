"""Runs that start by themselves, and what they tell people."""
