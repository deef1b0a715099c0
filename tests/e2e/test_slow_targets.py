"""Targets that are busy, hang or are slow: waited for as asked, ended at the deadline, and never called twice."""

import asyncio
import time

import pytest

from aloi.client import Client
from tests.e2e.suites import CASES, NETWORK, evaluate, failure_of, for_the_bad_case, prompts, target_of
from tests.model_server import ChatRequestBody, ModelServer, Reply, Wire
from tests.model_server.reply import error


def arrivals(server: ModelServer, answers: dict[str, list[Wire]]) -> dict[str, list[float]]:
    """Make the server give these answers to these prompts first, then echo; when each prompt came, by prompt."""
    times: dict[str, list[float]] = {}

    def reply(request: ChatRequestBody) -> Reply:
        times.setdefault(request.prompt, []).append(time.monotonic())
        waiting = answers.get(request.prompt)
        return waiting.pop(0) if waiting else request.prompt

    server.reply = reply
    return times


def throttled(retry_after: str | None = None) -> Wire:
    return error(429, "Too many requests.", headers={"Retry-After": retry_after} if retry_after else {})


@pytest.mark.parametrize("kind", NETWORK)
async def test_429_with_a_second_to_wait(client: Client, model_server: ModelServer, kind: str) -> None:
    times = arrivals(model_server, {"bad case": [throttled("1")]})
    report = await evaluate(client, target_of(kind, model_server.url))
    assert report.summary.passed == 3
    first, second = times["bad case"]
    assert second - first >= 0.99, "it came back sooner than asked"
    assert len(times["case 1"]) == len(times["case 2"]) == 1


@pytest.mark.parametrize("kind", NETWORK)
async def test_429_with_a_day_to_wait(client: Client, model_server: ModelServer, kind: str) -> None:
    times = arrivals(model_server, {"bad case": [throttled("86400")] * 9})
    report = await evaluate(client, target_of(kind, model_server.url), concurrency=1, seconds_per_case=20)
    message = failure_of(report, "invoke", "rate_limited")
    assert "asks to wait 86400 s" in message
    assert [len(times[case["prompt"]]) for case in CASES] == [1, 1, 1]


@pytest.mark.parametrize("kind", NETWORK)
async def test_429_without_a_time_to_wait(client: Client, model_server: ModelServer, kind: str) -> None:
    times = arrivals(model_server, {"bad case": [throttled()]})
    report = await evaluate(client, target_of(kind, model_server.url))
    assert report.summary.passed == 3
    assert len(times["bad case"]) == 2


@pytest.mark.parametrize("kind", NETWORK)
async def test_503_twice_and_then_an_answer(client: Client, model_server: ModelServer, kind: str) -> None:
    busy = error(503, "Busy.", headers={"Retry-After": "0"})
    times = arrivals(model_server, {"bad case": [busy, busy]})
    report = await evaluate(client, target_of(kind, model_server.url))
    assert report.summary.passed == 3
    assert [len(times[case["prompt"]]) for case in CASES] == [1, 3, 1]


@pytest.mark.parametrize("kind", ["openai", "agent"])
async def test_a_dropped_connection_and_then_an_answer(client: Client, model_server: ModelServer, kind: str) -> None:
    times = arrivals(model_server, {"bad case": [Wire((b'{"id": "1', b""), drop=True)]})
    report = await evaluate(client, target_of(kind, model_server.url))
    assert report.summary.passed == 3
    assert [len(times[case["prompt"]]) for case in CASES] == [1, 2, 1]


async def hang(request: ChatRequestBody) -> Reply:
    if request.prompt == "bad case":
        await asyncio.Event().wait()
    return request.prompt


@pytest.mark.parametrize("kind", NETWORK)
async def test_a_hang_over_the_wire_ends_at_the_deadline(client: Client, model_server: ModelServer, kind: str) -> None:
    # The engine of agents is imported at its first use, which no deadline of a test should have to hold.
    await evaluate(client, target_of(kind, model_server.url), prompts(1))
    model_server.reply = hang
    report = await evaluate(client, target_of(kind, model_server.url), seconds_per_case=0.5)
    message = failure_of(report, "invoke", "timeout")
    assert "no answer within 0.5 s" in message
    assert "seconds_per_case" in message
    assert model_server.stats.prompts["bad case"] == 1
    async with asyncio.timeout(5):
        await model_server.until(lambda stats: stats.in_flight == 0)


@pytest.mark.parametrize("as_thread", [False, True])
async def test_a_function_that_hangs_ends_at_the_deadline(client: Client, as_thread: bool) -> None:
    woken = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def never(given: str) -> str:
        if given == "bad case":
            await woken.wait()
        return given

    def blocks(given: str) -> str:
        return asyncio.run_coroutine_threadsafe(never(given), loop).result()

    report = await evaluate(client, blocks if as_thread else never, seconds_per_case=0.5)
    woken.set()
    failure_of(report, "invoke", "timeout")


@pytest.mark.parametrize("kind", NETWORK)
async def test_a_slow_target_with_a_side_effect_is_called_once(
    client: Client, model_server: ModelServer, kind: str
) -> None:
    model_server.latency = 0.6
    report = await evaluate(client, target_of(kind, model_server.url), prompts(6), seconds_per_case=30)
    assert report.summary.passed == 6
    assert model_server.stats.prompts == {f"case {n}": 1 for n in range(6)}


@pytest.mark.parametrize("as_thread", [False, True])
async def test_a_slow_function_with_a_side_effect_is_called_once(client: Client, as_thread: bool) -> None:
    calls: list[str] = []

    async def later(given: str) -> str:
        calls.append(given)
        await asyncio.sleep(0.2)
        return given

    def blocks(given: str) -> str:
        calls.append(given)
        time.sleep(0.2)
        return given

    report = await evaluate(client, blocks if as_thread else later, prompts(6), seconds_per_case=30)
    assert report.summary.passed == 6
    assert sorted(calls) == [f"case {n}" for n in range(6)]


@pytest.mark.parametrize(
    "reply",
    [error(500, "It broke behind the side effect."), Wire((b'{"id": "1', b""), drop=True)],
    ids=["500", "dropped"],
)
async def test_a_request_that_may_have_had_its_effect_is_not_sent_again(
    client: Client, model_server: ModelServer, reply: Wire
) -> None:
    model_server.reply = for_the_bad_case(lambda _: reply)
    report = await evaluate(client, target_of("http", model_server.url))
    failure_of(report, "invoke", "connection" if reply.drop else "http_status")
    assert model_server.stats.prompts == {str(case["prompt"]): 1 for case in CASES}
