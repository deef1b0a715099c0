"""Versions of saved evaluators. They are only ever added, and stay when their evaluator goes."""

from collections.abc import Sequence

from pydantic_core import from_json

from aloi.core.binding import Binding
from aloi.core.errors import NotFound
from aloi.core.run import GradedBy
from aloi.core.saved_evaluator import EvaluatorVersion, same_spec
from aloi.store.codec import id_or_none, json_of, pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Row

VERSIONS = """
SELECT evaluator_id, number, spec, note, restores, created_by, created_at FROM evaluator_versions
WHERE workspace_id = ? AND evaluator_id = ?"""
COUNT = "SELECT count(*) FROM evaluator_versions WHERE workspace_id = ? AND evaluator_id = ?"
INSERT = """
INSERT INTO evaluator_versions
  (id, workspace_id, evaluator_id, number, spec, note, restores, created_by, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""


async def add(tx: Connection, version: EvaluatorVersion, version_id: str) -> None:
    """Store a new version; the caller has seen to its number."""
    params = (
        pack_id(version_id),
        tx.workspace,
        pack_id(version.evaluator_id),
        version.number,
        json_of(version.spec, f"version {version.number} of an evaluator"),
        version.note,
        version.restores,
        version.created_by,
        pack_time(version.created_at),
    )
    await tx.execute(INSERT, params)


async def get(rx: Connection, evaluator_id: str, number: int) -> EvaluatorVersion:
    """A version by its number.

    Raises:
        NotFound: there is none of that number.
    """
    packed = id_or_none(evaluator_id)
    row = packed and await rx.fetch_one(VERSIONS + " AND number = ?", (rx.workspace, packed, number))
    if not row:
        raise NotFound(f"the saved evaluator {evaluator_id!r} has no version {number}")
    return _version(row)


async def page(rx: Connection, evaluator_id: str, offset: int, limit: int) -> list[EvaluatorVersion]:
    """One page of an evaluator's versions, newest first; also of one that was deleted."""
    packed = id_or_none(evaluator_id)
    order = " ORDER BY number DESC LIMIT ? OFFSET ?"
    rows = await rx.fetch(VERSIONS + order, (rx.workspace, packed, limit, offset)) if packed else []
    return [_version(row) for row in rows]


async def count(rx: Connection, evaluator_id: str) -> int:
    """How many versions an evaluator has, or had."""
    packed = id_or_none(evaluator_id)
    row = packed and await rx.fetch_one(COUNT, (rx.workspace, packed))
    return row[0] if row else 0


async def graded_by(rx: Connection, bindings: Sequence[Binding]) -> tuple[GradedBy, ...]:
    """Which versions of saved evaluators these are; one that says what no version of it says is left out."""
    found: list[GradedBy] = []
    for binding in bindings:
        if binding.evaluator_id is not None:
            number = await _number_of(rx, binding.evaluator_id, binding)
            if number is not None:
                found.append(GradedBy(name=binding.name, evaluator_id=binding.evaluator_id, version=number))
    return tuple(found)


async def _number_of(rx: Connection, evaluator_id: str, binding: Binding) -> int | None:
    """That of the version which the binding names, where it says the same; else the newest which does."""
    packed = id_or_none(evaluator_id)
    rows = await rx.fetch(VERSIONS + " ORDER BY number DESC", (rx.workspace, packed)) if packed else []
    same = [version.number for version in map(_version, rows) if same_spec(version.spec, binding.spec)]
    return binding.version if binding.version in same else next(iter(same), None)


def _version(row: Row) -> EvaluatorVersion:
    evaluator_id, number, spec, note, restores, created_by, created_at = row
    return EvaluatorVersion(
        evaluator_id=unpack_id(evaluator_id),
        number=number,
        spec=from_json(spec),
        note=note,
        restores=restores,
        created_by=created_by,
        created_at=unpack_time(created_at),
    )
