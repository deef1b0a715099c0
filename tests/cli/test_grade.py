import json
from pathlib import Path

import pytest

from tests.cli.conftest import HERE_AND_THERE, Aloi

pytestmark = HERE_AND_THERE

CALLS = '[{"tool": "calculator", "args": {"x": 1}}]'


@pytest.mark.parametrize(("output", "code", "verdict"), [("Paris it is", 0, "pass"), ("Lyon", 1, "fail")])
def test_a_kind_with_parameters(aloi: Aloi, output: str, code: int, verdict: str) -> None:
    ended = aloi("grade", "contains", "-p", "text=Paris", "-o", output)
    assert ended.code == code
    assert ended.out.startswith(f"contains  {verdict}  {1 - code}.00\n")


def test_a_spec_as_json_and_the_output_from_the_standard_input(aloi: Aloi) -> None:
    ended = aloi("grade", '{"kind": "contains", "text": "París"}', "--json", stdin="en París".encode())
    assert ended.code == 0
    score = json.loads(ended.out)
    assert (score["verdict"], score["value"]) == ("pass", 1.0)


def test_files(aloi: Aloi, tmp_path: Path) -> None:
    (tmp_path / "spec.json").write_text('{"kind": "exact_match"}')
    (tmp_path / "case.json").write_text('{"expected_output": {"a": 1}}')
    (tmp_path / "out.json").write_text('{"a": 1.0}')
    ended = aloi(
        "grade",
        f"@{tmp_path / 'spec.json'}",
        "--case",
        f"@{tmp_path / 'case.json'}",
        "-o",
        f"@{tmp_path / 'out.json'}",
    )
    assert ended.code == 0, ended.err


def test_tool_calls_and_their_absence(aloi: Aloi) -> None:
    order = ("grade", "tool_call_order", "-p", 'tools=["calculator"]', "-o", "x")
    assert aloi(*order, "--tool-calls", CALLS).code == 0
    assert aloi(*order, "--tool-calls", "[]").code == 1
    unknown = aloi(*order)
    assert unknown.code == 3
    assert "error" in unknown.out


def test_a_judge(aloi: Aloi, endpoint: str) -> None:
    judge = ("--judge", "openai:judge-alternate", "--judge-url", endpoint, "--judge-samples", "3")
    ended = aloi("grade", "llm_judge", "-p", "rubric=It is kind.", "-o", "Dear friend", *judge)
    assert ended.code in (0, 1), ended.out
    assert "sample 3" in ended.out
    assert "judge disagreed" in ended.out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("contanis", "-o", "x"), "contanis"),
        (("contanis", "-o", "x", "-p", "text=a"), "contanis"),
        (("contains", "-o", "x", "-p", "txet=a"), "txet"),
        (("contains", "-o", "x", "-p", "text"), "name=value"),
        (("contains", "-o", "x", "--case", "[]"), "--case"),
        (("contains", "-o", "x", "-p", "text=a", "--tool-calls", '[{"name": "a"}]'), "tool_calls"),
        (("contains", "-o", "x", "--judge", "gpt"), "provider:model"),
        (("{nope", "-o", "x"), "the evaluator is not JSON"),
    ],
)
def test_wrong_input_is_named(aloi: Aloi, arguments: tuple[str, ...], named: str) -> None:
    ended = aloi("grade", *arguments)
    assert ended.code == 2, ended.err
    assert named in ended.err
    assert ended.out == ""
