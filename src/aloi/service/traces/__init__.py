"""Traces of other programs: taken in, made executions, or joined to the invocations that they belong to."""
