"""Judges against people and against themselves, from what is stored."""

import asyncio
from collections import defaultdict
from typing import NamedTuple

from aloi.core.calibration import Calibration, JudgedRun, JudgeTally, Part, calibration
from aloi.core.errors import AloiError
from aloi.core.evaluator import Evaluator
from aloi.core.identity import canonical_json
from aloi.core.label import LabelVerdict
from aloi.core.listing import Page
from aloi.core.ruling import JudgeIdentity, Judges, RuledResult
from aloi.core.run import Run, RunStatus
from aloi.core.score import Verdict
from aloi.core.spec import JsonObject
from aloi.plugins import build
from aloi.service.context import Context
from aloi.service.runs import offset_of
from aloi.store import datasets, revisions, rulings, runs, targets
from aloi.store.connection import Connection
from aloi.store.rulings import LabelledRuling, Scope

RESULTS_READ = 50_000
"""Results that self-agreement is counted on, about: judged runs are read, newest first, until there are as many."""
RUNS_AT_ONCE = 50


async def listing(
    context: Context, target: str | None, dataset: str | None, run: str | None, page: int, size: int
) -> Page[Calibration]:
    """A page of the judges that judged in a scope, the most labelled first.

    Args:
        target, dataset: by id or name; null lets all through.
        run: by id, the beginning of it, or `latest`; null lets all through.

    Raises:
        NotFound: there is no such target, dataset or run.
        InvalidInput: there is no such page, or several runs begin so.
    """
    offset = offset_of(page, size)
    async with context.database.read() as rx:
        scope = Scope(
            target_id=None if target is None else (await targets.get(rx, target)).id,
            dataset_id=None if dataset is None else (await datasets.get(rx, dataset)).id,
            run_id=None if run is None else (await runs.get(rx, run)).id,
        )
        counting = _Counting(rx, scope)
        await counting.count_runs()
        await counting.count_labels()
    tallies = sorted(counting.tallies.values(), key=lambda tally: -tally.labelled)  # of equals the latest stays first
    shown = tallies[offset : offset + size]
    # In a thread: agreement over many results takes a while, and other work of this process must go on.
    items = await asyncio.to_thread(lambda: [calibration(tally, counting.older_runs) for tally in shown])
    return Page[Calibration](items=tuple(items), total=len(tallies), page=page, size=size)


def completed(spec: JsonObject) -> JsonObject:
    """A judge's spec with its kind's defaults; one that does not fit its kind (any more) stays as it is."""
    try:
        evaluator = build("evaluators", spec, Evaluator)
    except AloiError:
        return spec
    return {"kind": evaluator.kind, **evaluator.model_dump(mode="json")}


class _Compared(NamedTuple):
    """What is compared for one output and one judge: the last label of it."""

    given_at: int
    label: LabelVerdict
    verdict: Verdict
    alone: bool


class _Counting:
    """Counts what is stored of a scope. `tallies`: by the hash of the judge, those of the latest runs first."""

    def __init__(self, rx: Connection, scope: Scope) -> None:
        self._rx = rx
        self._scope = scope
        self._specs: dict[str, JsonObject] = {}
        self._judges: dict[str, Judges] = {}
        self.tallies: dict[str, JudgeTally] = {}
        self.older_runs = 0

    async def count_runs(self) -> None:
        """Count the samples of the judged results, and the parts of the runs, newest first."""
        read = seen = 0
        while read < RESULTS_READ and (page := await rulings.runs_in(self._rx, self._scope, seen, RUNS_AT_ONCE)):
            for run in page:
                if read >= RESULTS_READ:
                    break
                seen += 1
                read += await self._count_run(run) if run.spec.judge is not None else 0
        self.older_runs = await rulings.count_runs(self._rx, self._scope) - seen

    async def _count_run(self, run: Run) -> int:
        """Count one run; how many results it has."""
        judges = await self._judges_of(run)
        whole, exact, number = Part(), Part(), 0
        alone: defaultdict[str, Part] = defaultdict(Part)
        async for stored in rulings.of_run(self._rx, run.id):
            result = stored.result
            number += 1
            whole = whole.plus(result.verdict)
            if not any(map(judges.is_judge, result.deciding)):
                exact = exact.plus(result.verdict)
            for ruling, judge in judges.rulings(result):
                tally = self._tally(judge)
                part = alone[judge.hash]
                alone[judge.hash] = part.plus(result.verdict) if result.deciding == (ruling,) else part
                # A copy is counted where it was judged, unless the run is looked at alone.
                if ruling.votes and (self._scope.run_id is not None or not stored.copied):
                    tally.ballots[sum(ruling.votes), len(ruling.votes)] += 1
        if run.status is RunStatus.COMPLETED:
            for hashed, part in alone.items():
                self.tallies[hashed].runs.append(JudgedRun(run, whole, part, exact))
        return number

    async def count_labels(self) -> None:
        """Count the labelled results: an output that was labelled several times by its last label."""
        last: dict[tuple[str, bytes], _Compared] = {}
        known: dict[str, Run] = {}
        async for labelled in rulings.labelled(self._rx, self._scope):
            if labelled.result.verdict is Verdict.ERROR:
                continue
            if labelled.run_id not in known:
                known |= await rulings.runs_of(self._rx, [labelled.run_id])
            judges = await self._judges_of(known[labelled.run_id])
            for judge, compared in _compared(judges, labelled):
                self._tally(judge)
                place = judge.hash, labelled.execution
                if place not in last or last[place].given_at <= compared.given_at:
                    last[place] = compared
        for (hashed, _), compared in last.items():
            tally = self.tallies[hashed]
            if compared.alone:
                tally.cells[compared.verdict, compared.label] += 1
            else:
                tally.left_out += 1

    def _tally(self, judge: JudgeIdentity) -> JudgeTally:
        if judge.hash not in self.tallies:
            self.tallies[judge.hash] = JudgeTally(judge)
        return self.tallies[judge.hash]

    async def _judges_of(self, run: Run) -> Judges:
        if run.id not in self._judges:
            revision = await revisions.get(self._rx, run.spec.revision_id)
            own = await rulings.own_rules(self._rx, revision.id)
            self._judges[run.id] = Judges(run.spec, revision.bindings, own, self._completed)
        return self._judges[run.id]

    def _completed(self, spec: JsonObject) -> JsonObject:
        """As `completed`, once for each spec: cases may have one each, and often the same."""
        text = canonical_json(spec)
        if text not in self._specs:
            self._specs[text] = completed(spec)
        return self._specs[text]


def _compared(judges: Judges, labelled: LabelledRuling) -> list[tuple[JudgeIdentity, _Compared]]:
    """What a label says of each judge of its result."""
    result: RuledResult = labelled.result
    return [
        (judge, _Compared(labelled.given_at, labelled.label, ruling.verdict, result.deciding == (ruling,)))
        for ruling, judge in judges.rulings(result)
    ]
