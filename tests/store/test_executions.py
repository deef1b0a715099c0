"""Executions as they are looked up by their ids."""

import pytest

from aloi.core.attachment import Attachment
from aloi.core.execution import Execution, ExecutionSource, ExecutionStatus
from aloi.core.outcome import Failure, Outcome
from aloi.core.trace import Span, Trace
from aloi.store import executions
from aloi.store.database import Database
from tests.store.samples import NOW, a_version, another_workspace, new_id

TRACE = Trace(trace_id="t", spans=(Span(span_id="s", name="n", start_ns=0, end_ns=1),))
FILE = Attachment(name="bill.pdf", hash="0a" * 32, media_type="application/pdf", size=3)


async def stored(db: Database, outcome: Outcome, *files: Attachment) -> str:
    """The id of an execution that came out so."""
    async with db.transaction() as tx:
        version = await a_version(tx)
        execution = Execution(
            id=new_id(),
            target_id=version.target_id,
            target_name="bot",
            target_kind="openai",
            version=1,
            source=ExecutionSource.PRODUCTION,
            run_id=None,
            case_key=None,
            created_at=NOW,
            status=ExecutionStatus.OK,
            input={"question": "é?"},
            attachments=files,
            outcome=outcome,
        )
        await executions.insert(tx, execution, version.id)
    return execution.id


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Outcome(output={"a": [1]}, latency=1, trace=TRACE), ExecutionStatus.OK),
        (Outcome(output="", latency=1), ExecutionStatus.OK),
        (Outcome(failure=Failure(stage="invoke", type="timeout", message="slow"), latency=1), ExecutionStatus.ERROR),
    ],
)
async def test_an_answer_is_read_without_its_trace(db: Database, outcome: Outcome, status: ExecutionStatus) -> None:
    execution_id = await stored(db, outcome)
    async with db.read() as rx:
        found = await executions.answers(rx, [execution_id, new_id(), "no id"])
    assert found == {execution_id: (execution_id, {"question": "é?"}, (), outcome.output, status)}


async def test_its_files_are_kept_with_its_input(db: Database) -> None:
    execution_id = await stored(db, Outcome(output="x", latency=1), FILE)
    async with db.read() as rx:
        assert (await executions.get(rx, execution_id)).attachments == (FILE,)
        assert (await executions.answers(rx, [execution_id]))[execution_id].attachments == (FILE,)


async def test_answers_are_those_of_the_workspace(db: Database) -> None:
    execution_id = await stored(db, Outcome(output="x", latency=1))
    async with (await another_workspace(db)).read() as rx:
        assert await executions.answers(rx, [execution_id]) == {}
        assert await executions.answers(rx, []) == {}
