"""CSV files of cases: what they may look like, and where each fault is."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.service.files.csv_cases import read_csv, write_csv


def read(text: str) -> list[Case]:
    return list(read_csv(text.encode(), "c.csv").cases)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_delimiters_line_ends_and_encodings(delimiter: str, end: str, encoding: str) -> None:
    rows = [["key", "prompt", "tags"], ["a", '"x, y; ""z"""', "fr"], ["b", "été", ""]]
    content = end.join(delimiter.join(row) for row in rows)
    first, second = read_csv(content.encode(encoding), "c.csv").cases
    assert (first.key, first.input, first.tags) == ("a", 'x, y; "z"', ("fr",))
    assert (second.key, second.input, second.tags) == ("b", "été", ())


def test_every_column() -> None:
    (case,) = read(
        "key,name,input,expected_output,expected_behavior,assertions,tags,enabled,status,evaluators,criteria\n"
        'k,N,"{""q"": 1}",true,Is kind,"One\nTwo","[""t""]",no,draft,"[{""kind"": ""contains"", ""text"": ""a""}]",'
        '"{""contains"": {""text"": ""b""}}"\n'
    )
    assert case.content() == {
        "key": "k",
        "input": {"q": 1},
        "expected_output": True,
        "expected_behavior": "Is kind",
        "assertions": ["One", "Two"],
        "evaluators": [{"name": "contains", "weight": 1.0, "spec": {"kind": "contains", "text": "a"}}],
        "criteria": {"contains": {"text": "b"}},
    }
    assert (case.name, case.tags, case.enabled, case.status) == ("N", ("t",), False, "draft")


def test_input_fields_make_an_object() -> None:
    (case,) = read('input.Question,input.n,input.zip,input.absent\nWhy?,3,"""075""",\n')
    assert case.input == {"Question": "Why?", "n": 3, "zip": '"075"'}
    (case,) = read('input.zip\n"""75"""\n')
    assert case.input == {"zip": "75"}


def test_titles_may_have_capitals_and_spaces_around() -> None:
    (case,) = read(" Key , PROMPT \nk,p\n")
    assert (case.key, case.input) == ("k", "p")


def test_unknown_columns_are_listed() -> None:
    file = read_csv(b"key,prompt,notes,,id,\nk,p,n,x,7,\n", "c.csv")
    assert file.unknown_columns == ("notes", "column 4", "id")
    assert [case.key for case in file.cases] == ["k"]


def test_short_rows_and_blank_rows_and_blank_cells_beyond() -> None:
    first, second = read("key,prompt,tags\n\n;,p\n,,\nb,q,,,\n")
    assert (first.input, second.key) == ("p", "b")


def test_a_header_alone_has_no_cases() -> None:
    assert read("key,prompt") == []


def test_a_case_without_key_gets_one_from_its_input() -> None:
    first, second = read("prompt\nsame\nsame\n")
    assert first.key == second.key == Case(input="same").key


