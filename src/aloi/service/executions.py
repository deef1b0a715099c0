"""Executions: listing, reading, making cases of them."""

from aloi.core.case import Case
from aloi.core.errors import Conflict
from aloi.core.execution import Execution, ExecutionEntry, ExecutionFilter, ToCase
from aloi.core.listing import Page
from aloi.service.changes import record_change
from aloi.service.checks import checked
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import cases, datasets, execution_pages, targets
from aloi.store import executions as stored

NAME_DIGITS = 8


async def listing(context: Context, page: int, size: int, wanted: ExecutionFilter) -> Page[ExecutionEntry]:
    """A page of executions, newest first; `total` is exact up to 10,000, one more stands for more than that.

    Raises:
        NotFound: the target that the filter names is not there.
    """
    async with context.database.read() as rx:
        if wanted.target_id is not None:
            wanted = wanted._replace(target_id=(await targets.get(rx, wanted.target_id)).id)
        return await execution_pages.page(rx, page, size, wanted)


async def get(context: Context, execution_id: str) -> Execution:
    """An execution with its trace.

    Raises:
        NotFound: there is none of that id.
    """
    async with context.database.read() as rx:
        return await stored.get(rx, execution_id)


async def to_case(context: Context, execution_id: str, wanted: ToCase) -> Case:
    """A new case of a dataset, made of an execution: its output is what is expected, unless something else is given.

    Raises:
        NotFound: there is no such execution, or no such dataset.
        InvalidInput: a field does not fit.
        Conflict: the dataset has a case of that key, or the execution is not over and no output to expect was given.
    """
    async with context.database.transaction() as tx:
        execution = await stored.get(tx, execution_id)
        case = _case_of(execution, wanted)
        dataset = await datasets.hold(tx, wanted.dataset_id)
        await cases.insert(tx, dataset.id, case)
        await datasets.touch(tx, dataset.id, now())
        await record_change(context, tx, "case.create", (case.id, f"{dataset.name}: {case.key}"), None, case)
    return case


def _case_of(execution: Execution, wanted: ToCase) -> Case:
    fields = wanted.model_dump(exclude={"dataset_id"}, exclude_unset=True)
    if execution.status in stored.UNFINISHED and "expected_output" not in fields:
        raise Conflict(
            f"execution {execution.id} is {execution.status} and has no output yet; wait until it is over, or say what "
            "output is expected (null for none)"
        )
    given = {
        "id": new_id(),
        "name": f"Trace {execution.id[:NAME_DIGITS]}",
        "key": f"trace-{execution.id}",
        "input": execution.input,
        "expected_output": execution.output,
        **{name: value for name, value in fields.items() if value is not None or name == "expected_output"},
        "source": {"kind": "execution", "execution_id": execution.id},
    }
    return checked(Case, given)
