"""What of a run's frozen cases is shown beside its results."""

from pathlib import Path

from aloi.blobs.folder import FolderBlobs
from aloi.core.run_view import ShownCase
from aloi.llm.models import Models
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.store import run_cases
from aloi.store.database import Database
from tests.service.started_runs import Gate, finished, save, start

CASES = [{"key": "a", "name": "First", "prompt": "x"}, {"key": "b", "input": {"q": "é"}}, {"key": "c", "prompt": ""}]


async def test_name_and_input_by_key(db: Database, tmp_path: Path) -> None:
    settings, blobs = Settings(home=tmp_path), FolderBlobs(tmp_path / "attachments")
    context = Context(settings=settings, environ={}, database=db, models=Models({}), blobs=blobs)
    await save(context, CASES)
    run = await finished(context, await start(context, Gate(3)))
    async with context.database.read() as rx:
        found = await run_cases.shown(rx, run.id, {"a", "b", "none"})
        nothing = await run_cases.shown(rx, run.id, ())
    assert found == {"a": ShownCase(name="First", input="x"), "b": ShownCase(name="", input={"q": "é"})}
    assert nothing == {}
