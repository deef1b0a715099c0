"""Files of cases over HTTP: imported, looked at first, exported."""

import json
from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from aloi.api.routes.dataset_files import disposition
from tests.api.calls import Answer, Caller
from tests.store.backends import BACKENDS

DATASETS = "/api/eval/datasets"
CSV = "key,prompt,expected_output,tags,notes\na,Où ?,Zürich,été,x\nb,Wo?,5,,y\n"
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


async def a_dataset(editor: Caller, name: str = "data") -> str:
    answer = await editor.post(DATASETS, {"name": name})
    assert answer.status == 201, answer.body
    return f"{DATASETS}/{answer.body['id']}"


@pytest.fixture
async def path(editor: Caller) -> str:
    """The path of a new dataset."""
    return await a_dataset(editor)


def form(content: str | bytes, name: str | None = "cases.csv") -> aiohttp.FormData:
    data = aiohttp.FormData()
    data.add_field("file", content.encode() if isinstance(content, str) else content, filename=name or "")
    return data


async def take(
    editor: Caller, path: str, content: str | bytes, name: str = "cases.csv", query: dict[str, Any] | None = None
) -> Answer:
    return await editor.call("POST", f"{path}/import", data=form(content, name), params=query or {})


async def keys(editor: Caller, path: str) -> list[str]:
    return [case["key"] for case in (await editor.get(f"{path}/cases", size=200)).body["items"]]


@both
async def test_a_file_is_taken_in(editor: Caller, path: str) -> None:
    answer = await take(editor, path, CSV)
    assert answer.status == 200, answer.body
    assert answer.body == {
        "dataset_id": path.rpartition("/")[2],
        "dataset_name": "data",
        "given": 2,
        "before": 0,
        "after": 2,
        "unknown_columns": ["notes"],
    }
    first, second = (await editor.get(f"{path}/cases")).body["items"]
    assert (first["input"], first["expected_output"], first["tags"]) == ("Où ?", "Zürich", ["été"])
    assert (second["expected_output"], second["source"]["kind"]) == (5, "import")
    more = await take(editor, path, "key,prompt\nb,changed\nc,new\n")
    assert (more.body["before"], more.body["after"]) == (2, 3)
    assert (await take(editor, path, "key,prompt\nc,x\n", query={"replace": "true"})).body["after"] == 1
    assert await keys(editor, path) == ["c"]


async def test_looked_at_first(editor: Caller, path: str) -> None:
    await take(editor, path, CSV)
    content = "key,prompt,expected_output,tags,more\nb,changed,5,,\na,Où ?,Zürich,été,\n" + "".join(
        f"n{number},x,,,\n" for number in range(5)
    )
    answer = await take(editor, path, content, query={"dry_run": "1"})
    assert answer.status == 200, answer.body
    shown = answer.body.pop("cases")
    assert answer.body == {
        "given": 7,
        "new": 5,
        "changed": 1,
        "unchanged": 1,
        "removed": 0,
        "unknown_columns": ["more"],
    }
    assert [case["key"] for case in shown] == ["b", "a", "n0", "n1", "n2"]
    query = {"dry_run": "1", "replace": "1"}
    assert (await take(editor, path, "prompt\nx\n", query=query)).body["removed"] == 2
    assert await keys(editor, path) == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cases.csv", "\ufeffkey;prompt\r\na;x\r\nb;y\r\n".encode()),
        ("CASES.TSV", b"key\tprompt\na\tx\nb\ty\n"),
        ("cases.csv", "key,prompt\na,x\nb,y\n".encode("utf-16")),
        ("cases.json", b'[{"key": "a", "prompt": "x"}, {"key": "b", "prompt": "y"}]'),
        ("cases.jsonl", b'{"key": "a", "prompt": "x"}\n{"key": "b", "prompt": "y"}\n'),
        ("upload", b'\xef\xbb\xbf [{"key": "a", "prompt": "x"}, {"key": "b", "prompt": "y"}]'),
        ("upload", b'{"cases": [{"key": "a", "prompt": "x"}, {"key": "b", "prompt": "y"}]}\n'),
        ("upload", b'{\n"cases": [{"key": "a", "prompt": "x"}, {"key": "b", "prompt": "y"}]}\n'),
        ("v1.2", b'{"key": "a", "prompt": "x"}\n{"key": "b", "prompt": "y"}\n'),
        ("upload.dat", b"key,prompt\na,x\nb,y\n"),
    ],
)
async def test_the_format_is_told_by_name_or_content(editor: Caller, path: str, name: str, content: bytes) -> None:
    answer = await take(editor, path, content, name)
    assert answer.status == 200, answer.body
    assert await keys(editor, path) == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "content", "place", "said"),
    [
        ("cases.csv", "key,prompt,enabled\na,x,true\nb,y,maybe\n", "line 3, column enabled", "true or false"),
        ("cases.csv", 'key,prompt\na,x\nb,"y\n', "line 3, column prompt", "never closed"),
        ("cases.csv", "key,prompt\na,x\na,y\n", "line 3", "already the key of line 2"),
        ("cases.csv", "key,expected\na,x\n", "line 1", "no column prompt"),
        ("cases.csv", "", "cases.csv", "is empty"),
        ("cases.csv", b"key,prompt\na,\xff\n", "cases.csv", "0xff"),
        ("cases.csv", "key,prompt\na,x\nb,nul \0\n", "line 3", "NUL"),
        ("cases.json", '[{"prompt": "x"},\n {"prompt": 5}]', "line 2", "prompt"),
        ("cases.json", '[{"prompt": "x"},\n {"prompt": }]', "line 2, column 13", "not JSON"),
        ("cases.jsonl", '{"prompt": "x"}\n{"prompt": "\\ud800"}\n', "line 2", "lone surrogate"),
        (
            "cases.jsonl",
            '{"prompt": "x", "key": "k", "evaluators": [{"kind": "contains", "txet": "a"}]}\n',
            "case 1 (k): /evaluators/0/txet",
            "not known",
        ),
    ],
)
async def test_all_or_nothing_and_the_place_is_told(
    editor: Caller, path: str, name: str, content: str | bytes, place: str, said: str
) -> None:
    await take(editor, path, "key,prompt\nkept,x\n")
    for query in ({}, {"dry_run": "1"}, {"replace": "1"}):
        answer = await take(editor, path, content, name, query)
        assert answer.status == 422, answer.body
        [fault] = answer.body["errors"]
        assert fault["pointer"] == place
        assert said in fault["detail"]
        assert said in answer.body["detail"]
    assert await keys(editor, path) == ["kept"]


