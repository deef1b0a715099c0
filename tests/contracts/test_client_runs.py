"""The contract of `Client`, its second part: the life of runs."""

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from aloi.client.protocol import Client
from aloi.core.binding import Binding
from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.core.run import RunRequest, RunStatus
from aloi.core.score import Verdict
from aloi.core.simulation import Simulations
from aloi.core.target import Target
from aloi.plugins import build
from tests.contracts.clients import (
    CLIENTS,
    CONTAINS,
    UNKNOWN,
    begin,
    each,
    echo,
    ended,
    prompts,
    recorded,
    replay,
    save,
)
from tests.model_server import ModelServer


class TestRuns:
    async def test_start_wait_and_read(self, client: Client, model_server: ModelServer) -> None:
        await save(client, "a", "b")
        run = await begin(client, echo(model_server), tags=["nightly"])
        assert (run.total, run.spec.tags, run.dataset_name, run.target) == (2, ("nightly",), "data", "bot@1")
        run = await ended(client, run)
        assert run.status is RunStatus.COMPLETED
        assert run.summary is not None and run.summary.passed == 2
        assert await client.run(run.id) == run
        assert await client.run("latest") == run
        assert await client.run(run.id[:20]) == run
        progress = await client.progress(run.id)
        assert (progress.total, progress.passed, progress.failed, progress.errors) == (2, 2, 0, 0)
        assert progress.tokens > 0

    async def test_a_judged_run(self, client: Client, model_server: ModelServer) -> None:
        judge = {"model": "openai:judge-alternate", "base_url": model_server.url}
        cases = each([{"key": "a", "prompt": "x", "expected_behavior": "It is kind."}])
        await client.save_dataset("data", cases, judge_samples=3)
        run = await ended(client, await begin(client, replay(a="dear friend"), judge=judge))
        assert run.spec.judge is not None and run.spec.judge.samples == 3
        assert run.summary is not None
        assert (run.summary.judged, run.summary.disagreed, run.summary.judge_noise) == (1, 1, True)

    async def test_what_cannot_be_started(self, client: Client) -> None:
        version = await client.save_target("bot", replay(a="1"))
        with pytest.raises(NotFound, match="no dataset 'data'"):
            await client.start(RunRequest(target_version_id=version.id, dataset="data"))
        await client.save_dataset("data", each([]))
        with pytest.raises(InvalidInput, match="no case to run"):
            await client.start(RunRequest(target_version_id=version.id, dataset="data"))
        await save(client, "a")
        with pytest.raises(NotFound, match="no target version"):
            await client.start(RunRequest(target_version_id=UNKNOWN, dataset="data"))
        with pytest.raises(InvalidInput, match="not all of the cases"):
            await client.start(RunRequest(target_version_id=version.id, dataset="data", case_keys=("z",)))
        await client.save_dataset("data", each([{"key": "j", "prompt": "x", "expected_behavior": "y"}]))
        with pytest.raises(InvalidInput, match="need a judge"):
            await client.start(RunRequest(target_version_id=version.id, dataset="data"))
        assert (await client.runs()).total == 0

    async def test_start_with_fills_the_dataset_and_starts_in_one_step(self, client: Client) -> None:
        await save(client, "old", judge_samples=3)
        version = await client.save_target("bot", replay(a="ok"))
        request = RunRequest(target_version_id=version.id, dataset="data")
        run = await ended(client, await client.start_with(request, each(prompts("a", "b")), CONTAINS))
        assert run.summary is not None and (run.summary.passed, run.summary.errors) == (1, 1)
        assert [case.key async for case in client.cases("data")] == ["a", "b"]
        assert (await client.dataset("data")).judge_samples == 3
        fresh = RunRequest(target_version_id=version.id, dataset="fresh")
        await ended(client, await client.start_with(fresh, each(prompts("a")), CONTAINS, judge_samples=5))
        assert (await client.dataset("fresh")).judge_samples == 5

    async def test_simulations_of_the_dataset_and_of_a_run(self, client: Client, model_server: ModelServer) -> None:
        def fixed(number: int) -> Simulations:
            answer = {"kind": "static", "answers": [{"output": number, "when": [{"path": "$", "not_equals": None}]}]}
            return TypeAdapter[Simulations](Simulations).validate_python({"calculator": answer})

        model = {"model": 'openai:tool-once:calculator:{"expression": "1 + 1"}', "base_url": model_server.url}
        definition = {"kind": "agent", **model, "tools": ["calculator"], "side_effects": ["calculator"]}
        version = await client.save_target("agent", build("targets", definition, Target))
        request = RunRequest(target_version_id=version.id, dataset="data")
        answered = (Binding.model_validate({"kind": "contains", "text": "answer"}),)
        first = await ended(
            client, await client.start_with(request, each(prompts("a")), answered, simulations=fixed(7))
        )
        assert (await client.result(first.id, "a")).outcome.output == "The answer is 7."
        assert (await client.dataset("data")).simulations == fixed(7)
        kept = await ended(client, await client.start_with(request, each(prompts("a")), answered))
        assert (await client.result(kept.id, "a")).outcome.output == "The answer is 7."
        other = await ended(client, await client.start(request.model_copy(update={"simulations": fixed(8)})))
        assert (await client.result(other.id, "a")).outcome.output == "The answer is 8."
        assert [run.spec.complete for run in (first, kept, other)] == [True, True, False]
        real = request.model_copy(update={"simulations": {}, "allow_side_effects": True})
        assert (await client.result((await ended(client, await client.start(real))).id, "a")).outcome.output == (
            "The answer is 2."
        )
        with pytest.raises(InvalidInput, match=r"not simulated: calculator \(case a\)"):
            await client.start(request.model_copy(update={"simulations": {}}))

    async def test_start_with_saves_nothing_of_a_run_that_cannot_be_started(self, client: Client) -> None:
        await save(client, "old")
        version = await client.save_target("bot", replay(a="ok"))
        for name, keys, bindings in (("data", ("a",), ()), ("data", (), CONTAINS), ("fresh", ("a", "a"), CONTAINS)):
            with pytest.raises(InvalidInput):
                request = RunRequest(target_version_id=version.id, dataset=name)
                await client.start_with(request, each(prompts(*keys)), bindings)
        assert [case.key async for case in client.cases("data")] == ["old"]
        assert [entry.name for entry in await client.datasets()] == ["data"]
        assert (await client.runs()).total == 0

    async def test_wait_gives_the_run_after_so_many_seconds(self, client: Client, model_server: ModelServer) -> None:
        await save(client, "a")
        run = await begin(client, echo(model_server, "hang"))
        assert (await client.wait(run.id, 0.01)).status is RunStatus.RUNNING

    async def test_cancel_keeps_what_is_finished_and_resume_goes_on(
        self, client: Client, model_server: ModelServer
    ) -> None:
        await save(client, "a", "b", "c")
        model_server.latency = 60
        run = await begin(client, echo(model_server))
        run = await client.cancel(run.id)
        assert run.status is RunStatus.CANCELLED
        assert run.summary is not None and run.summary.total == 0
        with pytest.raises(Conflict, match="nothing to cancel"):
            await client.cancel(run.id)
        model_server.latency = 0
        run = await ended(client, await client.resume(run.id))
        assert run.status is RunStatus.COMPLETED
        with pytest.raises(Conflict, match="nothing to resume"):
            await client.resume(run.id)

    async def test_a_live_run_is_not_resumed_retried_or_graded_anew(
        self, client: Client, model_server: ModelServer
    ) -> None:
        await save(client, "a")
        run = await begin(client, echo(model_server, "hang"))
        for call in (client.resume(run.id), client.retry(run.id, [Verdict.ERROR]), client.regrade(run.id)):
            with pytest.raises(Conflict, match=run.id):
                await call

    async def test_retry(self, client: Client) -> None:
        await save(client, "a", "b")
        first = await recorded(client, a="ok")
        assert first.summary is not None and (first.summary.passed, first.summary.errors) == (1, 1)
        second = await ended(client, await client.retry(first.id, [Verdict.ERROR]))
        assert second.spec.parent_id == first.id
        assert (await client.result(second.id, "a")).carried_over
        assert not (await client.result(second.id, "b")).carried_over
        with pytest.raises(InvalidInput, match="nothing to retry"):
            await client.retry(first.id, [Verdict.FAIL])

    async def test_regrade(self, client: Client, model_server: ModelServer) -> None:
        await save(client, "a", "b")
        first = await ended(client, await begin(client, echo(model_server)))
        await save(client, bindings=[Binding.model_validate({"kind": "contains", "text": "b"})])
        calls = len(model_server.requests)
        second = await ended(client, await client.regrade(first.id))
        assert second.summary is not None and (second.summary.passed, second.summary.failed) == (1, 1)
        assert len(model_server.requests) == calls

    async def test_the_list(self, client: Client) -> None:
        await save(client, "a")
        await save(client, "a", name="other")
        made = [await recorded(client, a="ok") for _ in range(3)]
        page = await client.runs(page=1, size=2)
        assert ([run.id for run in page.items], page.total, page.pages) == ([made[2].id, made[1].id], 3, 2)
        assert (await client.runs("other")).total == 0
        assert (await client.runs("data")).total == 3
        with pytest.raises(NotFound, match="no dataset 'nope'"):
            await client.runs("nope")
        with pytest.raises(InvalidInput, match="pages count from 1"):
            await client.runs(page=0)

    async def test_delete(self, client: Client, model_server: ModelServer) -> None:
        await save(client, "a")
        done = await recorded(client, a="ok")
        await client.delete_run(done.id)
        version = await client.save_target("live", echo(model_server, "hang"))
        live = await client.start(RunRequest(target_version_id=version.id, dataset="data"))
        await client.delete_run(live.id)
        for run in (done, live):
            with pytest.raises(NotFound, match=run.id):
                await client.run(run.id)

    @pytest.mark.parametrize("ref", [UNKNOWN, "ffff", "nope", ""])
    async def test_an_unknown_run(self, client: Client, ref: str) -> None:
        for call in (
            client.run(ref),
            client.wait(ref, 0),
            client.resume(ref),
            client.retry(ref, [Verdict.ERROR]),
            client.regrade(ref),
            client.cancel(ref),
            client.delete_run(ref),
            client.progress(ref),
            client.results(ref),
            client.result(ref, "a"),
            client.compare(ref, ref),
        ):
            with pytest.raises(NotFound, match="no run"):
                await call
        with pytest.raises(NotFound, match="no run"):
            assert [piece async for piece in client.export(ref, "json")]

    async def test_a_beginning_that_several_runs_have(self, client: Client) -> None:
        await save(client, "a")
        made = [await recorded(client, a="ok") for _ in range(2)]
        with pytest.raises(InvalidInput, match="several runs begin with"):
            await client.run(made[0].id[:4])


async def test_closing_leaves_a_live_run_to_be_resumed(tmp_path: Path, model_server: ModelServer) -> None:
    for open_client in CLIENTS.values():
        async with open_client(tmp_path / "home", {}) as client:
            await save(client, "a")
            run = await begin(client, echo(model_server, "slow:1"))
        async with open_client(tmp_path / "home", {}) as client:
            assert (await ended(client, await client.resume(run.id))).status is RunStatus.COMPLETED
