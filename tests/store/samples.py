"""Stored things to test with: ids in order, a target, a dataset, a run with its places."""

import itertools
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.dataset import Dataset, DatasetRevision
from aloi.core.identity import uuid7
from aloi.core.outcome import Failure, Outcome
from aloi.core.result import CaseResult, case_result
from aloi.core.run import Run, RunSpec, TargetVersion
from aloi.core.score import Score, Verdict
from aloi.core.usage import Usage
from aloi.store import cases, datasets, revisions, runs, targets
from aloi.store.batches import batched
from aloi.store.codec import pack_id
from aloi.store.connection import Connection
from aloi.store.database import Database
from aloi.store.results import GradedRow, InvokedRow

NOW = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=UTC)
HASH = "ab" * 32
OTHER_WORKSPACE = "00000000-0000-7000-8000-000000000002"
CONTAINS = Binding.model_validate({"kind": "contains", "text": "Paris"})
_numbers = itertools.count(1)


def new_id() -> str:
    """An id that no other call of this process gives; later ones sort behind."""
    return uuid7(next(_numbers), b"0123456789")


def some_cases(*keys: str) -> list[Case]:
    """One small case per key."""
    return [Case(key=key, name=f"Case {key}", input=f"Question {key}", tags=("a",)) for key in keys]


def bulk(count: int, size: int) -> list[Case]:
    """So many cases with inputs of so many characters."""
    return [Case(key=str(n), input="x" * size) for n in range(count)]


async def by_id(given: Iterable[Case]) -> AsyncIterator[dict[str, Case]]:
    """The cases in batches by their ids, as what freezes them takes them."""
    async for batch in batched(given):
        yield {case.id: case for case in batch}


async def another_workspace(db: Database) -> Database:
    """The database seen from a second workspace, which is created."""
    async with db.transaction() as tx:
        await tx.execute("INSERT INTO workspaces (id, name) VALUES (?, 'other')", (pack_id(OTHER_WORKSPACE),))
    return db.in_workspace(OTHER_WORKSPACE)


async def a_version(tx: Connection, name: str = "bot") -> TargetVersion:
    """A version of a target."""
    target = await targets.ensure(tx, name, "openai", new_id, NOW)
    return await targets.add_version(tx, target, {"kind": "openai", "model": "m"}, {}, HASH, new_id, NOW)


async def a_dataset(tx: Connection, name: str = "questions", given: Iterable[Case] = ()) -> Dataset:
    """A dataset with its cases."""
    dataset = Dataset(id=new_id(), name=name, bindings=(CONTAINS,), created_at=NOW, updated_at=NOW)
    await datasets.create(tx, dataset)
    await cases.upsert_many(tx, dataset.id, given, new_id)
    return dataset


@dataclass(frozen=True)
class Stored:
    """A run that was stored, with what it refers to; `cases` are those of its revision."""

    run: Run
    version: TargetVersion
    dataset: Dataset
    revision: DatasetRevision
    cases: Sequence[Case]

    def invoked(self, position: int, trial: int = 0, outcome: Outcome | None = None) -> InvokedRow:
        """An execution of a case, with an id that its place gives."""
        return InvokedRow(
            position,
            trial,
            self.execution_id(position, trial),
            self.version.id,
            NOW,
            outcome or answer(f"Answer {position}"),
        )

    def graded(self, position: int, trial: int = 0, verdict: Verdict = Verdict.PASS) -> GradedRow:
        """A result for `invoked`."""
        result = self.result(position, trial, verdict)
        return GradedRow(position, trial, self.execution_id(position, trial), result)

    def result(self, position: int, trial: int = 0, verdict: Verdict = Verdict.PASS) -> CaseResult:
        """The result of a case."""
        case = self.cases[position]
        return case_result(case.id, case.key, trial, answer(f"Answer {position}"), [score(verdict)])

    def execution_id(self, position: int, trial: int) -> str:
        """An id that is the same for the same place of the same run."""
        return self.run.id[:24] + f"{position:06x}{trial:06x}"


def answer(text: str) -> Outcome:
    """An outcome with usage."""
    return Outcome(output=text, usage=Usage(calls=1, input_tokens=10, output_tokens=3, cost=0.5), latency=0.25)


def score(verdict: Verdict) -> Score:
    """A score of that verdict, with what an error needs."""
    if verdict is Verdict.ERROR:
        failure = Failure(stage="grade", type="bad_reply", message="no verdict")
        return Score(evaluator="judge", kind="judge", verdict=verdict, explanation="no verdict", failure=failure)
    value = 1.0 if verdict is Verdict.PASS else 0.0
    return Score(evaluator="contains", kind="contains", value=value, verdict=verdict, explanation=f"so it {verdict}")


async def a_run(
    db: Database,
    keys: Sequence[str] = ("a", "b", "c"),
    parent: Stored | None = None,
    changes: Mapping[str, object] | None = None,
) -> Stored:
    """A stored run over a frozen dataset, its own or that of the run it retries; `changes` are fields of the run."""
    async with db.transaction() as tx:
        if parent is None:
            version = await a_version(tx)
            dataset = await a_dataset(tx, name=f"dataset {new_id()}", given=some_cases(*keys))
        else:
            version, dataset = parent.version, parent.dataset
        revision = await revisions.freeze(tx, dataset, dataset.bindings, cases.pages(tx, dataset.id), new_id, NOW)
        spec = RunSpec(
            target_version_id=version.id, revision_id=revision.id, parent_id=parent.run.id if parent else None
        )
        run = Run(
            id=new_id(),
            spec=spec,
            target_name=version.target_name,
            target_version=version.number,
            dataset_id=dataset.id,
            dataset_name=dataset.name,
            total=revision.case_count,
            created_at=NOW,
        ).model_copy(update=changes)
        await runs.insert(tx, run)
        placed = await revisions.cases(tx, revision.id, limit=10_000)
    return Stored(run, version, dataset, revision, [case for _, case in placed])
