import io

from aloi.cli.comparison_view import headline, render_comparison, signed
from aloi.cli.terminal import console
from aloi.core.comparison import Comparison, ConfigurationDifference, compare
from aloi.core.result import CaseResult
from tests.cli.made import erring, failing, judged, passing


def compared(a: list[CaseResult], b: list[CaseResult], *configuration: ConfigurationDifference) -> Comparison:
    return compare("run-a", "run-b", [x.row() for x in a], [x.row() for x in b], configuration)


def text_of(comparison: Comparison) -> str:
    file = io.StringIO()
    for part in render_comparison(comparison):
        console(width=80, file=file).print(part)
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines())


def test_signs() -> None:
    assert [signed(share) for share in (0.124, -0.03, 0.001, -0.001, 0.0)] == ["+12", "−3", "0", "0", "0"]


def test_what_changed_is_shown_worst_first() -> None:
    a = [passing("worse"), failing("better"), passing("broken"), passing("same"), passing("gone")]
    b = [failing("worse"), passing("better"), erring("broken"), passing("same"), passing("new")]
    model = ConfigurationDifference(what="target model", a='"openai:one"', b='"openai:two"')
    text = text_of(compared(a, b, model))
    assert max(map(len, text.splitlines())) <= 80
    assert text.index('"openai:two"') < text.index("B − A: 0 points") < text.index("newly in error  pass  error")
    assert text.index("worse   ") < text.index("broken  ") < text.index("better  ")
    assert "1 better, 1 worse of 3 compared, 1 newly" in text
    assert "at least 5 changes, all one way, are needed" in text
    assert "Only in B   1 case: new" in text
    assert "Only in A   1 case: gone" in text
    assert "1 worse, 1 newly in error, 1 better, 1 unchanged" in text


def test_a_change_where_a_judge_disagreed_is_marked() -> None:
    text = text_of(compared([passing("a")], [judged("a", True, False, False)]))
    assert "may be judge" in text
    assert "incl. judge noise" in text


def test_nothing_in_common() -> None:
    comparison = compared([passing("a")], [passing("b")])
    assert headline(comparison) == "nothing to compare"
    assert "No case was decided in both runs" in text_of(comparison)


def test_a_long_list_is_cut() -> None:
    a = [passing(f"c{number}") for number in range(30)]
    b = [failing(f"c{number}") for number in range(30)]
    assert "… and 10 more" in text_of(compared(a, b))
