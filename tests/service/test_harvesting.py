"""Executions that become cases; `tests/api/routes/test_executions.py` has the single one over HTTP."""

import pytest

from aloi.core.case import Case, CaseStatus
from aloi.core.errors import InvalidInput, NotFound
from aloi.core.execution import ExecutionFilter, Invoke, ToCase
from aloi.core.listing import CaseFilter
from aloi.core.misfit import Misfit
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service import attachments, audit, cases, datasets, executions, harvesting, invoking, targets
from aloi.service.context import Context
from tests.attachment_files import PDF, PNG
from tests.model_server import ModelServer
from tests.otlp_requests import agent, new_trace
from tests.service.observed import finish, send
from tests.service.started_runs import prompts, save
from tests.store.samples import OTHER_WORKSPACE, another_workspace

ABSENT = "00000000-0000-7000-8000-00000000dead"


async def drafts(context: Context, dataset_id: str) -> list[Case]:
    return list((await cases.page(context, dataset_id, CaseFilter(status=CaseStatus.DRAFT), 1, 200)).items)


async def answered(context: Context, asked: str = "What?", answer: str = "That.") -> str:
    await send(context, agent(new_trace(), asked, answer))
    await finish(context)
    return (await executions.listing(context, 1, 1, ExecutionFilter())).items[0].id


async def test_each_becomes_a_draft_that_expects_what_it_answered(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    ids = [await answered(context, f"question {number}", f"answer {number}") for number in range(3)]
    done = await harvesting.add_drafts(context, dataset_id, ids)
    assert (done.added, done.present, done.missing, done.unfit, done.dataset_id) == (3, 0, (), (), dataset_id)
    made = await drafts(context, dataset_id)
    assert [case.key for case in made] == [f"trace-{execution_id}" for execution_id in ids]
    assert [case.name for case in made] == [f"Trace {execution_id[:8]}" for execution_id in ids]
    assert [(case.input, case.expected_output) for case in made] == [(f"question {n}", f"answer {n}") for n in range(3)]
    assert [case.source.execution_id for case in made] == ids
    assert {case.source.kind for case in made} == {"execution"}


async def test_a_failed_one_expects_nothing(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    await send(context, agent(new_trace(), answer="half", status={"code": 2, "message": "it broke"}))
    await finish(context)
    [entry] = (await executions.listing(context, 1, 1, ExecutionFilter())).items
    assert entry.failure is not None
    await harvesting.add_drafts(context, dataset_id, [entry.id])
    [case] = await drafts(context, dataset_id)
    assert case.expected_output is None


async def test_what_is_there_already_is_counted_and_stays_as_it_is(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    first, second = await answered(context), await answered(context)
    reviewed = await harvesting.to_case(context, first, ToCase(dataset_id=dataset_id, expected_output="better"))
    done = await harvesting.add_drafts(
        context, dataset_id, [first, second, second.upper(), second.replace("-", ""), ABSENT, "no id"]
    )
    assert (done.added, done.present, done.missing) == (1, 1, (ABSENT, "no id"))
    assert await cases.read(context, dataset_id, reviewed.id) == reviewed
    again = await harvesting.add_drafts(context, dataset_id, [second, first])
    assert (again.added, again.present, again.missing) == (0, 2, ())
    assert len(await drafts(context, dataset_id)) == 1


async def test_one_change_is_written_down_and_none_when_nothing_was_added(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    ids = [await answered(context) for _ in range(2)]
    before = await datasets.read(context, dataset_id)
    await harvesting.add_drafts(context, dataset_id, ids)
    await harvesting.add_drafts(context, dataset_id, ids)
    [entry] = (await audit.listing(context, action="case.harvest")).items
    assert (entry.object_id, entry.after) == (dataset_id, {"cases": 2, "keys": [f"trace-{one}" for one in ids]})
    assert (await datasets.read(context, dataset_id)).updated_at > before.updated_at


async def test_the_most_at_once_are_taken_and_more_refused(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    absent = [f"00000000-0000-7000-8000-{number:012x}" for number in range(201)]
    assert len((await harvesting.add_drafts(context, dataset_id, absent[1:])).missing) == 200
    with pytest.raises(InvalidInput, match="at most 200 executions"):
        await harvesting.add_drafts(context, dataset_id, absent)


async def test_a_dataset_that_is_not_there(context: Context) -> None:
    with pytest.raises(NotFound):
        await harvesting.add_drafts(context, ABSENT, [await answered(context)])


async def test_one_of_another_workspace_is_missing(context: Context) -> None:
    dataset_id = await save(context, prompts(1))
    await another_workspace(context.database)
    other = context.in_workspace(OTHER_WORKSPACE)
    foreign = await answered(other)
    done = await harvesting.add_drafts(context, dataset_id, [foreign])
    assert (done.added, done.missing) == (0, (foreign,))


async def asked_with_files(context: Context, models: ModelServer) -> str:
    """The id of an execution to which two files went, of an agent."""
    files = [await attachments.add(context, name, content) for name, content in {"a.pdf": PDF, "b.png": PNG}.items()]
    definition = build("targets", {"kind": "agent", "model": "openai:echo", "base_url": models.url}, Target)
    await targets.save(context, "reader", definition)
    wanted = Invoke.model_validate({"input": "Look", "attachments": [{"hash": stored.file.hash} for stored in files]})
    return (await invoking.carry_out(await invoking.prepare(context, "reader", wanted))).id


async def test_its_files_go_with_it_unless_others_are_given(context: Context, model_server: ModelServer) -> None:
    dataset_id, execution_id = await save(context, prompts(1)), await asked_with_files(context, model_server)
    files = (await executions.get(context, execution_id)).attachments
    assert [file.name for file in files] == ["a.pdf", "b.png"]
    assert (await harvesting.to_case(context, execution_id, ToCase(dataset_id=dataset_id))).attachments == files
    fewer = ToCase.model_validate({"dataset_id": dataset_id, "key": "k", "attachments": [{"hash": files[0].hash}]})
    assert (await harvesting.to_case(context, execution_id, fewer)).attachments == files[:1]
    none = ToCase(dataset_id=dataset_id, key="none", attachments=())
    assert (await harvesting.to_case(context, execution_id, none)).attachments == ()
    assert (await attachments.read(context, files[0].hash)).cases == 2


async def test_a_draft_has_its_files_too(context: Context, model_server: ModelServer) -> None:
    dataset_id, execution_id = await save(context, prompts(1)), await asked_with_files(context, model_server)
    await harvesting.add_drafts(context, dataset_id, [execution_id])
    [case] = await drafts(context, dataset_id)
    assert case.attachments == (await executions.get(context, execution_id)).attachments


async def test_a_file_that_was_deleted_is_told(context: Context, model_server: ModelServer) -> None:
    dataset_id, other = await save(context, prompts(1)), await answered(context)
    execution_id = await asked_with_files(context, model_server)
    _, picture = (await executions.get(context, execution_id)).attachments
    await attachments.delete(context, picture.hash)
    with pytest.raises(Misfit) as refused:
        await harvesting.to_case(context, execution_id, ToCase(dataset_id=dataset_id))
    assert [fault.pointer for fault in refused.value.faults] == ["/attachments/1"]
    done = await harvesting.add_drafts(context, dataset_id, [execution_id, other])
    assert (done.added, [unfit.execution_id for unfit in done.unfit]) == (1, [execution_id])
