"""CSV for spreadsheets: one row per result.

A text that a spreadsheet would take for a formula (it begins with `=`, `+`, `-` or `@`, be they of full width, with a
tab or with a line's end) gets an apostrophe before it: an answer of the evaluated target must not run in the reader's
spreadsheet. Numbers are left alone. The JSON report has the texts as they are.
"""

import csv
import io
from collections.abc import AsyncIterator

from aloi.core.json_values import text_of
from aloi.core.label import LabelledResult
from aloi.core.run import Run
from aloi.reports.plain import encodable, explanation

COLUMNS = (
    "key",
    "trial",
    "verdict",
    "score",
    "output",
    "explanation",
    "failure_stage",
    "failure_type",
    "failure_message",
    "judge_disagreed",
    "latency_seconds",
    "input_tokens",
    "output_tokens",
    "cost",
    "judge_tokens",
    "judge_cost",
    "not_applicable",
    "carried_over",
    "label",
    "label_note",
    "labelled_by",
)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")

Cell = str | int | float | bool | None


async def write(run: Run, results: AsyncIterator[LabelledResult]) -> AsyncIterator[str]:
    """The report line by line, header first, with commas and CRLF. To be encoded as UTF-8. Trials count from 1."""
    yield _line(COLUMNS)
    async for result in results:
        yield _line(_row(result))


def _row(result: LabelledResult) -> tuple[Cell, ...]:
    row, outcome, failure, label = result.row(), result.outcome, result.failure, result.label
    return (
        result.case_key,
        result.trial + 1,
        result.verdict.value,
        result.score,
        None if outcome.failure else text_of(outcome.output),
        explanation(result),
        failure.stage if failure else None,
        failure.type if failure else None,
        failure.message if failure else None,
        row.disagreed,
        outcome.latency,
        outcome.usage.input_tokens,
        outcome.usage.output_tokens,
        outcome.usage.cost,
        row.judge_side.tokens,
        row.judge_side.cost,
        ", ".join(result.not_applicable),
        result.carried_over,
        label.verdict if label else None,
        label.note if label else None,
        label.by if label else None,
    )


def _line(cells: tuple[Cell, ...]) -> str:
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerow([_cell(cell) for cell in cells])
    return buffer.getvalue()


def _cell(cell: Cell) -> Cell:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if not isinstance(cell, str):
        return cell
    text = encodable(cell)
    return f"'{text}" if text.startswith(FORMULA) else text
