import io
from datetime import UTC, datetime

from rich.console import RenderableType

from aloi.cli.label_view import label_line, labels_table
from aloi.cli.terminal import console
from aloi.core.label import Label

LABEL = Label(
    case_key="a",
    trial=0,
    verdict="fail",
    note="",
    blind=False,
    by="ann@example.org",
    at=datetime(2026, 1, 2, tzinfo=UTC),
)


def shown(part: RenderableType) -> str:
    file = io.StringIO()
    console(width=80, file=file).print(part)
    return file.getvalue()


def test_one_label_in_a_line() -> None:
    assert shown(label_line(LABEL)) == "a is labelled fail.\n"
    later = LABEL.model_copy(update={"trial": 2, "note": "too \x1b[31mshort", "verdict": "pass"})
    assert shown(label_line(later)) == "a (trial 3) is labelled pass: too \ufffd[31mshort\n"


def test_labels_in_a_table() -> None:
    text = shown(labels_table([LABEL, LABEL.model_copy(update={"blind": True, "note": "a\nb", "by": "bob"})]))
    first, second = text.splitlines()[2:4]
    assert first.split()[:4] == ["a", "1", "fail", "ann@example.org"]
    assert "bob (blind)" in second and second.rstrip().endswith("a b")
