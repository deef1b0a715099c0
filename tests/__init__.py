"""Tests of Aloi. A package, so that tests and benchmarks can share `tests.model_server`."""
