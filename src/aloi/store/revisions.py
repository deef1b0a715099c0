"""What runs froze: revisions of datasets, and the snapshots of cases that they share."""

from collections.abc import AsyncIterable, Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from pydantic_core import from_json

from aloi.core.binding import Binding
from aloi.core.case import CONTENT, Case
from aloi.core.dataset import Dataset, DatasetRevision, case_hash, revision_hash
from aloi.core.errors import NotFound
from aloi.store import attachments
from aloi.store.batches import BATCH
from aloi.store.codec import id_or_none, json_of, pack_id, pack_time, short_json, unpack_id, unpack_time
from aloi.store.connection import Connection, Params, Row

# The key is in the hash, and stands in `revision_cases`, where it is looked for.
SNAPSHOT = set(CONTENT) - {"key"}
CASES = """
SELECT p.position, p.case_id, p.key, p.name, p.tags, s.body
FROM revision_cases p JOIN case_snapshots s ON s.hash = p.hash WHERE p.revision_id = ?"""
REVISIONS = "SELECT id, dataset_id, content_hash, bindings, simulations, case_count, created_at FROM dataset_revisions"


class _Place(NamedTuple):
    """A case's row in a revision, without the revision's id and the position."""

    case_id: bytes
    key: str
    name: str
    tags: str
    hash: bytes


async def freeze(
    tx: Connection,
    dataset: Dataset,
    bindings: Sequence[Binding],
    batches: AsyncIterable[Mapping[str, Case]],
    new_id: Callable[[], str],
    now: datetime,
) -> DatasetRevision:
    """The revision that a dataset's cases and its bindings amount to; one that is the same is used again.

    Args:
        batches: the cases in order, by their ids; those that are not enabled and ready are left out.

    Raises:
        InvalidInput: a case holds text that cannot be stored.
    """
    await tx.lock("case snapshots")  # two that insert the same ones in different order would wait for each other
    files: set[bytes] = set()
    places: list[_Place] = []  # small, so that those of a large revision fit memory
    async for batch in batches:
        running = {case_id: case for case_id, case in batch.items() if case.runs}
        places += await _snapshots(tx, running)
        files |= attachments.frozen_hashes(running.values())
    hashed = revision_hash((place.hash.hex() for place in places), bindings, dataset.simulations)
    found = await tx.fetch_one(
        REVISIONS + " WHERE dataset_id = ? AND content_hash = ?", (pack_id(dataset.id), bytes.fromhex(hashed))
    )
    if found is not None:
        # A file that was deleted and sent again since is referred to anew.
        await attachments.link_revision(tx, unpack_id(found[0]), files)
        return _revision(found)
    revision = DatasetRevision(
        id=new_id(),
        dataset_id=dataset.id,
        content_hash=hashed,
        bindings=tuple(bindings),
        simulations=dataset.simulations,
        case_count=len(places),
        created_at=now,
    )
    await _insert(tx, revision, places)
    await attachments.link_revision(tx, revision.id, files)
    return revision


async def _snapshots(tx: Connection, cases: Mapping[str, Case]) -> list[_Place]:
    """Store the snapshots that are not there yet; the place of each case."""
    places = [_place(case_id, case) for case_id, case in cases.items()]
    bodies = [
        (place.hash, short_json(case, f"case {case.key!r}", include=SNAPSHOT))
        for place, case in zip(places, cases.values(), strict=True)
    ]
    await tx.execute_many(("INSERT INTO case_snapshots (hash, body) VALUES (?, ?) ON CONFLICT DO NOTHING", bodies))
    return places


def _place(case_id: str, case: Case) -> _Place:
    tags = json_of(case.tags, f"the tags of case {case.key!r}") if case.tags else ""
    return _Place(pack_id(case_id), case.key, case.name, tags, bytes.fromhex(case_hash(case)))


async def _insert(tx: Connection, revision: DatasetRevision, places: Sequence[_Place]) -> None:
    packed = pack_id(revision.id)
    head: Params = (
        packed,
        pack_id(revision.dataset_id),
        bytes.fromhex(revision.content_hash),
        json_of(revision.bindings, "a bound evaluator"),
        json_of(revision.simulations, "a simulation"),
        revision.case_count,
        pack_time(revision.created_at),
    )
    await tx.execute(
        "INSERT INTO dataset_revisions (id, dataset_id, content_hash, bindings, simulations, case_count,"
        " created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        head,
    )
    sql = (
        "INSERT INTO revision_cases (revision_id, position, case_id, key, name, tags, hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)"
    )
    await tx.execute_many((sql, [(packed, position, *place) for position, place in enumerate(places)]))


async def get(rx: Connection, revision_id: str) -> DatasetRevision:
    """A revision.

    Raises:
        NotFound: there is none of that id.
    """
    row = await rx.fetch_one(REVISIONS + " WHERE id = ?", (pack_id(revision_id),))
    if row is None:
        raise NotFound(f"there is no dataset revision {revision_id}")
    return _revision(row)


async def cases(
    rx: Connection, revision_id: str, after_position: int = -1, limit: int = BATCH
) -> list[tuple[int, Case]]:
    """A page of a revision's cases with their positions, from 0, in order; empty behind the last one."""
    rows = await rx.fetch(
        CASES + " AND p.position > ? ORDER BY p.position LIMIT ?", (pack_id(revision_id), after_position, limit)
    )
    return [(row[0], _case(row)) for row in rows]


async def case(rx: Connection, revision_id: str, ref: str) -> Case:
    """A case of a revision by its key or its id.

    Raises:
        NotFound: the revision has no such case.
    """
    revision, packed = pack_id(revision_id), id_or_none(ref)
    row = await rx.fetch_one(CASES + " AND p.key = ?", (revision, ref))
    if row is None and packed is not None:
        row = await rx.fetch_one(CASES + " AND p.case_id = ?", (revision, packed))
    if row is None:
        raise NotFound(f"the run has no case {ref!r}; a case is named by its key or its id")
    return _case(row)


def _case(row: Row) -> Case:
    _, case_id, key, name, tags, body = row
    own = {"id": unpack_id(case_id), "key": key, "name": name, "tags": from_json(tags) if tags else ()}
    return Case.model_validate({**from_json(body), **own})


def _revision(row: Row) -> DatasetRevision:
    packed, dataset_id, content_hash, bindings, simulations, case_count, created_at = row
    return DatasetRevision(
        id=unpack_id(packed),
        dataset_id=unpack_id(dataset_id),
        content_hash=content_hash.hex(),
        bindings=from_json(bindings),
        simulations=from_json(simulations),
        case_count=case_count,
        created_at=unpack_time(created_at),
    )
