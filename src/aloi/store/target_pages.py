"""Targets and their versions, a page at a time."""

from aloi.core.listing import Page
from aloi.core.run import TargetVersion
from aloi.core.target_record import TargetFilter, TargetRecord
from aloi.store.codec import pack_id
from aloi.store.connection import Connection, Param
from aloi.store.matching import any_contains, pattern
from aloi.store.targets import TARGETS, VERSIONS, record_of, version_of

COUNT = "SELECT count(*) FROM targets t WHERE t.workspace_id = ?"


async def targets(rx: Connection, page: int, size: int, wanted: TargetFilter) -> Page[TargetRecord]:
    """A page of the targets, that changed last first, counted from 1."""
    terms, params = [""], list[Param]([rx.workspace])
    if wanted.text:
        terms.append(any_contains("t.name", "t.description"))
        params += [pattern(wanted.text)] * 2
    for column, value in (("t.kind = ?", wanted.kind), ("t.name = ?", wanted.name)):
        if value is not None:
            terms.append(column)
            params.append(value)
    where = " AND ".join(terms)
    total = await rx.fetch_one(COUNT + where, params)
    rows = await rx.fetch(
        TARGETS + where + " ORDER BY t.updated_at DESC, t.id DESC LIMIT ? OFFSET ?", (*params, size, (page - 1) * size)
    )
    return Page(items=tuple(map(record_of, rows)), total=total[0] if total else 0, page=page, size=size)


async def versions(rx: Connection, target: TargetRecord, page: int, size: int) -> Page[TargetVersion]:
    """A page of a target's versions, newest first."""
    rows = await rx.fetch(
        VERSIONS + " AND v.target_id = ? ORDER BY v.number DESC LIMIT ? OFFSET ?",
        (rx.workspace, pack_id(target.id), size, (page - 1) * size),
    )
    return Page(items=tuple(map(version_of, rows)), total=target.versions, page=page, size=size)
