"""The evaluators of a target, and those that one without any begins with."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from aloi.core.default_evaluators import DEFAULT_EVALUATORS
from aloi.core.errors import NotFound
from aloi.core.listing import DatasetFilter, EvaluatorFilter
from aloi.core.spec import JsonObject
from aloi.service import audit, binding, datasets, default_evaluators, saved_evaluators, targets
from aloi.service.context import Context
from aloi.service.evaluators import evaluator_builder
from aloi.settings import Settings
from tests.store.backends import BACKENDS, fresh

BOT: JsonObject = {"kind": "openai", "model": "m"}
KINDS = [default.kind for default in DEFAULT_EVALUATORS]
OK: dict[str, Any] = {"kind": "contains", "text": "ok"}
RACES = 5


@pytest.fixture(params=BACKENDS)
async def context(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Context]:
    """An open context over each kind of database."""
    async with fresh(request, tmp_path) as address:
        opened = await Context.open(Settings(home=tmp_path, database_url=address), {})
        yield opened
        await opened.close()


async def bot(context: Context, name: str = "bot") -> str:
    return (await targets.create(context, name, "", BOT)).id


async def own(context: Context, target_id: str) -> list[str]:
    """The names of a target's evaluators, as a list shows them."""
    page = await saved_evaluators.page(context, EvaluatorFilter(target_id=target_id), 1, 50)
    return [saved.name for saved in page.items]


async def test_made_for_a_target_without_any(context: Context) -> None:
    target_id = await bot(context)
    made = await default_evaluators.create_defaults(context, target_id)
    assert [saved.spec["kind"] for saved in made.created] == KINDS
    assert [saved.name for saved in made.created] == [f"{kind} · bot" for kind in KINDS]
    assert [saved.datasets for saved in made.created] == [1, 0, 0, 0, 0]
    assert {saved.target_id for saved in made.created} == {target_id}
    assert await own(context, target_id) == [saved.name for saved in made.created]
    assert [await saved_evaluators.read(context, saved.id) for saved in made.created] == list(made.created)
    assert made.dataset_created and made.dataset is not None and made.dataset.name == "bot cases"
    dataset = await datasets.read(context, made.dataset.id)
    assert dataset.target_id == target_id
    assert dataset.bindings == made.dataset.evaluators == (made.created[0].bound(1.0),)


async def test_asked_again_it_does_nothing(context: Context) -> None:
    target_id = await bot(context)
    await default_evaluators.create_defaults(context, target_id)
    again = await default_evaluators.create_defaults(context, "bot")
    assert (again.created, again.dataset, again.dataset_created) == ((), None, False)
    assert len(await own(context, target_id)) == len(KINDS)


async def test_many_who_ask_at_once_make_one_set(context: Context) -> None:
    target_id = await bot(context)
    work = [default_evaluators.create_defaults(context, target_id) for _ in range(RACES)]
    assert sorted(len(made.created) for made in await asyncio.gather(*work)) == [0] * (RACES - 1) + [len(KINDS)]
    assert (await datasets.page(context, DatasetFilter(target_id=target_id), 1, 9)).total == 1


@pytest.mark.parametrize("has", ["own", "bound", "written"])
async def test_one_that_has_some_gets_none(context: Context, has: str) -> None:
    target_id = await bot(context)
    dataset = await datasets.create(context, {"name": "data", "target_id": target_id})
    fields: JsonObject = {"name": "a", "spec": OK, "target_id": target_id if has == "own" else None}
    saved = await saved_evaluators.create(context, fields)
    given: dict[str, list[Any]] = {"own": [], "bound": [{"evaluator_id": saved.id}], "written": [OK]}
    await binding.bind(context, dataset.id, given[has])
    assert not (await default_evaluators.create_defaults(context, target_id)).created
    assert await own(context, target_id) == ([] if has == "written" else ["a"])


async def test_its_first_dataset_is_the_oldest(context: Context) -> None:
    target_id = await bot(context)
    first, second = [
        await datasets.create(context, {"name": name, "target_id": target_id}) for name in ("first", "second")
    ]
    await datasets.create(context, {"name": "of any"})
    await datasets.update(context, second.id, {"description": "changed last"})
    made = await default_evaluators.create_defaults(context, target_id)
    assert made.dataset is not None and made.dataset.id == first.id and not made.dataset_created
    page = await default_evaluators.bound(context, "bot", 1, 1)
    assert (page.total, page.items) == (2, (made.dataset,))
    [other] = (await default_evaluators.bound(context, target_id, 2, 1)).items
    assert (other.name, other.evaluators) == ("second", ())


async def test_names_that_are_taken(context: Context) -> None:
    await saved_evaluators.create(context, {"name": "exact_match · bot", "spec": {"kind": "exact_match"}})
    await datasets.create(context, {"name": "bot cases"})
    made = await default_evaluators.create_defaults(context, await bot(context))
    assert made.created[2].name == "exact_match · bot 2"
    assert made.dataset is not None and made.dataset.name == "bot cases 2"
    long = await default_evaluators.create_defaults(context, await bot(context, "b" * 200))
    assert {len(saved.name) for saved in long.created} == {200}


async def test_what_is_made_is_in_the_audit_log(context: Context) -> None:
    await default_evaluators.create_defaults(context, await bot(context))
    actions = [entry.action for entry in (await audit.listing(context, 1, 50)).items]
    assert actions.count("evaluator.create") == len(KINDS)
    assert {"dataset.create", "dataset.bind"} <= set(actions)


async def test_no_such_target(context: Context) -> None:
    with pytest.raises(NotFound):
        await default_evaluators.create_defaults(context, "nobody")
    with pytest.raises(NotFound):
        await default_evaluators.bound(context, "nobody", 1, 9)


@pytest.mark.parametrize("default", DEFAULT_EVALUATORS, ids=KINDS)
def test_each_fits_its_kind(default: Any) -> None:
    assert evaluator_builder(False)(default.spec).kind == default.kind
