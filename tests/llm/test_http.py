"""The door for plain HTTP: what it sends again, what it never sends twice."""

import asyncio

import pytest

from aloi.core.errors import StageFailure
from aloi.core.target import HttpRequest
from aloi.llm.models import Models
from tests.llm.raw_server import http_answer, raw_server
from tests.llm.waits import Waits
from tests.model_server import ModelServer

FINE = http_answer(b'{"answer": 1}')


def asking(url: str, method: str = "POST", most: int = 1000) -> HttpRequest:
    return HttpRequest(method=method, url=url, body=None if method == "GET" else b"{}", max_bytes=most)


def refusing(status: str, wait: str | None = None) -> bytes:
    return http_answer(b"no", status, f"Retry-After: {wait}\r\n" if wait else "")


async def test_an_answer(models: Models) -> None:
    async with raw_server(FINE) as server:
        reply = await models.http.send(asking(server.url + "/path?q=1"))
    assert (reply.status, reply.body) == (200, b'{"answer": 1}')
    assert reply.headers["content-type"] == "application/json"


async def test_an_error_comes_back_as_it_is(models: Models, model_server: ModelServer) -> None:
    assert (await models.http.send(asking(f"{model_server.root}/status/404"))).status == 404


async def test_come_back_later(models: Models, waits: Waits) -> None:
    async with raw_server(refusing("429 Slow", "1"), refusing("503 Busy", "2"), FINE) as server:
        assert (await models.http.send(asking(server.url))).status == 200
        assert len(server.requests) == 3
    assert waits.slept == [1.0, 2.0]


async def test_come_back_tomorrow(models: Models) -> None:
    async with raw_server(refusing("429 Slow", "86400")) as server:
        with pytest.raises(StageFailure, match="86400 s") as caught:
            await models.http.send(asking(server.url))
        assert (caught.value.type, len(server.requests)) == ("rate_limited", 1)


async def test_the_last_of_many_503_comes_back(models: Models) -> None:
    async with raw_server(refusing("503 Busy")) as server:
        assert (await models.http.send(asking(server.url))).status == 503
        assert len(server.requests) == 5


@pytest.mark.parametrize(("method", "requests"), [("POST", 1), ("GET", 2)])
async def test_a_500_is_tried_again_only_where_it_is_safe(models: Models, method: str, requests: int) -> None:
    async with raw_server(http_answer(b"oh", "500 Oh"), FINE) as server:
        await models.http.send(asking(server.url, method))
        assert len(server.requests) == requests


async def test_a_dropped_connection_may_have_had_its_effect(models: Models) -> None:
    async with raw_server(b"", FINE) as server:
        with pytest.raises(StageFailure) as caught:
            await models.http.send(asking(server.url))
        assert (caught.value.type, len(server.requests)) == ("connection", 1)


async def test_what_is_slow_but_in_time_is_called_once(models: Models, model_server: ModelServer) -> None:
    model_server.latency = 0.1
    async with asyncio.timeout(5):
        await models.http.send(asking(f"{model_server.root}/echo"))
    assert model_server.stats.requests == 1


async def test_one_pace_for_one_host(model_server: ModelServer) -> None:
    models = Models({}, ceiling=2)
    model_server.latency = 0.01
    urls = (f"{model_server.root}/echo?n={number}" for number in range(8))
    await asyncio.gather(*(models.http.send(asking(url, "POST")) for url in urls))
    assert model_server.stats.max_in_flight == 2
    await models.close()


@pytest.mark.parametrize("url", ["nowhere", "ftp://example.org/", "http://"])
async def test_what_is_no_address(models: Models, url: str) -> None:
    with pytest.raises(StageFailure) as caught:
        await models.http.send(asking(url))
    assert caught.value.type == "bad_request"
