"""Policies, and the figures of complete runs."""

from collections.abc import Mapping
from datetime import timedelta

import pytest

from aloi.core.dataset import Dataset
from aloi.core.errors import Conflict, NotFound
from aloi.core.gate import DatasetGate, GateRun
from aloi.core.run import JudgeSpec
from aloi.core.summary import summarise
from aloi.store import datasets, gates, runs, targets
from aloi.store.codec import pack_id
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import HASH, NOW, Stored, a_dataset, a_run, a_version, another_workspace, new_id

NOTHING = summarise([])


def policy(dataset: Dataset, threshold: float = 0.8, enabled: bool = True) -> DatasetGate:
    return DatasetGate(dataset_id=dataset.id, threshold=threshold, enabled=enabled)


async def counted(
    tx: Connection, stored: Stored, passed: int, minutes: int = 0, samples: int | None = None, judged: int = 1
) -> GateRun:
    """The figures of a run that was counted so many minutes after NOW, judged with so many samples."""
    judge = None if samples is None else JudgeSpec(model="openai:m", samples=samples)
    spec = stored.run.spec.model_copy(update={"judge": judge})
    summary = NOTHING.model_copy(update={"passed": passed, "failed": 2, "errors": 1, "judged": judged})
    at = NOW + timedelta(minutes=minutes)
    await gates.count_run(tx, stored.run.model_copy(update={"spec": spec}), summary, at)
    return GateRun(run_id=stored.run.id, passed=passed, failed=2, errors=1, finished_at=at)


async def again(db: Database, stored: Stored, changes: Mapping[str, object] | None = None) -> Stored:
    """Another run of the same version on the same dataset."""
    return await a_run(db, parent=stored, changes=changes)


async def present(rx: Connection, stored: Stored, revision: str | None = None, samples: int = 1) -> GateRun | None:
    dataset = stored.dataset.model_copy(update={"judge_samples": samples})
    return await gates.latest_present(rx, stored.version.id, dataset, revision or stored.revision.content_hash)


class TestPolicies:
    async def test_they_are_replaced_whole(self, db: Database):
        async with db.transaction() as tx:
            version = await a_version(tx)
            one, two = await a_dataset(tx, "one"), await a_dataset(tx, "two")
            assert await gates.policies(tx, version.target_id) == []
            given = [policy(one, 0.07), policy(two, 1, enabled=False)]
            await gates.replace(tx, version.target_id, given[::-1])
            assert await gates.policies(tx, version.target_id) == given
            await gates.replace(tx, version.target_id, [policy(two)])
            assert await gates.policies(tx, version.target_id) == [policy(two)]
            await gates.replace(tx, version.target_id, [])
            assert await gates.policies(tx, version.target_id) == []

    async def test_a_dataset_is_there_and_named_once(self, db: Database):
        async with db.transaction() as tx:
            version, data = await a_version(tx), await a_dataset(tx)
        for given in ([policy(data), policy(data)], [DatasetGate(dataset_id=new_id(), threshold=1)]):
            with pytest.raises(Conflict):
                async with db.transaction() as tx:
                    await gates.replace(tx, version.target_id, given)

    async def test_whose_gate_is_on_a_dataset(self, db: Database):
        async with db.transaction() as tx:
            data, other = await a_dataset(tx, "data"), await a_dataset(tx, "other")
            for name in ("zoe", "ann"):
                version = await a_version(tx, name)
                await gates.replace(tx, version.target_id, [policy(data, enabled=name == "ann")])
            assert await gates.targets_on(tx, data.id) == ["ann", "zoe"]
            assert await gates.targets_on(tx, other.id) == []

    async def test_the_database_keeps_a_dataset_that_a_gate_is_on(self, db: Database):
        async with db.transaction() as tx:
            version, data = await a_version(tx), await a_dataset(tx)
            await gates.replace(tx, version.target_id, [policy(data)])
        with pytest.raises(Conflict):
            async with db.transaction() as tx:
                await datasets.delete(tx, data.id)

    async def test_another_workspace_sees_and_changes_nothing(self, db: Database):
        other = await another_workspace(db)
        async with db.transaction() as tx:
            version, data = await a_version(tx), await a_dataset(tx)
            await gates.replace(tx, version.target_id, [policy(data)])
        async with other.transaction() as tx:
            assert await gates.policies(tx, version.target_id) == []
            assert await gates.targets_on(tx, data.id) == []
            await gates.replace(tx, version.target_id, [])
        async with db.read() as rx:
            assert await gates.policies(rx, version.target_id) == [policy(data)]


