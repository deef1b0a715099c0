"""Saved evaluators that were there before they had versions."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.core.binding import Binding
from aloi.store import datasets, evaluator_versions, evaluators
from aloi.store.codec import pack_id, pack_time
from aloi.store.connection import FIRST
from aloi.store.database import Database
from tests.store.backends import BACKENDS, fresh
from tests.store.engines.test_migrated_data import move, opened
from tests.store.samples import NOW, new_id

SPEC = '{"kind":"contains","text":"é"}'


@pytest.fixture(params=BACKENDS)
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """A database of the version before."""
    async with fresh(request, tmp_path) as where:
        await move(where, "0009", up=True)
        yield where


async def bindings_of(address: str) -> list[str]:
    backend = await opened(address)
    async with backend.read() as rx:
        rows = await rx.fetch("SELECT bindings FROM datasets ORDER BY name")
    await backend.close()
    return [row[0] for row in rows]


async def test_what_one_says_becomes_its_version_1(address: str) -> None:
    evaluator_id = new_id()
    await fill(address, evaluator_id)
    before = await bindings_of(address)
    db = await Database.open(address)
    async with db.read() as rx:
        found = await evaluators.get(rx, evaluator_id)
        [version] = await evaluator_versions.page(rx, evaluator_id, 0, 9)
        bound = (await datasets.get(rx, "some")).bindings
    await db.close()
    assert (found.version, found.target_id, found.datasets) == (1, None, 1)
    assert (version.number, version.spec, version.created_by, version.created_at) == (1, found.spec, "", NOW)
    assert bound == (Binding(name="here", spec={"kind": "x"}), found.bound(0.5))
    await move(address, "0009", up=False)
    assert await bindings_of(address) == before


async def fill(address: str, evaluator_id: str) -> None:
    """An evaluator, a dataset that binds it, and one that does not."""
    here = '{"name":"here","weight":1.0,"spec":{"kind":"x"},"evaluator_id":null}'
    saved = f'{{"name":"a","weight":0.5,"spec":{SPEC},"evaluator_id":"{evaluator_id}"}}'
    now = pack_time(NOW)
    backend = await opened(address)
    async with backend.transaction() as tx:
        await tx.execute(
            "INSERT INTO evaluators (id, workspace_id, name, description, spec, created_at, updated_at)"
            " VALUES (?, ?, 'a', '', ?, ?, ?)",
            (pack_id(evaluator_id), FIRST, SPEC, now, now),
        )
        for name, bindings in (("none", f"[{here}]"), ("some", f"[{here},{saved}]")):
            await tx.execute(
                "INSERT INTO datasets (id, workspace_id, name, description, judge_samples, bindings, simulations,"
                " created_at, updated_at) VALUES (?, ?, ?, '', 1, ?, '{}', ?, ?)",
                (pack_id(new_id()), FIRST, name, bindings, now, now),
            )
    await backend.close()