def test_a_megabyte_in_one_cell() -> None:
    (case,) = read('key,prompt\nk,"' + 'ab""\n' * 250_000 + '"\n')
    assert case.input == 'ab"\n' * 250_000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "c.csv: the file is empty; its first line names the columns, e.g. key,prompt"),
        (" \n\n", "c.csv: the file is empty; its first line names the columns, e.g. key,prompt"),
        ("\n\nkey,Text\n", "c.csv:3: there is no column prompt (or input, or input.FIELD); the columns are: key, Text"),
        ("key,prompt,Key\n", "c.csv:1: column Key: stands twice in the header; rename or remove one"),
        ("prompt,x,x\n", "c.csv:1: column x: stands twice in the header; rename or remove one"),
        ("key,prompt\nk,\n", "c.csv:2: column prompt: is blank; a case needs a prompt or an input"),
        ("key,prompt\nk,  \n", "c.csv:2: column prompt: is blank; a case needs a prompt or an input"),
        ("key,input.a\nk\n", "c.csv:2: column input.a: is blank; a case needs a prompt or an input"),
        ("prompt,input\np,i\n", "c.csv:2: column prompt: prompt and input are both set; a case has one of them"),
        ("input,input.a\np,i\n", "c.csv:2: column input: input and input.FIELD are both set; a case has one of them"),
        (
            "key,prompt\nk,a,b\n",
            "c.csv:2: column 3: there is no such column; quote a cell that has the delimiter in it",
        ),
        (
            'key,prompt,tags\nk,"two\nlines","[""a"", 1]"\n',
            "c.csv:3: column tags: must be a JSON array of texts, or one text per line",
        ),
        ("prompt,enabled\np,perhaps\n", "c.csv:2: column enabled: must be true or false, not 'perhaps'"),
        ("prompt,status\np,open\n", "c.csv:2: column status: must be 'draft' or 'ready'"),
        (
            "prompt,evaluators\np,[}\n",
            "c.csv:2: column evaluators: is not JSON at character 2 of the cell: Expecting value",
        ),
        ("prompt,evaluators\np,5\n", "c.csv:2: column evaluators: must be a JSON array"),
        (
            'prompt,evaluators\np,"[{""kind"": ""x"", ""weight"": -1}]"\n',
            "c.csv:2: column evaluators: [0].weight: must be at least 0",
        ),
        (
            'prompt,evaluators\np,"[{""text"": ""x""}]"\n',
            "c.csv:2: column evaluators: [0]: an evaluator names its kind; write e.g. {kind: contains, text: Paris}",
        ),
        ("prompt,criteria\np,[]\n", "c.csv:2: column criteria: must be a JSON object"),
        ('prompt,criteria\np,"{""x"": 1}"\n', "c.csv:2: column criteria: x: must be a mapping of keys to values"),
        (f"key,prompt\n{'k' * 201},p\n", "c.csv:2: column key: must have at most 200 characters"),
        (
            'prompt,expected_output\np,"{""a"": 1, ""a"": 2}"\n',
            "c.csv:2: column expected_output: the key 'a' stands twice in one object; remove one",
        ),
        (
            'prompt,expected_output\np,"[""\\ud800""]"\n',
            "c.csv:2: column expected_output: [0]: holds a lone surrogate (U+D800), which is no character, "
            "at position 0; remove it",
        ),
        (
            'prompt,expected_output\np,"{""a"": ""b\\u0000""}"\n',
            "c.csv:2: column expected_output: a: holds a NUL character, at position 1; remove it",
        ),
        (
            f"prompt,expected_output\np,{'[' * 150}{']' * 150}\n",
            "c.csv:2: column expected_output: is nested more than 100 levels deep; flatten it",
        ),
        (
            'key,prompt\na,"x\ny"\nb,p\na,q\n',
            "c.csv:5: key: 'a' is already the key of line 2; keys are unique in a dataset",
        ),
        (
            'key,prompt\na,"x\ny\n',
            "c.csv:2: column prompt: the quote that opens this cell is never closed; close it, or write it twice",
        ),
        (
            'key,prompt\na,"x"y\n',
            "c.csv:2: column prompt: text follows the closing quote; write a quote inside a cell twice",
        ),
        (
            'key,"prompt\n',
            "c.csv:1: column 2: the quote that opens this cell is never closed; close it, or write it twice",
        ),
    ],
    ids=lambda text: text[:30],
)
def test_faults_name_the_line_and_the_column(content: str, message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(content)
    assert str(caught.value) == message


def test_the_header_is_checked_at_once_and_rows_when_they_come() -> None:
    with pytest.raises(InvalidInput):
        read_csv(b"nothing\n", "c.csv")
    cases = read_csv(b"prompt,enabled\np,yes\nq,perhaps\n", "c.csv").cases
    assert next(cases).input == "p"
    with pytest.raises(InvalidInput):
        next(cases)


def test_columns_are_written_when_some_case_has_them() -> None:
    cases = [Case(key="a", input="p"), Case(key="b", input={"q": 1}, expected_output="5", tags=("t",))]
    assert "".join(write_csv(cases)) == (
        'key,prompt,input,expected_output,tags\r\na,p,,,\r\nb,,"{""q"": 1}","""5""","[""t""]"\r\n'
    )
    assert "".join(write_csv([])) == "key,prompt\r\n"


def test_a_blank_prompt_is_written_as_an_input() -> None:
    written = "".join(write_csv([Case(key="a", input="")]))
    assert written == 'key,input\r\na,""""""\r\n'
    assert read(written)[0].input == ""


def rows(count: int) -> Iterator[bytes]:
    yield b"key,prompt,expected_output\r\n"
    for number in range(count):
        yield b'k%d,"%s",%d\r\n' % (number, b"words of a prompt, and more. " * 10, number)


def peak_of_reading(path: Path, count: int) -> int:
    with path.open("wb") as file:
        file.writelines(rows(count))
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_csv(path, path.name).cases) == count
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_hundred_thousand_rows_are_streamed(tmp_path: Path) -> None:
    """What is kept of a row is its key and its line: far less than the 300 bytes of its text."""
    file = tmp_path / "many.csv"
    small, large = peak_of_reading(file, 1_000), peak_of_reading(file, 100_000)
    assert large - small < file.stat().st_size / 1.5
