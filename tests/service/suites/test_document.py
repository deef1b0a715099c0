"""A document finds the line of a part, and the part that a path means."""

from aloi.service.suites.document import Document

DOCUMENT = Document(
    {"a": {"b": 5, "c": {}}, "d": [7]}, {("a",): 1, ("a", "b"): 2, ("a", "c"): 3, ("d",): 4, ("d", 0): 5}
)


def test_the_line_is_that_of_the_innermost_part_there_is() -> None:
    assert [DOCUMENT.line_of(path) for path in (("a", "b"), ("a", "x", 3), ("d", 0), ("d", 1), ("z",), ())] == [
        2,
        1,
        5,
        4,
        1,
        1,
    ]


def test_names_of_tried_readings_are_not_shown() -> None:
    assert DOCUMENT.shown(("a", "b", "int")) == ("a", "b")
    assert DOCUMENT.shown(("a", "Model", "b", "str")) == ("a", "b")
    assert DOCUMENT.shown(("a", "c", "missing")) == ("a", "c", "missing")
    assert DOCUMENT.shown(("d", 0, "str")) == ("d", 0)
