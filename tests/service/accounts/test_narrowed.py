"""What members who are narrowed to some targets may not change."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.access import LOCAL, Role
from aloi.core.errors import Conflict, NotPermitted
from aloi.core.gate import DatasetGate, Gate
from aloi.core.spec import JsonObject
from aloi.service import binding, cases, datasets, evaluator_versions, gates, saved_evaluators, targets
from aloi.service.accounts.narrowed import refuse_narrowed
from aloi.service.context import Context
from aloi.service.online import rules
from aloi.settings import Settings
from aloi.targets.replay import Replay

DEFINITION: JsonObject = {"kind": "replay", "outputs": {"a": "b"}}


@pytest.fixture
async def context(tmp_path: Path) -> AsyncIterator[Context]:
    opened = await Context.open(Settings(home=tmp_path), {})
    yield opened
    await opened.close()


def narrowed(context: Context, *target_ids: str) -> Context:
    return context.acting_as(LOCAL.model_copy(update={"role": Role.EDITOR, "targets": target_ids}))


def test_only_who_is_narrowed_is_refused(context: Context) -> None:
    refuse_narrowed(context, "do this")
    with pytest.raises(NotPermitted, match="granted some targets only, so you may not do this; ask an owner"):
        refuse_narrowed(narrowed(context), "do this")


async def test_targets_are_not_made_but_those_granted_get_versions(context: Context) -> None:
    one = await targets.create(context, "one", "", DEFINITION)
    await targets.create(context, "two", "", DEFINITION)
    theirs = narrowed(context, one.id)
    for name in ("new", "two"):
        with pytest.raises(NotPermitted, match="may not make targets"):
            await targets.save(theirs, name, Replay(outputs={"c": "d"}))
        with pytest.raises(NotPermitted, match="may not make targets"):
            await targets.create(theirs, name, "", DEFINITION)
    assert (await targets.save(theirs, "one", Replay(outputs={"c": "d"}))).number == 2


async def test_a_dataset_of_theirs_that_is_on_another_targets_gate(context: Context) -> None:
    one = await targets.create(context, "one", "", DEFINITION)
    await targets.create(context, "two", "", DEFINITION)
    dataset = await datasets.create(context, {"name": "data", "target_id": one.id})
    theirs = narrowed(context, one.id)
    await cases.create(theirs, dataset.id, {"prompt": "a"})
    await gates.replace(context, "one", Gate(policies=(DatasetGate(dataset_id="data", threshold=1),)))
    await cases.create(theirs, dataset.id, {"prompt": "b"})
    await gates.replace(context, "two", Gate(policies=(DatasetGate(dataset_id="data", threshold=1),)))
    with pytest.raises(NotPermitted, match="decides which versions of a target may become active that you are not"):
        await cases.create(theirs, dataset.id, {"prompt": "c"})
    with pytest.raises(NotPermitted):
        await datasets.delete(theirs, dataset.id)


async def test_a_gate_on_a_dataset_of_another_target_still_decides(context: Context) -> None:
    """It is seen by who is granted the gated target, else they could pass by it; they do not change it."""
    one = await targets.create(context, "one", "", DEFINITION)
    two = await targets.create(context, "two", "", DEFINITION)
    dataset = await datasets.create(context, {"name": "data", "target_id": two.id})
    await gates.replace(context, "one", Gate(policies=(DatasetGate(dataset_id="data", threshold=1),)))
    theirs = narrowed(context, one.id)
    state = await gates.get(theirs, "one")
    assert (state.allowed, [policy.dataset_name for policy in state.policies]) == (False, ["data"])
    assert (await datasets.read(theirs, dataset.id)).name == "data"
    with pytest.raises(NotPermitted, match="not of a target that you are granted"):
        await datasets.update(theirs, dataset.id, {"name": "other"})


async def test_an_evaluator_of_theirs_that_grades_for_others(context: Context) -> None:
    one = await targets.create(context, "one", "", DEFINITION)
    two = await targets.create(context, "two", "", DEFINITION)
    mine, other = [await datasets.create(context, {"name": of.name, "target_id": of.id}) for of in (one, two)]
    theirs = narrowed(context, one.id)
    fields: JsonObject = {"name": "rule", "spec": {"kind": "contains", "text": "x"}, "target_id": "one"}
    rule = await saved_evaluators.create(theirs, fields)
    use: JsonObject = {"evaluator_id": rule.id}
    await binding.bind(theirs, mine.id, [use])
    await saved_evaluators.update(theirs, rule.id, {"spec": {"kind": "contains", "text": "y"}})
    await rules.create(context, two.id, {"name": "all", "evaluators": [use]})
    with pytest.raises(NotPermitted, match="grades executions of a target that you are not granted"):
        await saved_evaluators.update(theirs, rule.id, {"spec": {"kind": "contains", "text": "z"}})
    await binding.bind(context, other.id, [use])
    with pytest.raises(NotPermitted, match="'two' is not of a target that you are granted"):
        await evaluator_versions.restore(theirs, rule.id, 1)
    with pytest.raises(NotPermitted):
        await saved_evaluators.delete(theirs, rule.id)


async def test_a_name_that_is_taken_where_they_do_not_look(context: Context) -> None:
    one = await targets.create(context, "one", "", DEFINITION)
    two = await targets.create(context, "two", "", DEFINITION)
    await datasets.create(context, {"name": "data", "target_id": two.id})
    with pytest.raises(Conflict, match="there is a dataset 'data' already; give this one another name"):
        await datasets.create(narrowed(context, one.id), {"name": "data", "target_id": one.id})
    with pytest.raises(NotPermitted, match="you may not rename targets"):
        await targets.update(narrowed(context, one.id), "one", {"name": "two"})
