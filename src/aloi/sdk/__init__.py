"""Aloi from Python: evaluate anything callable, grade one output, run a suite file.

    report = await aloi.evaluate(my_agent, [{"prompt": "...", "expected_output": "..."}], evaluators=[...])
    print(report)

Runs are stored like those of the command line: `aloi runs list` shows them. `aloi.evaluate` is in `evaluate`,
`aloi.grade` in `grade`; what is here works with suite files and files of cases, as the command line does.
"""

from aloi.sdk.attachments import add_attachment
from aloi.sdk.suites import export_cases, import_file, open_suite, start_suite, target_of, unknown_columns
from aloi.service.files import unknown_columns_text
from aloi.service.suites.schema import suite_schema, target_schema
from aloi.service.suites.suite import Suite

__all__ = [
    "Suite",
    "add_attachment",
    "export_cases",
    "import_file",
    "open_suite",
    "start_suite",
    "suite_schema",
    "target_of",
    "target_schema",
    "unknown_columns",
    "unknown_columns_text",
]
