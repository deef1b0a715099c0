"""Which targets runs are of, as lists of runs show it: without definitions, which may be as long as a file."""

from collections.abc import Iterable

from aloi.core.run_view import ShownTarget
from aloi.store.codec import pack_id, unpack_id
from aloi.store.connection import Connection, marks

VERSIONS = """
SELECT v.id, v.target_id, v.kind FROM target_versions v JOIN targets t ON t.id = v.target_id
WHERE t.workspace_id = ? AND v.id IN ({})"""


async def shown(rx: Connection, version_ids: Iterable[str]) -> dict[str, ShownTarget]:
    """The targets by the ids of their versions; versions that are not there are left out."""
    ids = [pack_id(version_id) for version_id in dict.fromkeys(version_ids)]
    if not ids:
        return {}
    rows = await rx.fetch(VERSIONS.format(marks(len(ids))), (rx.workspace, *ids))
    return {unpack_id(version): ShownTarget(id=unpack_id(target), kind=kind) for version, target, kind in rows}