async def test_no_file(editor: Caller, path: str) -> None:
    assert (await editor.post(f"{path}/import", {"file": "x"})).status == 422
    assert (await editor.post(f"{path}/import")).status == 422


async def test_60_megabytes_are_refused(editor: Caller, path: str) -> None:
    answer = await take(editor, path, b"x" * (60 * 1024 * 1024))
    assert (answer.status, answer.body["code"]) == (413, "too_large")


async def test_60_megabytes_that_come_in_pieces_are_refused(editor: Caller, path: str) -> None:
    async def pieces() -> AsyncIterator[bytes]:
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="cases.csv"\r\n\r\nprompt\r\n'
        for _ in range(60):
            yield b"x" * (1024 * 1024)
        yield b"\r\n--b--\r\n"

    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    try:
        answer = await editor.call("POST", f"{path}/import", data=pieces(), headers=headers)
        assert (answer.status, answer.body["code"]) == (413, "too_large")
    except aiohttp.ClientConnectionError:
        pass  # the server hung up before all was sent
    assert await keys(editor, path) == []


@both
@pytest.mark.parametrize("form_", ["csv", "json", "jsonl"])
async def test_what_is_exported_is_taken_back(editor: Caller, viewer: Caller, path: str, form_: str) -> None:
    cases: list[dict[str, Any]] = [
        {"key": "a", "prompt": "Où ?\r\n<script>", "expected_output": "5", "tags": ["été", "x"], "enabled": False},
        {"key": "b", "input": {"q": "😀"}, "evaluators": [{"kind": "contains", "text": "a", "weight": 0}]},
        {"key": "c", "prompt": "=1+1", "criteria": {"x": {"text": "b"}}, "status": "draft", "assertions": ["one"]},
    ]
    for case in cases:
        assert (await editor.post(f"{path}/cases", case)).status == 201
    answer = await viewer.get(f"{path}/export", format=form_)
    assert answer.status == 200
    assert answer.headers["Content-Disposition"].startswith(f'attachment; filename="data.{form_}"')
    text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
    other = await a_dataset(editor, "other")
    assert (await take(editor, other, text, f"x.{form_}")).status == 200

    async def stored(of: str) -> list[Any]:
        items = (await viewer.get(f"{of}/cases")).body["items"]
        return [{**item, "id": None, "source": None} for item in items]

    assert await stored(other) == await stored(path)


async def test_an_empty_dataset_is_exported(viewer: Caller, path: str) -> None:
    assert (await viewer.get(f"{path}/export")).body == "key,prompt\r\n"
    assert (await viewer.get(f"{path}/export", format="json")).body == []
    assert (await viewer.get(f"{path}/export", format="jsonl")).body is None
    assert (await viewer.get(f"{path}/export", format="xml")).status == 422


@pytest.mark.parametrize("name", ["😀" * 200, 'a"b\\c/../d', "a\r\nSet-Cookie: x", "Été à Paris"])
async def test_a_download_of_any_name(editor: Caller, name: str) -> None:
    answer = await editor.get(f"{await a_dataset(editor, name)}/export")
    assert answer.status == 200
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["Content-Disposition"] == disposition(f"{name}.csv")


def test_a_name_that_is_not_ascii() -> None:
    assert disposition("Été.csv") == "attachment; filename=\"_t_.csv\"; filename*=UTF-8''%C3%89t%C3%A9.csv"


async def test_others_do_not_see_it(viewer: Caller, stranger: Caller, path: str) -> None:
    assert (await stranger.get(f"{path}/export")).status == 404
    assert (await take(stranger, path, CSV)).status == 404
    assert (await take(viewer, path, CSV)).status == 403
