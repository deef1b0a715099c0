"""Failing executions become draft cases: as they are graded, or when somebody asks."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.case import Case
from aloi.core.errors import InvalidInput, NotFound
from aloi.core.online_result import OnlineDrafts
from aloi.core.score import Verdict
from aloi.service import audit, datasets, harvesting
from aloi.service.clock import new_id
from aloi.service.context import Context
from aloi.service.online import drafts, grading
from aloi.store import cases
from tests.service.traffic import TARGET, all_graded, asked, echoing, opened, ruled, said
from tests.store.backends import BACKENDS, fresh


@pytest.fixture(params=BACKENDS)
async def context(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Context]:
    async with fresh(request, tmp_path) as address:
        context = await opened(tmp_path, address)
        await echoing(context)
        yield context
        await context.close()


@pytest.fixture
async def dataset(context: Context) -> str:
    return (await datasets.create(context, {"name": "failures"})).id


async def cases_of(context: Context, dataset_id: str) -> list[Case]:
    async with context.database.read() as rx:
        return [case async for case in cases.every(rx, dataset_id)]


async def test_failing_executions_become_drafts_as_they_are_graded(context: Context, dataset: str):
    await ruled(context, drafts_dataset_id=dataset)
    _, failing, _ = await asked(context, "hello", "go away", "fail")
    await all_graded(context)
    [case] = await cases_of(context, dataset)
    assert (case.input, case.expected_output, case.status) == ("go away", None, "draft")
    assert case.source.execution_id == failing.id
    [entry] = (await audit.listing(context, action="case.harvest")).items
    assert entry.actor == "online rule rule"


async def test_two_rules_and_one_dataset_make_one_draft(context: Context, dataset: str):
    await ruled(context, drafts_dataset_id=dataset)
    await ruled(context, name="other", drafts_dataset_id=dataset)
    await asked(context, "go away")
    await all_graded(context)
    assert len(await cases_of(context, dataset)) == 1


async def test_a_server_that_died_before_it_made_the_draft_loses_none(
    context: Context, dataset: str, monkeypatch: pytest.MonkeyPatch
):
    await ruled(context, drafts_dataset_id=dataset)
    await asked(context, "go away")

    async def dies(_: Context) -> None:
        raise InterruptedError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(grading, "draft_due", dies)
        with pytest.raises(InterruptedError):
            await all_graded(context)
    assert await cases_of(context, dataset) == []
    assert await all_graded(context) == 0
    assert len(await cases_of(context, dataset)) == 1


async def test_a_dataset_that_goes_meanwhile_breaks_nothing(
    context: Context, dataset: str, monkeypatch: pytest.MonkeyPatch
):
    await ruled(context, drafts_dataset_id=dataset)
    await asked(context, "go away")

    async def gone(*_: object, **__: object) -> None:
        raise NotFound("there is no dataset")

    with monkeypatch.context() as patched:
        patched.setattr(harvesting, "add_drafts", gone)
        assert await all_graded(context) == 1
    assert await all_graded(context) == 0
    assert await cases_of(context, dataset) == []


async def test_drafts_by_hand_skip_and_count_what_is_there(context: Context, dataset: str):
    await ruled(context)
    done = await asked(context, "go away", "leave me", "hello")
    await all_graded(context)
    first = await drafts.draft(context, TARGET, "rule", OnlineDrafts(dataset_id=dataset, execution_ids=(done[0].id,)))
    assert (first.added, first.present) == (1, 0)
    rest = await drafts.draft(context, TARGET, "rule", OnlineDrafts(dataset_id="failures"))
    assert (rest.added, rest.present) == (1, 1)
    undashed = OnlineDrafts(dataset_id=dataset, execution_ids=(done[0].id.replace("-", "").upper(),))
    assert (await drafts.draft(context, TARGET, "rule", undashed)).present == 1
    passing = OnlineDrafts(dataset_id=dataset, verdict=Verdict.PASS)
    assert (await drafts.draft(context, TARGET, "rule", passing)).added == 1
    assert len(await said(context)) == len(await cases_of(context, dataset)) == 3
    expected = {case.input: case.expected_output for case in await cases_of(context, dataset)}
    assert expected == {"go away": None, "leave me": None, "hello": "hello"}


async def test_only_what_the_rule_graded_can_be_named(context: Context, dataset: str):
    await ruled(context)
    await asked(context, "go away")
    with pytest.raises(InvalidInput, match="no result of execution"):
        await drafts.draft(context, TARGET, "rule", OnlineDrafts(dataset_id=dataset, execution_ids=(new_id(),)))
