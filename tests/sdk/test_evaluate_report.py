"""What an evaluation gives back, where it is stored, and evaluating without `await`."""

import asyncio
from pathlib import Path

import pytest

import aloi
from aloi.client import connect
from aloi.core.errors import Conflict, InvalidInput
from aloi.core.run import RunStatus
from aloi.settings import Settings

OK = [{"kind": "contains", "text": "ok"}]
CASES = [{"key": f"k{n}", "prompt": f"prompt {n}"} for n in range(4)]


async def answer(given: str) -> str:
    return f"ok {given}"


def answer_slowly(given: str) -> str:
    return f"ok {given}"


class TestReport:
    async def test_without_results(self) -> None:
        report = await aloi.evaluate(answer, CASES, evaluators=OK, results=False)
        assert report.results == ()
        assert report.summary.passed == 4
        with pytest.raises(InvalidInput, match="results=True"):
            assert report.failed

    async def test_it_is_stored_in_the_home(self, aloi_home: Path) -> None:
        report = await aloi.evaluate(answer, CASES, evaluators=OK)
        assert (aloi_home / "aloi.db").is_file()
        client = await connect(Settings(home=aloi_home), {})
        try:
            assert await client.run("latest") == report.run
            again = await aloi.evaluate(answer, CASES, evaluators=OK, client=client)
            assert (await client.runs()).total == 2  # the client is still open
            assert again.run.spec.revision_id == report.run.spec.revision_id
        finally:
            await client.close()

    async def test_a_run_that_somebody_cancels_is_reported_as_far_as_it_went(self, aloi_home: Path) -> None:
        client = await connect(Settings(home=aloi_home), {})

        async def cancelling(given: str) -> str:
            if given == "prompt 2":
                await client.cancel("latest")
            return "ok"

        report = await aloi.evaluate(cancelling, CASES, evaluators=OK, concurrency=1)
        await client.close()
        assert report.run.status is RunStatus.CANCELLED
        assert report.summary.passed >= 2

    async def test_a_client_that_is_closed_meanwhile_ends_the_wait(self, aloi_home: Path) -> None:
        client = await connect(Settings(home=aloi_home), {})

        async def closing(given: str) -> str:
            closer.append(asyncio.create_task(client.close()))
            await asyncio.sleep(60)
            return "ok"

        closer: list[asyncio.Task[None]] = []
        with pytest.raises(Conflict, match="was interrupted"):
            async with asyncio.timeout(5):
                await aloi.evaluate(closing, CASES[:1], evaluators=OK, client=client)
        await closer[0]
        await client.close()


class TestSync:
    def test_outside_of_a_loop(self) -> None:
        report = aloi.evaluate_sync(answer_slowly, CASES, evaluators=OK, trials=2)
        assert report.summary.passed == 8

    async def test_inside_a_running_loop(self) -> None:
        assert aloi.evaluate_sync(answer, CASES, evaluators=OK).summary.passed == 4

    def test_errors_come_through(self) -> None:
        with pytest.raises(InvalidInput, match="no case to run"):
            aloi.evaluate_sync(answer, [], evaluators=OK)
