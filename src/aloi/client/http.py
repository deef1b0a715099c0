"""The client of a server: each method is one request, or a few, to its REST API."""

import asyncio
import time
from collections.abc import AsyncIterable, AsyncIterator, Mapping, Sequence
from typing import TypeVar

from aloi.client.paging import every
from aloi.client.protocol import Client
from aloi.client.wire import Wire, part
from aloi.core.attachment import Attachment, AttachmentEntry, check_upload
from aloi.core.binding import Binding
from aloi.core.calibration import Calibration
from aloi.core.case import Case
from aloi.core.comparison import Comparison
from aloi.core.dataset import Dataset
from aloi.core.errors import InvalidInput, NotFound
from aloi.core.grading import GradeRequest
from aloi.core.label import Label, LabelGiven
from aloi.core.listing import DatasetEntry, Page, Saved
from aloi.core.result import CaseResult
from aloi.core.run import Progress, Run, RunRequest, TargetVersion
from aloi.core.run_start import RetryStart, SuiteStart
from aloi.core.run_view import CaseDetail, RunView
from aloi.core.score import Score, Verdict
from aloi.core.simulation import Simulations
from aloi.core.spec import JsonObject
from aloi.core.target import Target

T = TypeVar("T")
LOOK_SECONDS = 0.4
# A server that is restarted takes its runs up again; who follows one waits so long for it.
PATIENCE_SECONDS = 30.0
KINDS = {"evaluators": "/api/eval/evaluator-kinds", "targets": "/api/target-kinds", "tools": "/api/tool-kinds"}


