"""The cases of a dataset, as they are edited."""

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Sequence

from pydantic_core import from_json

from aloi.core.case import Case
from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.store import attachments
from aloi.store.batches import BATCH, batched
from aloi.store.codec import id_or_none, pack_id, short_json, unpack_id
from aloi.store.connection import Connection, Params, Row, held, marks

COLUMNS = {"id", "key", "enabled", "status"}
# Nothing else is written meanwhile, not even that a run is still worked on: see `service.running.lease`.
MOST_CASES = 500_000
# Of a dataset in the workspace in which it must be; the first parameters are those that `own` gives.
CASES = """
SELECT id, key, enabled, status, body, position FROM cases
WHERE dataset_id = (SELECT id FROM datasets WHERE id = ? AND workspace_id = ?)"""
UPDATE = """
UPDATE cases SET key = ?, enabled = ?, status = ?, body = ?
WHERE dataset_id = (SELECT id FROM datasets WHERE id = ? AND workspace_id = ?) AND id = ?"""
DELETE = """
DELETE FROM cases WHERE dataset_id = (SELECT id FROM datasets WHERE id = ? AND workspace_id = ?) AND id = ?"""
IDS = "SELECT key, id FROM cases WHERE dataset_id = ?"
# On a key that is there already, the id stays. A position below zero marks a case that was not given again yet.
INSERT = "INSERT INTO cases (id, dataset_id, position, key, enabled, status, body) VALUES (?, ?, ?, ?, ?, ?, ?)"
UPSERT = (
    INSERT
    + """
ON CONFLICT (dataset_id, key) DO UPDATE SET
  position = CASE WHEN cases.position < 0 THEN excluded.position ELSE cases.position END,
  enabled = excluded.enabled, status = excluded.status, body = excluded.body"""
)


async def upsert_many(
    tx: Connection,
    dataset_id: str,
    cases: AsyncIterable[Case] | Iterable[Case],
    new_id: Callable[[], str],
    replace: bool = False,
) -> int:
    """As `stored`, to its end; how many were given."""
    return sum([len(batch) async for batch in stored(tx, dataset_id, cases, new_id, replace)])


async def stored(
    tx: Connection,
    dataset_id: str,
    cases: AsyncIterable[Case] | Iterable[Case],
    new_id: Callable[[], str],
    replace: bool = False,
) -> AsyncIterator[dict[str, Case]]:
    """Store cases in the order given, and give each batch by its ids; it is done when the last one was taken.

    A case whose key is there already replaces it and keeps its id and place.

    Args:
        cases: their own ids are ignored, and stay as they are.
        replace: the cases given are all there are: others go, and the order is the one given.

    Raises:
        InvalidInput: a key is given twice. The transaction must then be left, so that nothing is stored.
        NotFound: there is no such dataset.
    """
    dataset = pack_id(dataset_id)
    if not await _hold(tx, dataset_id):
        raise NotFound(f"there is no dataset {dataset_id}")
    behind = await _next_position(tx, dataset)  # zero: there are none yet, whose ids would have to be looked up
    if replace:
        await tx.execute("UPDATE cases SET position = -1 - position WHERE dataset_id = ?", (dataset,))
    start = 0 if replace else behind
    keys: set[str] = set()
    async for batch in batched(cases):
        first = start + len(keys)
        for case in batch:
            _take_key(keys, case.key)
        ids = await _ids(tx, dataset, [case.key for case in batch]) if behind else {}
        by_id = {ids.get(case.key) or new_id(): case for case in batch}
        rows = [_row(dataset, position, *named) for position, named in enumerate(by_id.items(), first)]
        await tx.execute_many((UPSERT, rows))
        await attachments.link_cases(tx, by_id, list(ids.values()))
        yield by_id
    if replace:
        await tx.execute("DELETE FROM cases WHERE dataset_id = ? AND position < 0", (dataset,))


async def _ids(rx: Connection, dataset: bytes, keys: Sequence[str]) -> dict[str, str]:
    """The ids of the cases that are there already, by key."""
    among = f" AND key IN ({marks(len(keys))})"
    return {key: unpack_id(packed) for key, packed in await rx.fetch(IDS + among, (dataset, *keys))}


def own(rx: Connection, dataset_id: str) -> tuple[bytes, bytes]:
    """The parameters of `CASES`: the dataset, and the workspace in which it must be."""
    return pack_id(dataset_id), rx.workspace


async def _hold(tx: Connection, dataset_id: str) -> Row | None:
    """Keep other transactions from changing the dataset's cases, until this one ends; null when there is none."""
    return await held(tx, "SELECT 1 FROM datasets WHERE id = ? AND workspace_id = ?", own(tx, dataset_id))


async def _next_position(tx: Connection, dataset: bytes) -> int:
    row = await tx.fetch_one("SELECT coalesce(max(position) + 1, 0) FROM cases WHERE dataset_id = ?", (dataset,))
    return row[0] if row else 0


