"""JSON and JSONL files of cases: what they may look like, and where each fault is."""

import json

import pytest

from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.service.files.json_cases import (
    read_json_cases,
    read_jsonl_cases,
    write_json_cases,
    write_jsonl_cases,
)


def read(text: str) -> list[Case]:
    return list(read_json_cases(text.encode(), "c.json").cases)


def read_lines(text: str) -> list[Case]:
    return list(read_jsonl_cases(text.encode(), "c.jsonl").cases)


@pytest.mark.parametrize(
    "content", ['[{"prompt": "a"}, {"input": {"q": 1}}]', '{"cases": [{"prompt": "a"},\n{"input": {"q": 1}}]}']
)
def test_a_list_or_an_object_with_cases(content: str) -> None:
    assert [case.input for case in read(content)] == ["a", {"q": 1}]


def test_no_cases() -> None:
    assert read("[]") == read('{"cases": [ ]}') == read_lines("") == read_lines("\n \n") == []


def test_encodings() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        (case,) = read_json_cases('[{"prompt": "été"}]'.encode(encoding), "c.json").cases
        assert case.input == "été"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines(end: str) -> None:
    assert [case.input for case in read_lines(f'{{"prompt": "a"}}{end}{end}{{"prompt": "b\u2028c"}}')] == [
        "a",
        "b\u2028c",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", 'c.json: the file is empty; write a list of cases, e.g. [{"prompt": "..."}]'),
        ('[\r\n{"prompt": "a"},\r\n{"prompt": b}]', "c.json:3:12: this is not JSON: Expecting value"),
        ('[{"prompt": "a"}', "c.json:1:17: a comma or a closing bracket was expected"),
        ('[{"prompt": "a"},]', "c.json:1:18: this is not JSON: Expecting value"),
        ("[]\n[]", "c.json:2:1: there is more after the end; one file holds one list"),
        ('"a"', 'c.json:1:1: cases must be a list, e.g. [{"prompt": "..."}] or {"cases": [{"prompt": "..."}]}'),
        (
            '{"cases": 5}',
            'c.json:1:11: cases must be a list, e.g. [{"prompt": "..."}] or {"cases": [{"prompt": "..."}]}',
        ),
        ('{"case": []}', 'c.json:1:8: the outer object has one key, "cases", with the list of cases'),
        ("{}", 'c.json:1:2: the outer object has one key, "cases", with the list of cases'),
        ('{"cases" []}', "c.json:1:10: a colon was expected"),
        ('{"cases": [], "x": 1}', 'c.json:1:13: only "cases" stands in the outer object'),
        ('[{"prompt": "a"},\n5]', "c.json:2: [1]: must be a mapping of keys to values"),
        ('[\n\n{"tags": []}]', "c.json:3: [0]: a case needs a prompt (text) or an input (text or a JSON object)"),
        ('[{"promt": "a"}]', "c.json:1: [0].promt: is not known here; did you mean prompt?"),
        (
            '[{"prompt": "a", "id": "7"}]',
            "c.json:1: [0].id: is not known here; known are assertions, attachments, criteria, enabled, evaluators, "
            "expected_behavior, expected_output, input, key, name, prompt, simulations, status, tags",
        ),
        ('[{"prompt": 5}]', "c.json:1: [0].prompt: must be a text (in quotes), or a mapping of keys to JSON values"),
        ('[{"input": [1]}]', "c.json:1: [0].input: must be a text (in quotes), or a mapping of keys to JSON values"),
        ('[{"prompt": "a", "tags": ["x", 1]}]', "c.json:1: [0].tags[1]: must be a text; put it in quotes"),
        ('[{"prompt": "a", "tags": "x"}]', "c.json:1: [0].tags: must be a list"),
        ('[{"prompt": "a", "input": "b"}]', "c.json:1: [0]: a case has either a prompt or an input, not both"),
        ('[{"prompt": "a\\u0000"}]', "c.json:1: [0].prompt: holds a NUL character, at position 1; remove it"),
        (
            '[{"input": {"x": ["\\udfff"]}}]',
            "c.json:1: [0].input.x[0]: holds a lone surrogate (U+DFFF), which is no character, at position 0; "
            "remove it",
        ),
        ('[{"prompt": "a",\n"expected_output": NaN}]', "c.json:1: NaN is not JSON; write null or a text"),
        ('[{"prompt": "a", "expected_output": 1e999}]', "c.json:1: the number 1e999 is too large"),
        ('[{"prompt": "a", "prompt": "b"}]', "c.json:1: the key 'prompt' stands twice in one object; remove one"),
        (
            '[{"key": "k", "prompt": "a"},\n{"key": "k", "prompt": "b"}]',
            "c.json:2: key: 'k' is already the key of line 1; keys are unique in a dataset",
        ),
        (f'[{{"prompt": "a", "expected_output": {"[" * 100_000}', "c.json:1:2: it is nested too deeply; flatten it"),
    ],
    ids=lambda text: text[:30],
)
def test_faults_of_a_json_file(content: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(content)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"prompt": "a"}\n{"prompt": }\n', "c.jsonl:2:12: this is not JSON: Expecting value"),
        ('{"prompt": "a"}\n{"prompt": "b"} 5\n', "c.jsonl:2:17: this is not JSON: Extra data"),
        ('{"prompt": "a"}\n\n[]\n', "c.jsonl:3: must be a mapping of keys to values"),
        ('{"prompt": "a", "enabled": "perhaps"}', "c.jsonl:1: enabled: must be true or false"),
        ('{"prompt": "a", "prompt": "b"}', "c.jsonl:1: the key 'prompt' stands twice in one object; remove one"),
        ("[" * 100_000, "c.jsonl:1: it is nested too deeply; flatten it"),
        (
            '{"key": "k", "prompt": "a"}\n{"key": "k", "prompt": "b"}\n',
            "c.jsonl:2: key: 'k' is already the key of line 1; keys are unique in a dataset",
        ),
    ],
    ids=lambda text: text[:30],
)
def test_faults_of_a_jsonl_file(content: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_lines(content)
    assert str(caught.value) == message


def test_two_cases_of_one_line_may_not_share_a_key_either() -> None:
    with pytest.raises(InvalidInput, match="'k' is already the key"):
        read('[{"key": "k", "prompt": "a"}, {"key": "k", "prompt": "b"}]')


def test_jsonl_is_streamed() -> None:
    cases = read_jsonl_cases(b'{"prompt": "a"}\n{', "c.jsonl").cases
    assert next(cases).input == "a"
    with pytest.raises(InvalidInput):
        next(cases)


def test_only_what_is_set_is_written() -> None:
    cases = [Case(key="a", input="é"), Case(key="b", input={"q": 1}, enabled=False)]
    written = "".join(write_json_cases(cases))
    assert written == '[\n{"key": "a", "prompt": "é"},\n{"key": "b", "input": {"q": 1}, "enabled": false}\n]\n'
    assert [json.loads(line) for line in "".join(write_jsonl_cases(cases)).splitlines()] == json.loads(written)


def test_a_lone_surrogate_is_written_so_that_it_can_be_encoded() -> None:
    assert "".join(write_jsonl_cases([Case(key="a", input="\ud800")])) == '{"key": "a", "prompt": "\\ud800"}\n'
