"""A run as a report in some format; the formats have their own tests."""

import asyncio
import csv
import io
import json
from typing import Any

import pytest

from aloi.core.errors import InvalidInput, NotFound
from aloi.core.run import RunStatus
from aloi.service import runs
from aloi.service.context import MOST_EXPORTS, Context
from aloi.service.exporting import FORMATS, export
from aloi.store import result_pages
from tests.service.started_runs import Gate, finished, prompts, save, start, until_passed


async def answer(given: Any) -> Any:
    return f"ok {given}"


async def exported(context: Context, ref: str, form: str) -> str:
    return "".join([piece async for piece in export(context, ref, form)])


async def test_every_format_has_every_result(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_pages, "WHOLE_PAGE", 3)
    await save(context, prompts(10))
    run = await finished(context, await start(context, answer))
    found = json.loads(await exported(context, run.id, "json"))
    assert [result["case_key"] for result in found["results"]] == [f"k{n}" for n in range(10)]
    assert found["summary"]["passed"] == 10
    assert len(list(csv.DictReader(io.StringIO(await exported(context, run.id[:13], "csv"))))) == 10
    assert (await exported(context, "latest", "junit")).count("<testcase") == 10
    assert "ok prompt 9" in await exported(context, run.id, "html")


@pytest.mark.parametrize("form", FORMATS)
async def test_a_run_that_goes_on_is_exported_as_it_is_now(context: Context, form: str) -> None:
    await save(context, prompts(5))
    run = await start(context, Gate(2), concurrency=1)
    await until_passed(context, run, 2)
    text = await exported(context, run.id, form)
    assert "k1" in text
    assert "k2" not in text
    if form == "json":
        found = json.loads(text)
        assert found["summary"]["passed"] == len(found["results"]) == 2
    assert (await runs.get(context, run.id)).status is RunStatus.RUNNING


async def test_results_that_come_meanwhile_shift_nothing(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first case is slow: its result comes in when later ones are read already."""
    monkeypatch.setattr(result_pages, "WHOLE_PAGE", 2)
    release = asyncio.Event()

    async def first_is_slow(given: Any) -> Any:
        if given == "prompt 0":
            await release.wait()
        return "ok"

    await save(context, prompts(7))
    run = await start(context, first_is_slow)
    await until_passed(context, run, 6)
    keys: list[str] = []
    async with context.database.read() as rx:
        async for result in result_pages.every(rx, run.id):
            keys.append(result.case_key)
            if len(keys) == 3:
                release.set()
                await finished(context, run)
    assert keys == [f"k{n}" for n in range(1, 7)]


async def test_an_unknown_format_or_run_is_refused(context: Context) -> None:
    with pytest.raises(InvalidInput, match="no format 'xml'; the formats are: json, csv, junit, html"):
        await exported(context, "latest", "xml")
    with pytest.raises(NotFound, match="no run 'latest'"):
        await exported(context, "latest", "json")


async def test_slow_readers_leave_the_database_to_others(context: Context) -> None:
    """Only so many are written at once; the next one waits until a reader has left."""
    await save(context, prompts(1))
    run = await finished(context, await start(context, answer))
    slow = [export(context, run.id, "json") for _ in range(MOST_EXPORTS)]
    for pieces in slow:
        await anext(pieces)
    waiting = asyncio.create_task(exported(context, run.id, "csv"))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    assert (await runs.progress(context, run.id)).passed == 1
    await slow[0].aclose()
    async with asyncio.timeout(5):
        assert "k0" in await waiting
    for pieces in slow[1:]:
        await pieces.aclose()
