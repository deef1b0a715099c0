"""What of the frozen cases of a run is shown beside its results."""

from collections.abc import Collection

from pydantic_core import from_json

from aloi.core.run_view import ShownCase
from aloi.store.connection import Connection, marks
from aloi.store.run_rows import own_run

CASES = """
SELECT p.key, p.name, s.body FROM revision_cases p JOIN case_snapshots s ON s.hash = p.hash
WHERE p.revision_id = (SELECT revision_id FROM runs WHERE id = ? AND workspace_id = ?) AND p.key IN ({})"""


async def shown(rx: Connection, run_id: str, keys: Collection[str]) -> dict[str, ShownCase]:
    """Name and input of a run's cases by their keys; keys that it has not are left out."""
    if not keys:
        return {}
    rows = await rx.fetch(CASES.format(marks(len(keys))), (*own_run(rx, run_id), *keys))
    return {key: ShownCase(name=name, input=from_json(body)["input"]) for key, name, body in rows}
