"""Making cases of executions: one that somebody reviewed, or many as drafts for later review."""

from collections.abc import Collection, Sequence

from aloi.core.case import Case, CaseStatus
from aloi.core.dataset import Dataset
from aloi.core.errors import Conflict, InvalidInput
from aloi.core.execution import MOST_HARVESTED, Harvested, ToCase, Unfit
from aloi.core.identity import as_written
from aloi.core.json_values import storable
from aloi.core.spec import JsonObject
from aloi.service import audit
from aloi.service.accounts.narrowed import refuse_change
from aloi.service.attaching import filled
from aloi.service.changes import record_change
from aloi.service.checks import checked
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import case_sets, cases, datasets
from aloi.store import executions as stored
from aloi.store.batches import batched
from aloi.store.connection import Connection
from aloi.store.executions import UNFINISHED, Answered

NAME_DIGITS = 8
# How many inputs and outputs are in memory at once.
PIECE = 20
NAMED = 100


async def to_case(context: Context, execution_id: str, wanted: ToCase) -> Case:
    """A new case of a dataset, made of an execution: its output is what is expected, unless something else is given.

    Raises:
        NotFound: there is no such execution, or no such dataset.
        InvalidInput: a field does not fit.
        Conflict: the dataset has a case of that key, or the execution is not over and no output to expect was given.
    """
    async with context.database.transaction() as tx:
        execution = await stored.get(tx, execution_id)
        answered = Answered(execution.id, execution.input, execution.attachments, execution.output, execution.status)
        case = await _case_of(tx, answered, wanted.model_dump(exclude={"dataset_id"}, exclude_unset=True))
        dataset = await datasets.hold(tx, wanted.dataset_id)
        await refuse_change(context, tx, dataset)
        await cases.insert(tx, dataset.id, case)
        await datasets.touch(tx, dataset.id, now())
        await record_change(context, tx, "case.create", (case.id, f"{dataset.name}: {case.key}"), None, case)
    return case


async def add_drafts(
    context: Context, dataset_id: str, execution_ids: Sequence[str], refuted: Collection[str] = ()
) -> Harvested:
    """Add executions to a dataset as draft cases, at most 200 at once; all in one transaction.

    The output of an execution is what its case expects, nothing for one that failed or is refuted. Of one that is in
    the dataset already no second case is made.

    Args:
        dataset_id: name or id of the dataset.
        execution_ids: whole ids; one that is given twice counts once.
        refuted: those of them whose output was graded and did not pass, so that nobody should expect it.

    Raises:
        NotFound: there is no such dataset.
        InvalidInput: there are too many.
    """
    wanted = list(dict.fromkeys(storable(as_written(given)) for given in execution_ids))
    if len(wanted) > MOST_HARVESTED:
        raise InvalidInput(f"at most {MOST_HARVESTED} executions become cases at once, and these are {len(wanted)}")
    async with context.database.transaction() as tx:
        dataset = await datasets.hold(tx, dataset_id)
        await refuse_change(context, tx, dataset)
        done = Harvested(dataset_id=dataset.id, dataset_name=dataset.name, added=0, present=0)
        added: list[str] = []
        async for piece in batched(wanted, PIECE):
            done = await _add_piece(tx, done, piece, added, refuted)
        if added:
            await _record(context, tx, dataset, added)
    return done


async def _add_piece(
    tx: Connection, done: Harvested, piece: Sequence[str], added: list[str], refuted: Collection[str]
) -> Harvested:
    """Add some executions; what was done with them on top of what was done before. `added` gets the keys."""
    found = await stored.answers(tx, piece)
    present = await case_sets.present(tx, done.dataset_id, [_key(execution_id) for execution_id in found])
    made: list[Case] = []
    unfit: list[Unfit] = []
    for execution in found.values():
        if _key(execution.id) in present:
            continue
        try:
            expected: JsonObject = {"expected_output": None} if execution.id in refuted else {}
            made.append(await _case_of(tx, execution, {"status": CaseStatus.DRAFT, **expected}))
        except (InvalidInput, Conflict) as error:
            unfit.append(Unfit(execution_id=execution.id, reason=str(error)))
    await cases.upsert_many(tx, done.dataset_id, made, new_id)
    added += [case.key for case in made]
    return done.model_copy(
        update={
            "added": done.added + len(made),
            "present": done.present + len(present),
            "missing": (*done.missing, *(execution_id for execution_id in piece if execution_id not in found)),
            "unfit": (*done.unfit, *unfit),
        }
    )


async def _record(context: Context, tx: Connection, dataset: Dataset, keys: Sequence[str]) -> None:
    await datasets.touch(tx, dataset.id, now())
    await audit.record(
        context,
        tx,
        action="case.harvest",
        kind="dataset",
        id=dataset.id,
        name=dataset.name,
        after={"cases": len(keys), "keys": list(keys[:NAMED])},
    )


def _key(execution_id: str) -> str:
    return f"trace-{execution_id}"


async def _case_of(rx: Connection, execution: Answered, fields: JsonObject) -> Case:
    """The case of an execution. `fields`: what is given in place of its own.

    Raises:
        Conflict: the execution is not over, and no output to expect was given.
        InvalidInput: a field does not fit, or a file is not there any more.
    """
    if execution.status in UNFINISHED and "expected_output" not in fields:
        raise Conflict(
            f"execution {execution.id} is {execution.status} and has no output yet; wait until it is over, or say what "
            "output is expected (null for none)"
        )
    given: JsonObject = {
        "id": new_id(),
        "name": f"Trace {execution.id[:NAME_DIGITS]}",
        "key": _key(execution.id),
        "input": execution.input,
        "attachments": [file.model_dump(mode="json") for file in execution.attachments],
        "expected_output": execution.output,
        **{name: value for name, value in fields.items() if value is not None or name == "expected_output"},
        "source": {"kind": "execution", "execution_id": execution.id},
    }
    shown = frozenset(file.hash for file in execution.attachments)
    return checked(Case, await filled(rx, given, shown))
