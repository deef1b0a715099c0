"""Aloi from Python: evaluate anything callable, grade one output, run a suite file.

    report = await aloi.evaluate(my_agent, [{"prompt": "...", "expected_output": "..."}], evaluators=[...])
    print(report)

Runs are stored like those of the command line: `aloi runs list` shows them.
"""

from aloi.sdk.attachments import add_attachment
from aloi.sdk.evaluate import Report, evaluate, evaluate_sync
from aloi.sdk.grade import grade
from aloi.sdk.suites import export_cases, import_file, open_suite, start_suite, target_of, unknown_columns
from aloi.service.files import unknown_columns_text
from aloi.service.suites.schema import suite_schema, target_schema
from aloi.service.suites.suite import Suite

__all__ = [
    "Report",
    "Suite",
    "add_attachment",
    "evaluate",
    "evaluate_sync",
    "export_cases",
    "grade",
    "import_file",
    "open_suite",
    "start_suite",
    "suite_schema",
    "target_of",
    "target_schema",
    "unknown_columns",
    "unknown_columns_text",
]
