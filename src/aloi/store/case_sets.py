"""Several cases of a dataset at once: pages of those that a filter lets through, changes of those that are named."""

from collections.abc import Sequence

from aloi.core.case import Case, CaseStatus
from aloi.core.listing import CaseFilter
from aloi.store.cases import CASES, case_of, own
from aloi.store.codec import id_or_none, json_of, unpack_id
from aloi.store.connection import Connection, Param, marks
from aloi.store.matching import any_contains, pattern

# Of a case's fields beside its key, those that a search looks at.
SEARCHED = ("name", "input", "expected_output", "expected_behavior", "assertions")
COUNT = "SELECT count(*) FROM cases"
KEYS = "SELECT id, key FROM cases"
SWITCH = "UPDATE cases SET enabled = coalesce(?, enabled), status = coalesce(?, status)"
DELETE = "DELETE FROM cases"
OF_DATASET = " WHERE dataset_id = (SELECT id FROM datasets WHERE id = ? AND workspace_id = ?)"


async def page(rx: Connection, dataset_id: str, wanted: CaseFilter, offset: int, limit: int) -> list[Case]:
    """One page of the cases that a filter lets through, in the dataset's order."""
    where, params = _filter(rx, wanted)
    order = " ORDER BY position LIMIT ? OFFSET ?"
    rows = await rx.fetch(CASES + where + order, (*own(rx, dataset_id), *params, limit, offset))
    return [case_of(row) for row in rows]


async def count(rx: Connection, dataset_id: str, wanted: CaseFilter) -> int:
    """How many cases a filter lets through."""
    where, params = _filter(rx, wanted)
    row = await rx.fetch_one(COUNT + OF_DATASET + where, (*own(rx, dataset_id), *params))
    return row[0] if row else 0


def _filter(rx: Connection, wanted: CaseFilter) -> tuple[str, list[Param]]:
    where = ""
    params: list[Param] = []
    if wanted.q:
        searched = ["key", *(rx.dialect.json_field("body", field) for field in SEARCHED)]
        where += " AND " + any_contains(*searched)
        params += [pattern(wanted.q)] * len(searched)
    if wanted.tag is not None:
        where += " AND " + any_contains(rx.dialect.json_field("body", "tags"))
        params.append(pattern(json_of(wanted.tag, "the tag")))
    if wanted.enabled is not None:
        where += " AND enabled = ?"
        params.append(int(wanted.enabled))
    if wanted.status is not None:
        where += " AND status = ?"
        params.append(wanted.status.value)
    return where, params


async def keys(rx: Connection, dataset_id: str, case_ids: Sequence[str]) -> dict[str, str]:
    """The keys of those of these cases that are there, by id."""
    among, packed = _among(case_ids)
    found = await rx.fetch(KEYS + OF_DATASET + among, (*own(rx, dataset_id), *packed))
    return {unpack_id(case_id): key for case_id, key in found}


async def present(rx: Connection, dataset_id: str, keys: Sequence[str]) -> set[str]:
    """Those of these keys that cases of the dataset have."""
    among = f" AND key IN ({marks(len(keys))})" if keys else " AND 1 = 0"
    return {key for _, key in await rx.fetch(KEYS + OF_DATASET + among, (*own(rx, dataset_id), *keys))}


async def switch(
    tx: Connection,
    dataset_id: str,
    case_ids: Sequence[str],
    enabled: bool | None = None,
    status: CaseStatus | None = None,
) -> None:
    """Set what is given on several cases; those that are not there are passed over."""
    among, packed = _among(case_ids)
    changes: tuple[Param, Param] = (None if enabled is None else int(enabled), status and status.value)
    await tx.execute(SWITCH + OF_DATASET + among, (*changes, *own(tx, dataset_id), *packed))


async def delete(tx: Connection, dataset_id: str, case_ids: Sequence[str]) -> None:
    """Delete several cases; those that are not there are passed over. Revisions keep them."""
    among, packed = _among(case_ids)
    await tx.execute(DELETE + OF_DATASET + among, (*own(tx, dataset_id), *packed))


def _among(case_ids: Sequence[str]) -> tuple[str, list[bytes]]:
    packed = [packed for packed in map(id_or_none, case_ids) if packed is not None]
    return (f" AND id IN ({marks(len(packed))})" if packed else " AND 1 = 0"), packed
