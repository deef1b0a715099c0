"""The evaluator kinds, one file per kind, found by name (`aloi.plugins`)."""