class TestRuns:
    async def test_the_one_that_finished_last_stands(self, db: Database):
        stored = await a_run(db)
        later = await again(db, stored)
        async with db.transaction() as tx:
            assert await gates.latest(tx, stored.version.id, stored.dataset.id) is None
            assert await present(tx, stored) is None
            last = await counted(tx, stored, 9, minutes=2)
            await counted(tx, later, 8, minutes=1)
            assert await gates.latest(tx, stored.version.id, stored.dataset.id) == last
            assert await present(tx, stored) == last
            stored = await counted(tx, await sooner(tx, later), 7, minutes=2)
            assert await present(tx, later) == stored  # at the same time: the newer run

    async def test_of_one_that_ends_again_the_last_figures_stand(self, db: Database):
        stored = await a_run(db)
        async with db.transaction() as tx:
            await counted(tx, stored, 9, minutes=5)
            last = await counted(tx, stored, 8, minutes=1)
            assert await present(tx, stored) == last

    async def test_only_the_present_revision_counts(self, db: Database):
        stored = await a_run(db)
        async with db.transaction() as tx:
            figures = await counted(tx, stored, 9)
            assert await present(tx, stored, HASH) is None
            assert await gates.latest(tx, stored.version.id, stored.dataset.id) == figures

    @pytest.mark.parametrize(("samples", "now", "counts"), [(1, 1, True), (3, 3, True), (3, 1, False), (1, 2, False)])
    async def test_only_the_present_judge_samples_count(self, db: Database, samples: int, now: int, counts: bool):
        stored = await a_run(db)
        async with db.transaction() as tx:
            figures = await counted(tx, stored, 9, samples=samples)
            assert await present(tx, stored, samples=now) == (figures if counts else None)

    async def test_one_without_a_judge_fits_any_samples(self, db: Database):
        stored = await a_run(db)
        async with db.transaction() as tx:
            figures = await counted(tx, stored, 9)
            assert await present(tx, stored, samples=5) == figures

    async def test_nor_do_they_matter_where_the_model_judged_nothing(self, db: Database):
        stored = await a_run(db)
        async with db.transaction() as tx:
            figures = await counted(tx, stored, 9, samples=1, judged=0)
            assert await present(tx, stored, samples=5) == figures

    async def test_its_figures_outlive_it(self, db: Database):
        stored = await a_run(db)
        async with db.transaction() as tx:
            figures = await counted(tx, stored, 9)
            await runs.delete(tx, stored.run.id)
            assert await present(tx, stored) == figures.model_copy(update={"deleted": True})

    async def test_other_versions_datasets_and_workspaces_have_their_own(self, db: Database):
        other = await another_workspace(db)
        stored = await a_run(db)
        async with db.transaction() as tx:
            await counted(tx, stored, 9)
            version, dataset = await a_version(tx, "other"), await a_dataset(tx, "other")
            assert await gates.latest(tx, version.id, stored.dataset.id) is None
            assert await gates.latest(tx, stored.version.id, dataset.id) is None
        async with other.read() as rx:
            assert await gates.latest(rx, stored.version.id, stored.dataset.id) is None
            assert await present(rx, stored) is None

    async def test_a_target_takes_its_gate_along(self, db: Database):
        stored = await a_run(db)
        async with db.transaction() as tx:
            await counted(tx, stored, 9)
            await gates.replace(tx, stored.version.target_id, [policy(stored.dataset)])
            await runs.delete(tx, stored.run.id)
            await targets.delete(tx, stored.version.target_id)
            assert await tx.fetch("SELECT * FROM gate_runs") == await tx.fetch("SELECT * FROM gate_policies") == []
            await datasets.delete(tx, stored.dataset.id)
        with pytest.raises(NotFound):
            async with db.read() as rx:
                await targets.get(rx, stored.version.target_id)


async def sooner(tx: Connection, stored: Stored) -> Stored:
    """A run that is newer than all others, of the same version and dataset."""
    run = stored.run.model_copy(update={"id": new_id()})
    await runs.insert(tx, run)
    assert pack_id(run.id) > pack_id(stored.run.id)
    return Stored(run, stored.version, stored.dataset, stored.revision, stored.cases)