class HttpClient:
    """See `Client`, method by method. The server's rights and limits hold: a python target runs there or nowhere."""

    in_process = False

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def save_dataset(
        self,
        name: str,
        cases: AsyncIterable[Case],
        bindings: Sequence[Binding] | None = None,
        judge_samples: int | None = None,
        replace: bool = False,
    ) -> Saved:
        body = {
            "name": name,
            "cases": [case async for case in cases],
            "bindings": bindings,
            "judge_samples": judge_samples,
            "replace": replace,
        }
        return await self._wire.post("/api/eval/suites/dataset", Saved, body)

    async def dataset(self, name: str) -> Dataset:
        return await self._wire.get("/api/eval/suites/dataset", Dataset, name=name)

    async def datasets(self) -> list[DatasetEntry]:
        return [entry async for entry in self._all("/api/eval/datasets", DatasetEntry)]

    async def cases(self, dataset: str) -> AsyncIterator[Case]:
        found = await self.dataset(dataset)
        async for case in self._all(f"/api/eval/datasets/{found.id}/cases", Case):
            yield case

    async def add_attachment(self, name: str, content: bytes) -> Attachment:
        check_upload(name, len(content))
        return await self._wire.upload("/api/eval/attachments", Attachment, name, content)

    async def attachments(
        self, page: int = 1, size: int = 20, q: str = "", unused: bool = False
    ) -> Page[AttachmentEntry]:
        return await self._wire.page("/api/eval/attachments", AttachmentEntry, page, size, q=q, unused=unused)

    async def delete_attachment(self, file_hash: str) -> None:
        await self._wire.delete(f"/api/eval/attachments/{part(file_hash)}")

    async def save_target(self, name: str, target: Target) -> TargetVersion:
        definition = target.portable().to_spec()
        if definition.get("in_memory"):
            raise InvalidInput(
                f"{name} is a function of this process, which a server cannot call; evaluate it with aloi.evaluate, "
                "which calls it here and lets the server grade"
            )
        body = {"name": name, "definition": definition}
        return await self._wire.post("/api/eval/suites/target", TargetVersion, body)

    async def target_version(self, reference: str) -> TargetVersion:
        return await self._wire.get("/api/eval/suites/target", TargetVersion, name=reference)

    async def start(self, request: RunRequest) -> Run:
        body = {
            **request.limits.model_dump(),
            "target_version_id": request.target_version_id,
            "dataset_id": request.dataset,
            "case_ids": request.case_keys,
            "judge": request.judge and request.judge.model_spec,
            "evaluators": request.evaluators,
            "simulations": request.simulations,
            "allow_side_effects": request.allow_side_effects,
            "tags": request.tags,
        }
        return await self._started("/api/eval/runs", body)

    async def start_with(
        self,
        request: RunRequest,
        cases: AsyncIterable[Case],
        bindings: Sequence[Binding],
        judge_samples: int | None = None,
        simulations: Simulations | None = None,
    ) -> Run:
        given = tuple([case async for case in cases])
        body = SuiteStart(
            request=request,
            cases=given,
            bindings=tuple(bindings),
            judge_samples=judge_samples,
            simulations=simulations,
        )
        return await self._started("/api/eval/suites/runs", body)

    async def resume(self, run: str) -> Run:
        return await self._started(f"{_run(run)}/resume")

    async def retry(self, run: str, verdicts: Sequence[Verdict]) -> Run:
        return await self._started(f"{_run(run)}/retry", RetryStart(verdicts=tuple(verdicts)))

    async def regrade(self, run: str) -> Run:
        return await self._started(f"{_run(run)}/regrade")

    async def cancel(self, run: str) -> Run:
        return await self._started(f"{_run(run)}/cancel")

    async def _started(self, path: str, body: object = None) -> Run:
        return _seen(await self._wire.post(path, RunView, body))

    async def wait(self, run: str, seconds: float) -> Run:
        until = time.monotonic() + seconds
        seen = await self._look(run)
        while not seen.status.finished and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, LOOK_SECONDS))
            seen = await self._look(seen.id)
        return seen

    async def _look(self, run: str) -> Run:
        return _seen(await self._wire.get_patiently(f"{_run(run)}/state", RunView, PATIENCE_SECONDS))

    async def run(self, run: str) -> Run:
        return _seen(await self._wire.get(f"{_run(run)}/state", RunView))

    async def runs(self, dataset: str | None = None, page: int = 1, size: int = 20) -> Page[Run]:
        dataset_id = None if dataset is None else (await self.dataset(dataset)).id
        found = await self._wire.page("/api/eval/runs", RunView, page, size, dataset_id=dataset_id)
        return Page[Run](items=tuple(map(_seen, found.items)), total=found.total, page=page, size=size)

    async def delete_run(self, run: str) -> None:
        await self._wire.delete(_run(run))

    async def progress(self, run: str) -> Progress:
        return await self._wire.get_patiently(f"{_run(run)}/progress", Progress, PATIENCE_SECONDS)

    async def results(
        self, run: str, verdict: Verdict | None = None, page: int = 1, size: int = 50
    ) -> Page[CaseResult]:
        return await self._wire.page(f"{_run(run)}/whole-results", CaseResult, page, size, verdict=verdict)

    async def result(self, run: str, case: str, trial: int = 0) -> CaseResult:
        found = await self._wire.get(f"{_run(run)}/results/{part(case)}", CaseDetail, trial=trial)
        return found.whole_result

    async def frozen_case(self, run: str, case: str) -> Case:
        return await self._wire.get(f"{_run(run)}/cases/{part(case)}", Case)

    def export(self, run: str, format: str) -> AsyncIterator[str]:  # noqa: A002 - the word users know
        return self._wire.stream(f"{_run(run)}/export", format=format)

    async def compare(self, a: str, b: str) -> Comparison:
        return await self._wire.get("/api/eval/compare", Comparison, a=a, b=b)

    async def label(self, run: str, case: str, given: LabelGiven, blind: bool = False) -> Label:
        return await self._wire.put(f"{_run(run)}/results/{part(case)}/label?blind={int(blind)}", Label, given)

    async def remove_label(self, run: str, case: str, trial: int = 0) -> None:
        await self._wire.delete(f"{_run(run)}/results/{part(case)}/label?trial={trial}")

    async def labels(self, run: str, page: int = 1, size: int = 20) -> Page[Label]:
        return await self._wire.page(f"{_run(run)}/labels", Label, page, size)

    async def calibration(
        self,
        target: str | None = None,
        dataset: str | None = None,
        run: str | None = None,
        page: int = 1,
        size: int = 20,
    ) -> Page[Calibration]:
        scope = {"target_id": target, "dataset_id": dataset, "run_id": run}
        return await self._wire.page("/api/eval/calibration", Calibration, page, size, **scope)

    async def kinds(self, family: str) -> Mapping[str, JsonObject]:
        if family not in KINDS:
            raise InvalidInput(f"there is no family {family!r} of kinds; the families are: {', '.join(KINDS)}")
        return {str(info["kind"]): info for info in await self._wire.get(KINDS[family], list[JsonObject])}

    async def grade(self, request: GradeRequest) -> Score:
        return await self._wire.post("/api/eval/grade", Score, request)

    async def close(self) -> None:
        await self._wire.close()

    def _all(self, path: str, item: type[T]) -> AsyncIterator[T]:
        """Every item of a list, read a page at a time."""
        return every(lambda number, size: self._wire.page(path, item, number, size))


def _run(ref: str) -> str:
    if not ref:
        raise NotFound("there is no run ''; name it by its id, a unique beginning of it, or `latest`")
    return f"/api/eval/runs/{part(ref)}"


def _seen(view: RunView) -> Run:
    """The run as every client shows it. Which process of the server works on it is the server's affair."""
    held = not (view.interrupted or view.status.finished)
    return Run(
        id=view.id,
        spec=view.spec,
        target_name=view.target_name,
        target_version=view.target_version,
        dataset_id=view.dataset_id,
        dataset_name=view.dataset_name,
        status=view.status,
        holder="the server" if held else None,
        reason=view.reason,
        total=view.total,
        skipped=view.skipped,
        summary=view.summary,
        started_by=view.started_by,
        created_at=view.created_at,
        started_at=view.started_at,
        finished_at=view.finished_at,
    )


def open_http(server: str, token: str | None) -> Client:
    """A client of the server at an address.

    Raises:
        InvalidInput: it is no address.
    """
    return HttpClient(Wire(server, token))