def _take_key(keys: set[str], key: str) -> None:
    if len(keys) == MOST_CASES:
        raise InvalidInput(f"at most {MOST_CASES:,} cases can be saved at once; split them into several datasets")
    if key in keys:
        raise InvalidInput(f"case {len(keys) + 1}: the key {key!r} is used twice; keys are unique in a dataset")
    keys.add(key)


async def every(rx: Connection, dataset_id: str, page: int = BATCH) -> AsyncIterator[Case]:
    """All cases of a dataset in order; only a page of them is in memory."""
    async for by_id in pages(rx, dataset_id, page):
        for case in by_id.values():
            yield case


async def pages(rx: Connection, dataset_id: str, size: int = BATCH) -> AsyncIterator[dict[str, Case]]:
    """All cases of a dataset in order, by their ids, up to `size` at a time."""
    position = -1
    while rows := await rx.fetch(
        CASES + " AND position > ? ORDER BY position LIMIT ?", (*own(rx, dataset_id), position, size)
    ):
        yield {case.id: case for case in map(case_of, rows)}
        position = rows[-1][5]


async def listing(rx: Connection, dataset_id: str, offset: int = 0, limit: int = BATCH) -> Sequence[Case]:
    """One page of a dataset's cases, in order."""
    rows = await rx.fetch(CASES + " ORDER BY position LIMIT ? OFFSET ?", (*own(rx, dataset_id), limit, offset))
    return [case_of(row) for row in rows]


async def get(rx: Connection, dataset_id: str, ref: str) -> Case:
    """A case by its key or its id.

    Raises:
        NotFound: the dataset has no such case.
    """
    dataset = own(rx, dataset_id)
    row = await rx.fetch_one(CASES + " AND key = ?", (*dataset, ref))
    packed = id_or_none(ref)
    if row is None and packed is not None:
        row = await rx.fetch_one(CASES + " AND id = ?", (*dataset, packed))
    if row is None:
        raise _absent(ref)
    return case_of(row)


async def by_id(rx: Connection, dataset_id: str, case_id: str) -> Case:
    """A case by its id alone.

    Raises:
        NotFound: the dataset has no such case.
    """
    packed = id_or_none(case_id)
    row = packed and await rx.fetch_one(CASES + " AND id = ?", (*own(rx, dataset_id), packed))
    if not row:
        raise _absent(case_id)
    return case_of(row)


async def insert(tx: Connection, dataset_id: str, case: Case) -> None:
    """Store a new case behind the others.

    Raises:
        Conflict: its key is taken.
        NotFound: there is no such dataset.
    """
    if not await _hold(tx, dataset_id):
        raise NotFound(f"there is no dataset {dataset_id}")
    dataset = pack_id(dataset_id)
    await _key_is_free(tx, dataset, case)
    await tx.execute(INSERT, _row(dataset, await _next_position(tx, dataset), case.id, case))
    await attachments.link_cases(tx, {case.id: case})


async def update(tx: Connection, dataset_id: str, case: Case) -> None:
    """Replace the case of that id; its place stays. Revisions do not change.

    Raises:
        NotFound: the dataset has no case of that id.
        Conflict: its new key is taken.
    """
    dataset, packed = pack_id(dataset_id), pack_id(case.id)
    await _hold(tx, dataset_id)
    await _key_is_free(tx, dataset, case)
    changed = await tx.execute(
        UPDATE,
        (case.key, int(case.enabled), case.status.value, _body(case), *own(tx, dataset_id), packed),
    )
    if not changed:
        raise _absent(case.key)
    await attachments.link_cases(tx, {case.id: case}, [case.id])


async def delete(tx: Connection, dataset_id: str, case_id: str) -> None:
    """Delete a case. Revisions keep it.

    Raises:
        NotFound: the dataset has no case of that id.
    """
    await _hold(tx, dataset_id)
    params = (*own(tx, dataset_id), pack_id(case_id))
    if not await tx.execute(DELETE, params):
        raise _absent(case_id)


async def _key_is_free(tx: Connection, dataset: bytes, case: Case) -> None:
    taken = "SELECT 1 FROM cases WHERE dataset_id = ? AND key = ? AND id <> ?"
    if await tx.fetch_one(taken, (dataset, case.key, pack_id(case.id))):
        raise Conflict(f"the dataset has a case {case.key!r} already; give this one another key")


def _absent(ref: str) -> NotFound:
    return NotFound(f"the dataset has no case {ref!r}; a case is named by its key or its id")


def _row(dataset: bytes, position: int, case_id: str, case: Case) -> Params:
    return (pack_id(case_id), dataset, position, case.key, int(case.enabled), case.status.value, _body(case))


def _body(case: Case) -> str:
    return short_json(case, f"case {case.key!r}", exclude=COLUMNS)


def case_of(row: Row) -> Case:
    """The case of a row of `CASES`."""
    packed, key, enabled, status, body, _ = row
    own = {"id": unpack_id(packed), "key": key, "enabled": bool(enabled), "status": status}
    return Case.model_validate({**from_json(body), **own})
