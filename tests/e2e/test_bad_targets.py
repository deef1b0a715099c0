"""Targets that answer badly, late or not at all: a clear result for that case, and the other cases are graded."""

import asyncio
import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from aloi.client import Client
from aloi.sdk.evaluate import Report
from tests.e2e.command import Command
from tests.e2e.suites import (
    CASES,
    NETWORK,
    Json,
    by_key,
    evaluate,
    failure_of,
    for_the_bad_case,
    target_of,
    write_suite,
)
from tests.model_server import Answer, ChatRequestBody, ModelServer, Reply, Wire
from tests.model_server.reply import encode, error

TEN_MEGABYTES = 10 * 1024 * 1024


@dataclass(frozen=True)
class Bad:
    """An answer over the wire, the same from a function, and what becomes of it: a failure's type, or the output."""

    wire: Callable[[ChatRequestBody], Reply]
    returned: object
    failure: str | None = None
    output: str | None = None
    words: str = ""


def not_utf8(request: ChatRequestBody) -> Wire:
    whole = encode(request, Answer("@@"), "1")
    return Wire((whole.parts[0].replace(b"@@", b"\xff\xfe"),))


BAD = {
    "nothing": Bad(lambda _: Answer(None), None, failure="no_answer"),
    "not UTF-8": Bad(not_utf8, b"\xff\xfe case", failure="bad_reply", words="UTF-8"),
    "10 MB": Bad(
        lambda _: Answer("case" + "x" * TEN_MEGABYTES),
        "case" + "x" * TEN_MEGABYTES,
        output="case" + "x" * TEN_MEGABYTES,
    ),
    "a lone surrogate": Bad(lambda _: Answer("case \ud800."), "case \ud800.", output="case \ufffd."),
    "a NUL": Bad(lambda _: Answer("case\0."), "case\0.", output="case\0."),
}


def assert_as_expected(report: Report, bad: Bad) -> None:
    if bad.failure is None:
        assert by_key(report)["bad"].outcome.output == bad.output
        assert report.summary.passed == len(CASES)
        return
    message = failure_of(report, "invoke", bad.failure)
    assert bad.words in message.upper()


async def assert_exports(client: Client, report: Report) -> None:
    """Every format can be read again."""

    async def text(name: str) -> str:
        return "".join([piece async for piece in client.export(report.run.id, name)])

    csv.field_size_limit(2 * TEN_MEGABYTES)
    assert len(json.loads(await text("json"))["results"]) == len(CASES)
    assert len(list(csv.reader(io.StringIO(await text("csv"), newline="")))) == len(CASES) + 1
    assert len(ElementTree.fromstring(await text("junit")).findall(".//testcase")) == len(CASES)
    assert "bad" in await text("html")


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("kind", NETWORK)
async def test_a_bad_answer_over_the_wire(client: Client, model_server: ModelServer, kind: str, name: str) -> None:
    bad = BAD[name]
    model_server.reply = for_the_bad_case(bad.wire)
    report = await evaluate(client, target_of(kind, model_server.url))
    assert_as_expected(report, bad)
    await assert_exports(client, report)


@pytest.mark.parametrize("name", BAD)
async def test_a_bad_answer_of_a_function(client: Client, name: str) -> None:
    bad = BAD[name]

    def answer(given: str) -> object:
        return bad.returned if given == "bad case" else given

    report = await evaluate(client, answer)
    assert_as_expected(report, bad)
    await assert_exports(client, report)


@pytest.mark.parametrize("kind", NETWORK)
@pytest.mark.parametrize(
    ("reply", "failure"),
    [
        (Wire((b'{"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": []}',)), "no_answer"),
        (Wire((b'{"choices": [',)), "bad_reply"),
        (error(400, "No."), "http_status"),
    ],
    ids=["empty choices", "cut JSON", "status 400"],
)
async def test_no_answer_over_the_wire(
    client: Client, model_server: ModelServer, kind: str, reply: Wire, failure: str
) -> None:
    model_server.reply = for_the_bad_case(lambda _: reply)
    failure_of(await evaluate(client, target_of(kind, model_server.url)), "invoke", failure)


async def test_the_command_says_what_was_bad_and_retries_that_alone(
    aloi: Command, tmp_path: Path, model_server: ModelServer
) -> None:
    replies: dict[str, Reply] = {"case null": Answer(None), "case nul": "case \0\x1b[31m", "case half": "case \ud800"}

    def answer(request: ChatRequestBody) -> Reply:
        return replies.get(request.prompt, request.prompt)

    model_server.reply = answer
    cases = [{"key": prompt, "prompt": prompt} for prompt in ("case fine", *replies)]
    suite = write_suite(tmp_path, target_of("openai", model_server.url), cases)

    run = await asyncio.to_thread(aloi.run, "run", str(suite))

    assert run.returncode == 1, run.stderr
    assert "3/3 passed (95% CI 44–100%), 1 error" in run.stdout
    assert "Error types" in run.stdout
    assert "1 no_answer" in run.stdout
    assert "Traceback" not in run.stderr
    assert "\0" not in run.stdout
    assert "\x1b" not in run.stdout
    replies.clear()
    retried = await asyncio.to_thread(aloi.run, "runs", "retry", "latest")
    assert retried.returncode == 0, retried.stdout + retried.stderr
    assert "4/4 passed" in retried.stdout
    assert model_server.stats.prompts == {"case fine": 1, "case null": 2, "case nul": 1, "case half": 1}


def test_a_function_that_answers_badly_by_the_command(aloi: Command, tmp_path: Path) -> None:
    (tmp_path / "bad_answers.py").write_text(
        "ANSWERS = {'case null': None, 'case bytes': b'\\xff', 'case half': 'case \\ud800', 'case nul': 'case \\0'}\n"
        "def answer(given):\n"
        "    if given == 'case raise':\n"
        "        raise LookupError('no \\ud800 such \\0 thing')\n"
        "    return ANSWERS.get(given, given)\n",
        encoding="utf-8",
    )
    names = ("fine", "null", "bytes", "half", "nul", "raise")
    cases: list[Json] = [{"key": name, "prompt": f"case {name}"} for name in names]
    suite = write_suite(tmp_path, {"kind": "python", "function": "bad_answers:answer"}, cases)

    run = aloi.run("run", str(suite), "--junit", str(tmp_path / "junit.xml"), "--csv", str(tmp_path / "run.csv"))

    assert run.returncode == 1, run.stderr
    assert "3/3 passed" in run.stdout
    assert "3 errors" in run.stdout
    assert "Traceback" not in run.stderr
    assert len(ElementTree.parse(tmp_path / "junit.xml").findall(".//error")) == 3
    failures = {result["case_key"]: result["failure"] for result in aloi.export()["results"]}
    types = {key: failure and failure["type"] for key, failure in failures.items()}
    assert types == {
        "fine": None,
        "null": "no_answer",
        "bytes": "bad_reply",
        "half": None,
        "nul": None,
        "raise": "exception",
    }
    assert "LookupError: no \ufffd such" in failures["raise"]["message"]
