"""The contract of online rules, and of cases that are made of executions, in an `Administration`."""

from typing import Any

import pytest

from aloi.core.case import CaseStatus
from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.core.execution import ToCase
from aloi.core.score import Verdict
from aloi.core.spec import JsonObject
from tests.contracts.administrations import Both
from tests.contracts.clients import UNKNOWN, echo, replay, save
from tests.model_server import ModelServer

STRANGE = ("nobody", UNKNOWN, "", "a/b?c#d", "é 😀", "..")


def fields(name: str = "quick", **more: Any) -> JsonObject:
    return {"name": name, "evaluators": [{"kind": "latency", "max": 5}], **more}


@pytest.fixture
async def ready(both: Both) -> Both:
    """With a target `bot`, and a dataset `data`."""
    await both.client.save_target("bot", replay(a="1"))
    await save(both.client, "a", name="data")
    return both


async def test_create_list_show_change_delete(ready: Both) -> None:
    administration = ready.administration
    assert (await administration.online_rules("bot")).items == ()
    given = fields("two/é", share=0.5, filters={"status": "ok"}, drafts_dataset_id="data")
    made = [await administration.create_online_rule("bot", one) for one in (fields(), given)]
    page = await administration.online_rules("bot", size=1)
    assert ([rule.name for rule in page.items], page.total, page.pages) == (["two/é"], 2, 2)
    assert await administration.online_rule("bot", "two/é") == await administration.online_rule("bot", made[1].id)
    assert (made[0].share, made[1].share, made[1].drafts_dataset_name) == (1.0, 0.5, "data")
    changed = await administration.update_online_rule("bot", "two/é", {"enabled": False, "drafts_dataset_id": None})
    assert (changed.enabled, changed.drafts_dataset_id, changed.share) == (False, None, 0.5)
    for verdict in (None, Verdict.FAIL):
        assert (await administration.online_results("bot", "quick", verdict)).items == ()
    await administration.delete_online_rule("bot", "quick")
    assert [rule.name for rule in (await administration.online_rules("bot")).items] == ["two/é"]


async def test_what_does_not_fit(ready: Both) -> None:
    administration = ready.administration
    await administration.create_online_rule("bot", fields())
    with pytest.raises(Conflict, match="quick"):
        await administration.create_online_rule("bot", fields())
    for wrong in ({"share": 2}, {"share": True}, {"evaluators": [{"kind": "exact_match"}]}, {"evaluators": []}):
        with pytest.raises(InvalidInput):
            await administration.create_online_rule("bot", fields("other", **wrong))
    with pytest.raises(InvalidInput):
        await administration.update_online_rule("bot", "quick", {"most_per_day": 0})


@pytest.mark.parametrize("ref", STRANGE)
async def test_one_that_is_not_there(ready: Both, ref: str) -> None:
    administration = ready.administration
    for call in (
        administration.online_rule("bot", ref),
        administration.update_online_rule("bot", ref, {"enabled": False}),
        administration.delete_online_rule("bot", ref),
        administration.online_results("bot", ref),
        administration.online_rules(ref),
        administration.create_online_rule(ref, fields()),
        administration.case_of_execution(ref, ToCase(dataset_id="data")),
    ):
        with pytest.raises(NotFound):
            await call


async def test_an_execution_becomes_a_case(ready: Both, model_server: ModelServer) -> None:
    administration, client, _ = ready
    await client.save_target("echo", echo(model_server))
    execution = await administration.invoke("echo", "Où ?")
    plain = await administration.case_of_execution(execution.id[:13], ToCase(dataset_id="data"))
    assert (plain.key, plain.input, plain.expected_output) == (f"trace-{execution.id}", "Où ?", execution.output)
    given = ToCase(dataset_id="data", key="k", expected_output=None, status=CaseStatus.DRAFT)
    other = await administration.case_of_execution(execution.id, given)
    assert (other.key, other.expected_output, other.status) == ("k", None, CaseStatus.DRAFT)
    with pytest.raises(Conflict):
        await administration.case_of_execution(execution.id, ToCase(dataset_id="data"))
    with pytest.raises(NotFound):
        await administration.case_of_execution(execution.id, ToCase(dataset_id="absent"))
