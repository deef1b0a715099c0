"""Aloi from Python: evaluate anything callable, grade one output, run a suite file.

    report = await aloi.evaluate(my_agent, [{"prompt": "...", "expected_output": "..."}], evaluators=[...])
    print(report)

Runs are stored like those of the command line: `aloi runs list` shows them.
"""

from aloi.sdk.evaluate import Report, evaluate, evaluate_sync
from aloi.sdk.grade import grade

__all__ = ["Report", "evaluate", "evaluate_sync", "grade"]
