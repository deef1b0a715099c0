"""Files of cases read aside, so that the loop goes on; `tests/api/routes/test_dataset_files.py` has the rest."""

import asyncio
import json

import pytest

from aloi.core.errors import NotFound, NotPermitted
from aloi.service import datasets, importing
from aloi.service.context import Context
from tests.service.started_runs import prompts, save

ROWS = 20_000
CSV = ("key,prompt,tags\n" + "".join(f"row{number},prompt {number},a\n" for number in range(ROWS))).encode()
ABSENT = "00000000-0000-7000-8000-00000000dead"


class Others:
    """Something else that the loop does; `turns` counts how often it got its turn."""

    def __init__(self) -> None:
        self.turns = 0

    async def __aenter__(self) -> "Others":
        self._task = asyncio.create_task(self._go_on())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(0.001)
            self.turns += 1


async def test_others_get_their_turns_meanwhile(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    # Of an empty dataset a preview does little but read the file.
    async with Others() as others:
        shown = await importing.preview(context, dataset_id, CSV, "cases.csv")
    assert shown.given == shown.new == ROWS
    assert others.turns > 10


async def test_a_large_file_is_stored_and_written(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    saved = await importing.import_file(context, dataset_id, CSV, "cases.csv")
    assert (saved.before, saved.given, saved.after) == (1, ROWS, ROWS + 1)
    name, pieces = await importing.export(context, dataset_id, "jsonl")
    lines = "".join([piece async for piece in pieces]).splitlines()
    assert (name, len(lines)) == ("data", ROWS + 1)


async def test_code_needs_leave(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    context.settings = context.settings.model_copy(update={"allow_code": False})
    case = {"prompt": "x", "evaluators": [{"kind": "python", "function": "os:getcwd"}]}
    with pytest.raises(NotPermitted):
        await importing.import_file(context, dataset_id, json.dumps(case).encode() + b"\n", "x.jsonl")


async def test_no_such_dataset(context: Context) -> None:
    for act in (importing.import_file, importing.preview):
        with pytest.raises(NotFound):
            await act(context, ABSENT, CSV, "cases.csv")
    with pytest.raises(NotFound):
        await importing.export(context, ABSENT, "csv")
    assert len(await datasets.listing(context)) == 0


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b"", "csv"),
        (b"key,prompt\n", "csv"),
        (b" \n[1]", "json"),
        (b'{"cases": []}', "json"),
        (b'{\n"cases": []}', "json"),
        (b'{"prompt": "x"}\n{"prompt": "y"}', "jsonl"),
        (b'\xef\xbb\xbf{"prompt": "x"}\n\n{"prompt": "y"}\n', "jsonl"),
        (b"\xff\xfek\x00", "csv"),
    ],
)
def test_a_format_by_content(content: bytes, form: str) -> None:
    assert importing.format_of(content, "upload") == form
    assert importing.format_of(content, "x.JSON") == "json"
