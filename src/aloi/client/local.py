"""The client that works in this process, over the service layer. It only hands on."""

from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from aloi.client.protocol import Client
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
from aloi.plugins import module
from aloi.service import again, attachments, datasets, kinds, runs, targets
from aloi.service.context import Context
from aloi.service.grading import grade_request
from aloi.settings import Settings

if TYPE_CHECKING:
    from aloi.core.calibration import Calibration
    from aloi.core.comparison import Comparison
    from aloi.core.label import Label, LabelGiven


def _later(name: str) -> Any:
    """A module of the service layer that a run needs nothing of: imported when it is first used."""
    return module(f"aloi.service.{name}")


class LocalClient:
    """See `Client`, method by method."""

    in_process = True

    def __init__(self, context: Context) -> None:
        self._context = context

    async def save_dataset(
        self,
        name: str,
        cases: AsyncIterable[Case],
        bindings: Sequence[Binding] | None = None,
        judge_samples: int | None = None,
        replace: bool = False,
    ) -> Saved:
        return await datasets.save(self._context, name, cases, bindings, judge_samples, replace)

    async def dataset(self, name: str) -> Dataset:
        return await datasets.get(self._context, name)

    async def datasets(self) -> list[DatasetEntry]:
        return await datasets.listing(self._context)

    def cases(self, dataset: str) -> AsyncIterator[Case]:
        return datasets.cases(self._context, dataset)

    async def add_attachment(self, name: str, content: bytes) -> Attachment:
        return (await attachments.add(self._context, name, content)).file

    async def attachments(
        self, page: int = 1, size: int = 20, q: str = "", unused: bool = False
    ) -> Page[AttachmentEntry]:
        return await attachments.page(self._context, page, size, q, unused)

    async def delete_attachment(self, file_hash: str) -> None:
        await attachments.delete(self._context, file_hash)

    async def save_target(self, name: str, target: Target) -> TargetVersion:
        return await targets.save(self._context, name, target)

    async def target_version(self, reference: str) -> TargetVersion:
        return await targets.version(self._context, reference)

    async def start(self, request: RunRequest) -> Run:
        return await runs.start(self._context, request)

    async def start_with(
        self,
        request: RunRequest,
        cases: AsyncIterable[Case],
        bindings: Sequence[Binding],
        judge_samples: int | None = None,
        simulations: Simulations | None = None,
    ) -> Run:
        return await runs.start_with(self._context, request, cases, bindings, judge_samples, simulations)

    async def resume(self, run: str) -> Run:
        return await runs.resume(self._context, run)

    async def retry(self, run: str, verdicts: Sequence[Verdict]) -> Run:
        return await again.retry(self._context, run, verdicts)

    async def regrade(self, run: str) -> Run:
        return await again.regrade(self._context, run)

    async def cancel(self, run: str) -> Run:
        return await runs.cancel(self._context, run)

    async def wait(self, run: str, seconds: float) -> Run:
        return await runs.wait(self._context, run, seconds)

    async def run(self, run: str) -> Run:
        return await runs.get(self._context, run)

    async def runs(self, dataset: str | None = None, page: int = 1, size: int = 20) -> Page[Run]:
        return await runs.listing(self._context, dataset, page, size)

    async def delete_run(self, run: str) -> None:
        await runs.delete(self._context, run)

    async def progress(self, run: str) -> Progress:
        return await runs.progress(self._context, run)

    async def results(
        self, run: str, verdict: Verdict | None = None, page: int = 1, size: int = 50
    ) -> Page[CaseResult]:
        return await runs.results_page(self._context, run, verdict, page, size)

    async def result(self, run: str, case: str, trial: int = 0) -> CaseResult:
        return await runs.result(self._context, run, case, trial)

    async def frozen_case(self, run: str, case: str) -> Case:
        return await runs.frozen_case(self._context, run, case)

    def export(self, run: str, format: str) -> AsyncIterator[str]:  # noqa: A002 - the word users know
        return _later("exporting").export(self._context, run, format)

    async def compare(self, a: str, b: str) -> "Comparison":
        return await _later("comparing").compare_runs(self._context, a, b)

    async def label(self, run: str, case: str, given: "LabelGiven", blind: bool = False) -> "Label":
        return await _later("labels").give(self._context, run, case, given, blind)

    async def remove_label(self, run: str, case: str, trial: int = 0) -> None:
        await _later("labels").remove(self._context, run, case, trial)

    async def labels(self, run: str, page: int = 1, size: int = 20) -> "Page[Label]":
        return await _later("labels").listing(self._context, run, page, size)

    async def calibration(
        self,
        target: str | None = None,
        dataset: str | None = None,
        run: str | None = None,
        page: int = 1,
        size: int = 20,
    ) -> "Page[Calibration]":
        return await _later("calibration").listing(self._context, target, dataset, run, page, size)

    async def kinds(self, family: str) -> Mapping[str, JsonObject]:
        found = kinds.described(self._context, family)
        return {info.kind: info.model_dump(mode="json", by_alias=True) for info in found}

    async def grade(self, request: GradeRequest) -> Score:
        return await grade_request(request, self._context.models, self._context.settings)

    async def close(self) -> None:
        await self._context.close()


async def open_local(settings: Settings, environ: Mapping[str, str]) -> Client:
    """A client over the database that the settings name."""
    return LocalClient(await Context.open(settings, environ))
