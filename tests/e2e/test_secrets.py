"""Secrets from the environment stay out of the database, whatever the services say."""

import json
from pathlib import Path

import pytest

import aloi
from aloi.core.errors import InvalidInput
from aloi.core.spec import JsonObject
from tests.llm.raw_server import http_answer, raw_server
from tests.model_server import ModelServer

SECRET = "pl4nted-secret"
CASES = [{"key": "a", "prompt": "Hi"}]
RULES = [{"kind": "contains", "text": "Hi"}]


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", SECRET)


def stored(home: Path) -> bytes:
    """The bytes of every file of the home: the database, its log, and whatever else is kept."""
    return b"".join(path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file())


async def test_a_service_that_repeats_its_headers(model_server: ModelServer, aloi_home: Path) -> None:
    headers: JsonObject = {"Authorization": "Bearer ${SOME_KEY}"}
    target: JsonObject = {"kind": "http", "url": f"{model_server.root}/echo", "headers": headers}
    report = await aloi.evaluate(target, CASES, evaluators=RULES)
    assert report.summary.passed == 1
    assert model_server.requests[0].headers["Authorization"] == f"Bearer {SECRET}"
    assert b"Bearer [SOME_KEY]" in stored(aloi_home)
    assert SECRET.encode() not in stored(aloi_home)
    assert SECRET not in report.model_dump_json()


@pytest.mark.parametrize("kind", ["openai", "agent"])
async def test_a_model_that_repeats_its_key(model_server: ModelServer, aloi_home: Path, kind: str) -> None:
    def leak(_: object) -> str:
        return f"Hi, your key is {SECRET}"

    model_server.reply = leak
    target = {"kind": kind, "model": "openai:m", "base_url": model_server.url, "api_key_env": "SOME_KEY"}
    report = await aloi.evaluate(target, CASES, evaluators=RULES)
    assert report.results[0].outcome.output == "Hi, your key is [SOME_KEY]"
    assert SECRET.encode() not in stored(aloi_home)


@pytest.mark.parametrize("kind", ["http", "openai", "agent"])
async def test_errors_that_repeat_it(aloi_home: Path, kind: str) -> None:
    error = json.dumps({"error": {"message": f"Wrong key: {SECRET}"}}).encode()
    async with raw_server(http_answer(error, "401 Unauthorized")) as server:
        model: JsonObject = {"kind": kind, "model": "openai:m", "base_url": server.url, "api_key_env": "SOME_KEY"}
        service: JsonObject = {"kind": "http", "url": f"{server.url}/x", "headers": {"X-Api-Key": "${SOME_KEY}"}}
        report = await aloi.evaluate(service if kind == "http" else model, CASES, evaluators=RULES)
        assert SECRET.encode() in server.requests[0]
    assert report.summary.errors == 1
    assert b"Wrong key: [SOME_KEY]" in stored(aloi_home)
    assert SECRET.encode() not in stored(aloi_home)


@pytest.mark.parametrize("kind", ["openai", "agent"])
async def test_a_malformed_key_stops_a_run_before_it_starts(
    model_server: ModelServer, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("SOME_KEY", f"{SECRET}\nmore")
    target = {"kind": kind, "model": "openai:m", "base_url": model_server.url, "api_key_env": "SOME_KEY"}
    with pytest.raises(InvalidInput, match="the key in SOME_KEY holds a line break"):
        await aloi.evaluate(target, CASES, evaluators=RULES)
    assert model_server.stats.requests == 0


async def test_a_secret_in_a_definition_is_never_stored(aloi_home: Path) -> None:
    headers: JsonObject = {"Authorization": f"Bearer {SECRET}"}
    target: JsonObject = {"kind": "http", "url": "http://127.0.0.1:1/", "headers": headers}
    with pytest.raises(InvalidInput, match="write the secret as"):
        await aloi.evaluate(target, CASES, evaluators=RULES)
    assert SECRET.encode() not in stored(aloi_home)
