"""What gates must say, worked out by a model that knows neither the store nor the service."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

ALLOW, BELOW, UNDECIDED = "allow", "below", "undecided"


@dataclass
class DatasetModel:
    """A dataset: its cases with their variants and whether they are on, how they are graded, the judge samples."""

    cases: dict[str, tuple[int, bool]]
    weight: int = 1
    judged: bool = False
    samples: int = 1

    @property
    def on(self) -> dict[str, int]:
        """The cases that run, with their variants."""
        return {key: variant for key, (variant, enabled) in self.cases.items() if enabled}

    @property
    def revision(self) -> object:
        """What a run on it would freeze."""
        return (*self.on.items(), self.weight, self.judged)


class Counts(NamedTuple):
    """How the trials of a run ended."""

    passed: int
    failed: int
    errors: int

    def ruling(self, threshold: Fraction) -> str:
        """What a threshold makes of them."""
        total = sum(self)
        if total and Fraction(self.passed, total) >= threshold:
            return ALLOW
        return BELOW if total and Fraction(self.passed + self.errors, total) < threshold else UNDECIDED


@dataclass
class CountedRun:
    """A complete run that came to its end, with what it froze."""

    run_id: str
    version: int
    dataset: str
    revision: object
    samples: int | None
    counts: Counts
    root: str
    deleted: bool = False


class Said(NamedTuple):
    """What a policy says: the standing, the ruling, the run that it shows, and whether that was deleted."""

    standing: str
    ruling: str
    run_id: str | None
    deleted: bool


@dataclass
class GateModel:
    """A target with its versions, which are numbered from 1, and its gate."""

    datasets: dict[str, DatasetModel]
    policies: dict[str, tuple[float, bool]] = field(default_factory=dict[str, tuple[float, bool]])
    counted: list[CountedRun] = field(default_factory=list[CountedRun])
    overrides: list[int] = field(default_factory=list[int])
    versions: int = 1
    active: int = 1

    def ended(
        self, run_id: str, version: int, dataset: str, frozen: DatasetModel, counts: Counts, parent: str = ""
    ) -> None:
        """A complete run came to its end. What is in error was never judged. `parent`: the run that it retries."""
        root = next((run.root for run in self.counted if run.run_id == parent), run_id)
        samples = frozen.samples if frozen.judged and counts.passed + counts.failed else None
        self.counted.append(CountedRun(run_id, version, dataset, frozen.revision, samples, counts, root))

    def deleted(self, run_id: str) -> None:
        """A run was deleted."""
        for run in self.counted:
            run.deleted |= run.run_id == run_id

    def says(self, version: int, dataset: str) -> Said:
        """What the policy on a dataset says of a version."""
        threshold = Fraction(self.policies[dataset][0])
        now = self.datasets[dataset]
        order = [run.run_id for run in self.counted]
        runs = [run for run in self.counted if (run.version, run.dataset) == (version, dataset)]
        runs.sort(key=lambda run: (order.index(run.root), order.index(run.run_id)))
        fitting = [run for run in runs if run.revision == now.revision and run.samples in (None, now.samples)]
        if fitting:
            last = fitting[-1]
            return Said("found", last.counts.ruling(threshold), last.run_id, last.deleted)
        if runs:
            return Said("stale", UNDECIDED, runs[-1].run_id, runs[-1].deleted)
        return Said("missing", UNDECIDED, None, False)

    def allows(self, version: int) -> bool:
        """Whether a version may become active."""
        on = [dataset for dataset, (_, enabled) in self.policies.items() if enabled]
        return all(self.says(version, dataset).ruling == ALLOW for dataset in on)

    def activate(self, version: int, override: bool = False, owner: bool = True) -> str:
        """Try to make a version active; `done`, `refused` or `forbidden`."""
        if override and not owner:
            return "forbidden"
        if version != self.active and not self.allows(version):
            if not override:
                return "refused"
            self.overrides.append(version)
        self.active = version
        return "done"
