"""Labels for people."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from aloi.cli.case_view import VERDICT_STYLE
from aloi.cli.figures import when
from aloi.cli.tables import table
from aloi.cli.terminal import one_line, plain
from aloi.core.label import Label
from aloi.core.score import Verdict


def label_line(label: Label) -> Text:
    """What was just said of a result: `a is labelled pass: as it should be`."""
    trial = f" (trial {label.trial + 1})" if label.trial else ""
    note = f": {label.note}" if label.note else "."
    return Text.assemble(plain(label.case_key), trial, " is labelled ", _verdict(label), plain(note))


def labels_table(labels: Sequence[Label]) -> Table:
    """Labels as rows."""
    shown = table("Case", "Trial", "Label", "By", "When", "Note", whole=("Label", "When"))
    for label in labels:
        by = f"{label.by} (blind)" if label.blind else label.by
        shown.add_row(
            Text(one_line(label.case_key, 40)),
            str(label.trial + 1),
            Text.assemble(_verdict(label)),
            Text(one_line(by, 40)),
            when(label.at),
            Text(one_line(label.note, 200)),
        )
    return shown


def _verdict(label: Label) -> tuple[str, str]:
    return label.verdict, VERDICT_STYLE[Verdict(label.verdict)]
