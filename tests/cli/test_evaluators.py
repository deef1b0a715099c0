from aloi.cli.evaluators import flowing
from aloi.plugins import kinds
from tests.cli.conftest import HERE_AND_THERE, Aloi


@HERE_AND_THERE
def test_every_kind_is_listed(aloi: Aloi) -> None:
    ended = aloi("evaluators", "list")
    assert ended.code == 0
    assert all(f"{kind} " in ended.out for kind in kinds("evaluators"))
    assert max(map(len, ended.out.splitlines())) <= 80


@HERE_AND_THERE
def test_a_kind_is_shown_with_its_parameters(aloi: Aloi) -> None:
    ended = aloi("evaluators", "show", "contains")
    assert ended.code == 0
    assert "Pass when the output contains the text." in ended.out
    assert "ignore_case" in ended.out
    assert "true or false" in ended.out
    assert "\x1b" not in ended.out


@HERE_AND_THERE
def test_an_unknown_kind_names_those_there_are(aloi: Aloi) -> None:
    ended = aloi("evaluators", "show", "contanis")
    assert ended.code == 2
    assert "contains" in ended.err


def test_paragraphs_flow() -> None:
    assert flowing("One\nline.\n\nAnd\n  more.") == "One line.\n\nAnd more."
