"""What people say of results. One label stands for each result: the last one that was given."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from aloi.core.label import Label, LabelVerdict
from aloi.store.codec import pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Row, held, marks
from aloi.store.result_pages import LABELLED, no_result, position_of
from aloi.store.run_rows import own_run

# A label's case is where its place in the run's revision says.
LABELS = """
SELECT p.key, l.trial, l.verdict, l.note, l.blind, l.labelled_by, l.labelled_at
FROM labels l JOIN runs u ON u.id = l.run_id
JOIN revision_cases p ON p.revision_id = u.revision_id AND p.position = l.position
WHERE u.id = ? AND u.workspace_id = ?"""
OF_RUN = " WHERE run_id = (SELECT id FROM runs WHERE id = ? AND workspace_id = ?)"
AT = " AND position = ? AND trial = ?"
HOLD = "SELECT 1 FROM results"
REMOVE = "DELETE FROM labels"
COUNT = "SELECT count(*) FROM labels"
PLACES = "SELECT r.position, r.trial FROM results r"
GIVE = """
INSERT INTO labels (run_id, position, trial, verdict, note, blind, labelled_by, labelled_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (run_id, position, trial) DO UPDATE SET verdict = excluded.verdict, note = excluded.note,
  blind = excluded.blind, labelled_by = excluded.labelled_by, labelled_at = excluded.labelled_at"""
# Of each case that is shown, the label of each of its trials, if it has one.
ENTRIES = """
SELECT p.position, p.case_id, p.key, p.name, l.trial, l.verdict, l.note, l.blind, l.labelled_by, l.labelled_at
FROM revision_cases p
LEFT JOIN labels l ON l.run_id = ? AND l.position = p.position
WHERE p.revision_id = (SELECT revision_id FROM runs WHERE id = ? AND workspace_id = ?) AND p.position IN ({})"""


class Place(NamedTuple):
    """Where a result is in its run: the position of its case in the revision, and the trial."""

    position: int
    trial: int


class LabelledPlace(NamedTuple):
    """A result to label: its case, and the label that it has."""

    case_id: str
    case_key: str
    case_name: str
    trial: int
    label: Label | None


async def hold(tx: Connection, run_id: str, case: str, trial: int) -> Place:
    """Where the result of a case, named by its key or id, is. No other transaction labels it until this one ends.

    Raises:
        NotFound: there is no such case in the run, or it has no result yet.
    """
    place = Place(await position_of(tx, run_id, case), trial)
    if await held(tx, HOLD + OF_RUN + AT, (*own_run(tx, run_id), *place)) is None:
        raise no_result(run_id, case, trial)
    return place


async def get(rx: Connection, run_id: str, place: Place) -> Label | None:
    """The label of a result, null when it has none."""
    row = await rx.fetch_one(LABELS + " AND l.position = ? AND l.trial = ?", (*own_run(rx, run_id), *place))
    return None if row is None else _label(row)


async def of_case(rx: Connection, run_id: str, key: str, trial: int) -> Label | None:
    """The label of a case's result, by the case's key; null when it has none."""
    row = await rx.fetch_one(LABELS + " AND p.key = ? AND l.trial = ?", (*own_run(rx, run_id), key, trial))
    return None if row is None else _label(row)


async def give(tx: Connection, run_id: str, place: Place, label: Label) -> None:
    """Store the label of a result that is held, in the place of an earlier one.

    Raises:
        InvalidInput: its note holds text that cannot be stored.
    """
    own = (label.verdict, label.note, int(label.blind), label.by, pack_time(label.at))
    await tx.execute(GIVE, (own_run(tx, run_id)[0], *place, *own))


async def remove(tx: Connection, run_id: str, place: Place) -> None:
    """Take the label of a result away."""
    await tx.execute(REMOVE + OF_RUN + AT, (*own_run(tx, run_id), *place))


async def page(rx: Connection, run_id: str, offset: int, limit: int) -> list[Label]:
    """A page of a run's labels, in the order of the cases."""
    order = " ORDER BY l.position, l.trial LIMIT ? OFFSET ?"
    rows = await rx.fetch(LABELS + order, (*own_run(rx, run_id), limit, offset))
    return [_label(row) for row in rows]


async def count(rx: Connection, run_id: str) -> int:
    """How many labels a run has."""
    row = await rx.fetch_one(COUNT + OF_RUN, own_run(rx, run_id))
    return row[0] if row else 0


async def every(rx: Connection, run_id: str) -> dict[tuple[str, int], Label]:
    """All labels of a run by the case's key and the trial: as many as people gave."""
    labels = [_label(row) for row in await rx.fetch(LABELS, own_run(rx, run_id))]
    return {(label.case_key, label.trial): label for label in labels}


async def verdicts(rx: Connection, run_id: str, keys: Collection[str]) -> dict[tuple[str, int], LabelVerdict]:
    """The labels' verdicts of some cases by the case's key and the trial."""
    if not keys:
        return {}
    rows = await rx.fetch(f"{LABELS} AND p.key IN ({marks(len(keys))})", (*own_run(rx, run_id), *keys))
    return {(key, trial): verdict for key, trial, verdict, *_ in rows}


async def places(rx: Connection, run_id: str, unlabelled: bool) -> list[Place]:
    """Where the run has results, whatever came of them; `unlabelled`: only those that nobody labelled."""
    which = f" AND NOT {LABELLED}" if unlabelled else ""
    rows = await rx.fetch(PLACES + OF_RUN + which, own_run(rx, run_id))
    return [Place(*row) for row in rows]


async def at(rx: Connection, run_id: str, wanted: Sequence[Place]) -> list[LabelledPlace]:
    """The cases and the labels of some results, in the order of the places."""
    if not wanted:
        return []
    run = own_run(rx, run_id)
    positions = sorted({place.position for place in wanted})
    rows = await rx.fetch(ENTRIES.format(marks(len(positions))), (run[0], *run, *positions))
    cases = {row[0]: row[1:4] for row in rows}
    labels = {Place(row[0], row[4]): _label((row[2], *row[4:])) for row in rows if row[4] is not None}
    return [
        LabelledPlace(unpack_id(case_id), key, name, place.trial, labels.get(place))
        for place in wanted
        for case_id, key, name in [cases[place.position]]
    ]


def _label(row: Row) -> Label:
    key, trial, verdict, note, blind, by, at_ = row
    return Label(case_key=key, trial=trial, verdict=verdict, note=note, blind=bool(blind), by=by, at=unpack_time(at_))
