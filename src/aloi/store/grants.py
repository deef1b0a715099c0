"""The targets that members are narrowed to."""

from collections.abc import Sequence

from aloi.core.access import GrantedTarget, Grants, Member
from aloi.store.codec import pack_id, unpack_id
from aloi.store.connection import Connection

OF = "FROM member_grants g JOIN targets t ON t.id = g.target_id WHERE g.member_id = ?"
IDS = f"SELECT t.id {OF} ORDER BY t.id"
NAMED = f"SELECT t.id, t.name, t.kind {OF} ORDER BY t.name"
NARROW = "UPDATE members SET narrowed = ? WHERE id = ? AND workspace_id = ?"
INSERT = "INSERT INTO member_grants (member_id, target_id) VALUES (?, ?)"
# Of what a deleted target leaves behind.
ORPHANS = """
INSERT INTO orphans (id)
SELECT id FROM datasets WHERE target_id = ? UNION ALL SELECT id FROM evaluators WHERE target_id = ?"""
ADOPT = "DELETE FROM orphans WHERE id = ?"


async def ids(rx: Connection, member: Member) -> tuple[str, ...] | None:
    """The ids of the targets that a member is narrowed to; null for all, and nothing is asked then."""
    if member.granted is None:
        return None
    return tuple(unpack_id(packed) for (packed,) in await rx.fetch(IDS, (pack_id(member.id),)))


async def of(rx: Connection, member: Member) -> Grants:
    """The targets that a member is narrowed to, by name."""
    if member.granted is None:
        return Grants(targets=None)
    rows = await rx.fetch(NAMED, (pack_id(member.id),))
    return Grants(targets=tuple(GrantedTarget(id=unpack_id(row[0]), name=row[1], kind=row[2]) for row in rows))


async def replace(tx: Connection, member_id: str, target_ids: Sequence[str] | None) -> None:
    """Narrow a member of the workspace to these of its targets, and no others; null lets them see all again."""
    member = pack_id(member_id)
    await tx.execute("DELETE FROM member_grants WHERE member_id = ?", (member,))
    await tx.execute(NARROW, (int(target_ids is not None), member, tx.workspace))
    await tx.execute_many((INSERT, [(member, pack_id(target_id)) for target_id in target_ids or ()]))


async def orphan(tx: Connection, target_id: str) -> None:
    """Note what belongs to a target that is about to be deleted: nobody who is narrowed sees it then."""
    target = pack_id(target_id)
    await tx.execute(ORPHANS, (target, target))


async def adopt(tx: Connection, thing_id: str) -> None:
    """Somebody said whose a dataset or an evaluator is: it is no orphan any more."""
    await tx.execute(ADOPT, (pack_id(thing_id),))
