"""Saved evaluators."""

from collections import Counter

from pydantic_core import from_json

from aloi.core.errors import Conflict, NotFound
from aloi.core.listing import EvaluatorFilter
from aloi.core.saved_evaluator import SavedEvaluator
from aloi.store import targets
from aloi.store.codec import id_or_none, json_of, pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Param, Params, Row, marks
from aloi.store.matching import any_contains, pattern
from aloi.store.narrowing import whole

EVALUATORS = """
SELECT id, name, description, spec, target_id, version, created_at, updated_at FROM evaluators
WHERE workspace_id = ?"""
COUNT = "SELECT count(*) FROM evaluators WHERE workspace_id = ?"
INSERT = """
INSERT INTO evaluators
  (name, description, spec, target_id, version, created_at, updated_at, id, workspace_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""
UPDATE = """
UPDATE evaluators
SET name = ?, description = ?, spec = ?, target_id = ?, version = ?, created_at = ?, updated_at = ?
WHERE id = ? AND workspace_id = ?"""
# The bindings of the datasets that bind some saved evaluator.
BINDINGS = 'SELECT bindings FROM datasets WHERE workspace_id = ? AND bindings LIKE \'%"evaluator_id":"%\''
NAMES = "SELECT name FROM evaluators WHERE workspace_id = ?"


async def lock(tx: Connection) -> None:
    """Let no other transaction change saved evaluators, or what binds them, until this one ends.

    Take it before a dataset is held.
    """
    await tx.lock(f"evaluators {tx.workspace.hex()}")


async def create(tx: Connection, evaluator: SavedEvaluator) -> None:
    """Store a new evaluator; not its version.

    Raises:
        Conflict: its name is taken.
        NotFound: its target is not there.
    """
    await _name_is_free(tx, evaluator)
    await tx.execute(INSERT, await _params(tx, evaluator))


async def update(tx: Connection, evaluator: SavedEvaluator) -> None:
    """Replace what is stored of an evaluator; not in the datasets that bind it.

    Raises:
        NotFound: it, or its target, is not there.
        Conflict: its new name is taken.
    """
    await _name_is_free(tx, evaluator)
    if not await tx.execute(UPDATE, await _params(tx, evaluator)):
        raise _absent(evaluator.id)


async def delete(tx: Connection, evaluator_id: str) -> None:
    """Delete an evaluator; the caller has seen that nothing binds it.

    Raises:
        NotFound: it is not there.
    """
    sql = "DELETE FROM evaluators WHERE id = ? AND workspace_id = ?"
    if not await tx.execute(sql, (pack_id(evaluator_id), tx.workspace)):
        raise _absent(evaluator_id)


async def get(rx: Connection, evaluator_id: str) -> SavedEvaluator:
    """An evaluator by its id.

    Raises:
        NotFound: there is none of that id.
    """
    packed = id_or_none(evaluator_id)
    row = packed and await rx.fetch_one(EVALUATORS + " AND id = ?", (rx.workspace, packed))
    if not row:
        raise _absent(evaluator_id)
    return _evaluator(row, await _bound(rx))


async def page(rx: Connection, wanted: EvaluatorFilter, offset: int, limit: int) -> list[SavedEvaluator]:
    """One page of the evaluators that a filter lets through, newest first."""
    where, params = await _filter(rx, wanted)
    order = " ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?"
    rows = await rx.fetch(EVALUATORS + where + order, (rx.workspace, *params, limit, offset))
    bound = await _bound(rx)
    return [_evaluator(row, bound) for row in rows]


async def count(rx: Connection, wanted: EvaluatorFilter) -> int:
    """How many evaluators a filter lets through."""
    where, params = await _filter(rx, wanted)
    row = await rx.fetch_one(COUNT + where, (rx.workspace, *params))
    return row[0] if row else 0


async def names(rx: Connection) -> set[str]:
    """The names of all evaluators, which no other may have."""
    return {name for (name,) in await rx.fetch(NAMES, (rx.workspace,))}


async def _filter(rx: Connection, wanted: EvaluatorFilter) -> tuple[str, list[Param]]:
    where = ""
    params: list[Param] = []
    if wanted.q:
        where += " AND " + any_contains("name", "description")
        params += [pattern(wanted.q)] * 2
    if wanted.kind is not None:
        where += f" AND {rx.dialect.json_field('spec', 'kind')} = ?"
        params.append(wanted.kind)
    if wanted.target_id is not None:
        packed = id_or_none(wanted.target_id)
        bound = [pack_id(evaluator_id) for evaluator_id in await _bound(rx, packed)] if packed else []
        where += " AND (target_id = ?" + (f" OR id IN ({marks(len(bound))}))" if bound else ")")
        params += [packed, *bound]
    return where, params


async def _bound(rx: Connection, target_id: bytes | None = None) -> Counter[str]:
    """How many datasets, of all or of one target, bind each saved evaluator, by its id."""
    bound = Counter[str]()
    of_target, params = (" AND target_id = ?", (target_id,)) if target_id else ("", ())
    for (bindings,) in await rx.fetch(BINDINGS + of_target, (rx.workspace, *params)):
        bound.update({binding["evaluator_id"] for binding in from_json(bindings)} - {None})
    return bound


async def _name_is_free(tx: Connection, evaluator: SavedEvaluator) -> None:
    taken = "SELECT 1 FROM evaluators WHERE workspace_id = ? AND name = ? AND id <> ?"
    if await whole(tx).fetch_one(taken, (tx.workspace, evaluator.name, pack_id(evaluator.id))):
        raise Conflict(f"there is an evaluator {evaluator.name!r} already; give this one another name")


def _absent(evaluator_id: str) -> NotFound:
    return NotFound(f"there is no saved evaluator {evaluator_id!r}")


async def _params(tx: Connection, evaluator: SavedEvaluator) -> Params:
    target = evaluator.target_id
    return (
        evaluator.name,
        evaluator.description,
        json_of(evaluator.spec, f"evaluator {evaluator.name!r}"),
        None if target is None else pack_id((await targets.get(tx, target)).id),
        evaluator.version,
        pack_time(evaluator.created_at),
        pack_time(evaluator.updated_at),
        pack_id(evaluator.id),
        tx.workspace,
    )


def _evaluator(row: Row, bound: Counter[str]) -> SavedEvaluator:
    packed, name, description, spec, target_id, version, created_at, updated_at = row
    evaluator_id = unpack_id(packed)
    return SavedEvaluator(
        id=evaluator_id,
        name=name,
        description=description,
        spec=from_json(spec),
        target_id=None if target_id is None else unpack_id(target_id),
        version=version,
        datasets=bound[evaluator_id],
        created_at=unpack_time(created_at),
        updated_at=unpack_time(updated_at),
    )
