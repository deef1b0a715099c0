"""What a client can do, whoever stands behind it."""

from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from aloi.core.attachment import Attachment, AttachmentEntry
from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.dataset import Dataset
from aloi.core.grading import GradeRequest
from aloi.core.listing import DatasetEntry, Page, Saved
from aloi.core.result import CaseResult
from aloi.core.run import Progress, Run, RunRequest, TargetVersion
from aloi.core.score import Score, Verdict
from aloi.core.simulation import Simulations
from aloi.core.spec import JsonObject
from aloi.core.target import Target

if TYPE_CHECKING:  # who only evaluates does not import them
    from aloi.core.calibration import Calibration
    from aloi.core.comparison import Comparison
    from aloi.core.label import Label, LabelGiven


class Client(Protocol):
    """Everything that can be done with Aloi. Names, ids, unique beginnings of ids and `latest` all find a run.

    Every method may raise `InvalidInput`, `NotFound`, `Conflict`, `NotPermitted` or `StoreUnavailable`, with a message
    fit for a user; a client of a server also `NotSignedIn`, `TooMany`, `TooLarge` or `ServerUnavailable`.
    """

    @property
    def in_process(self) -> bool:
        """Whether targets are invoked in this process, so that one may be a function in its memory."""
        ...

    async def save_dataset(
        self,
        name: str,
        cases: AsyncIterable[Case],
        bindings: Sequence[Binding] | None = None,
        judge_samples: int | None = None,
        replace: bool = False,
    ) -> Saved:
        """Make the dataset, or change it: cases are matched by key, new ones added.

        All or nothing. Null leaves bindings and samples as they are; `replace` removes cases that are not given.
        """
        ...

    async def dataset(self, name: str) -> Dataset:
        """A dataset by name or id."""
        ...

    async def datasets(self) -> list[DatasetEntry]:
        """All datasets, newest first."""
        ...

    def cases(self, dataset: str) -> AsyncIterator[Case]:
        """The cases of a dataset in order, read a page at a time."""
        ...

    async def add_attachment(self, name: str, content: bytes) -> Attachment:
        """Send a file, to be named on cases by its hash; one that is there already is not stored again."""
        ...

    async def attachments(
        self, page: int = 1, size: int = 20, q: str = "", unused: bool = False
    ) -> Page[AttachmentEntry]:
        """The files that were sent, the last one first; `unused`: only those to which no case and no run refers."""
        ...

    async def delete_attachment(self, file_hash: str) -> None:
        """Delete a file to which no case and no run refers."""
        ...

    async def save_target(self, name: str, target: Target) -> TargetVersion:
        """The version with this definition: an existing one if it is the same, else the next number."""
        ...

    async def target_version(self, reference: str) -> TargetVersion:
        """A saved target: `name` (its active version) or `name@3`."""
        ...

    async def start(self, request: RunRequest) -> Run:
        """Freeze what the run needs and start it; the work goes on in the background."""
        ...

    async def start_with(
        self,
        request: RunRequest,
        cases: AsyncIterable[Case],
        bindings: Sequence[Binding],
        judge_samples: int | None = None,
        simulations: Simulations | None = None,
    ) -> Run:
        """Make the dataset that the request names hold exactly these cases and evaluators, and start the run.

        Null leaves its judge samples and its simulations as they are.

        In one step, so that nobody can change the dataset in between; when the run cannot be started, nothing is saved.
        """
        ...

    async def resume(self, run: str) -> Run:
        """Go on with a run that stopped: what is finished is not done again."""
        ...

    async def retry(self, run: str, verdicts: Sequence[Verdict]) -> Run:
        """A new run of the cases that ended so; the other results are carried over."""
        ...

    async def regrade(self, run: str) -> Run:
        """A new run that grades the same outcomes with the dataset's present evaluators; the target is not called."""
        ...

    async def cancel(self, run: str) -> Run:
        """Stop a run and keep what is finished."""
        ...

    async def wait(self, run: str, seconds: float) -> Run:
        """The run, as soon as it is finished, or after so many seconds."""
        ...

    async def run(self, run: str) -> Run:
        """A run."""
        ...

    async def runs(self, dataset: str | None = None, page: int = 1, size: int = 20) -> Page[Run]:
        """Runs, newest first."""
        ...

    async def delete_run(self, run: str) -> None:
        """Delete a run with its results; a live one is cancelled first."""
        ...

    async def progress(self, run: str) -> Progress:
        """How far a run is, from what is committed."""
        ...

    async def results(
        self, run: str, verdict: Verdict | None = None, page: int = 1, size: int = 50
    ) -> Page[CaseResult]:
        """Results in the order of the cases."""
        ...

    async def result(self, run: str, case: str, trial: int = 0) -> CaseResult:
        """One result by the case's key or id."""
        ...

    async def frozen_case(self, run: str, case: str) -> Case:
        """A case as the run froze it, by its key or id."""
        ...

    def export(self, run: str, format: str) -> AsyncIterator[str]:  # noqa: A002 - the word users know
        """A run as `json`, `csv`, `junit` or `html`, in pieces."""
        ...

    async def compare(self, a: str, b: str) -> "Comparison":
        """Run A, the baseline, against run B."""
        ...

    async def label(self, run: str, case: str, given: "LabelGiven", blind: bool = False) -> "Label":
        """Say whether a finished result deserves to pass or to fail; an earlier label is replaced.

        `blind`: whether it is given without having seen the judge's word.
        """
        ...

    async def remove_label(self, run: str, case: str, trial: int = 0) -> None:
        """Take the label of a result away."""
        ...

    async def labels(self, run: str, page: int = 1, size: int = 20) -> "Page[Label]":
        """The labels of a run, in the order of the cases."""
        ...

    async def calibration(
        self,
        target: str | None = None,
        dataset: str | None = None,
        run: str | None = None,
        page: int = 1,
        size: int = 20,
    ) -> "Page[Calibration]":
        """Each judge against people's labels and against itself, over a target, a dataset or a run; null is all."""
        ...

    async def kinds(self, family: str) -> Mapping[str, JsonObject]:
        """The kinds of `evaluators`, `targets` or `tools`: name -> description with its JSON schema."""
        ...

    async def grade(self, request: GradeRequest) -> Score:
        """Score one output with one evaluator; nothing is stored."""
        ...

    async def close(self) -> None:
        """Interrupt the runs that this client works on (they can be resumed), and release everything."""
        ...
