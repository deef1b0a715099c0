"""What Aloi costs, beside a floor and its rivals: `python -m benchmarks`."""
