"""Suite files, cases of which one goes badly, and targets that ask one model server in the three ways there are."""

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import aloi
from aloi.client import Client
from aloi.core.result import CaseResult
from aloi.core.score import Verdict
from aloi.sdk.evaluate import Report
from aloi.sdk.given import TargetLike
from tests.model_server import ChatRequestBody, Reply
from tests.model_server.reply import ReplyHook

Json = dict[str, Any]
NETWORK = ("openai", "http", "agent")
CASES: tuple[Json, ...] = (
    {"key": "before", "prompt": "case 1"},
    {"key": "bad", "prompt": "bad case"},
    {"key": "after", "prompt": "case 2"},
)
CONTAINS: tuple[Json, ...] = ({"kind": "contains", "text": "case"},)


def write_suite(folder: Path, target: Json, cases: Sequence[Json], name: str = "suite", **more: Any) -> Path:
    """A suite file; every case is to contain the word `case` unless `evaluators` says otherwise."""
    suite = {
        "target": target,
        "evaluators": list(CONTAINS),
        "cases": list(cases),
        **more,
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(suite), encoding="utf-8")
    return path


def prompts(number: int) -> list[Json]:
    """So many cases: `case 0`, `case 1`, ..."""
    return [{"key": f"k{n}", "prompt": f"case {n}"} for n in range(number)]


def target_of(kind: str, url: str, model: str = "echo") -> Json:
    """A target of one of the `NETWORK` kinds that asks a model; each sends one request per case when all is well."""
    if kind == "openai":
        return {"kind": kind, "model": model, "base_url": url}
    if kind == "agent":
        return {"kind": kind, "model": f"openai:{model}", "base_url": url}
    body = {"model": model, "messages": [{"role": "user", "content": "{{input}}"}]}
    return {"kind": kind, "url": f"{url}/chat/completions", "body": body, "output": "$.choices[0].message.content"}


def for_the_bad_case(reply: Callable[[ChatRequestBody], Reply]) -> ReplyHook:
    """A model that gives this reply to the prompt `bad case`, and echoes every other."""

    def answer(request: ChatRequestBody) -> Reply:
        return reply(request) if request.prompt == "bad case" else request.prompt

    return answer


async def evaluate(client: Client, target: TargetLike, cases: Sequence[Json] = CASES, **options: Any) -> Report:
    """Evaluate a target; every case is to contain the word `case` unless `evaluators` says otherwise.

    An evaluation that would never end fails the test after a minute.
    """
    options.setdefault("evaluators", CONTAINS)
    async with asyncio.timeout(60):
        return await aloi.evaluate(target, cases, client=client, **options)


def by_key(report: Report) -> dict[str, CaseResult]:
    """The results by the keys of their cases."""
    return {result.case_key: result for result in report.results}


def failure_of(report: Report, stage: str, type_: str, key: str = "bad") -> str:
    """Assert that one case is an error of this stage and type and that all others passed; the failure's message."""
    results = by_key(report)
    bad = results.pop(key)
    assert bad.failure is not None
    assert (bad.verdict, bad.failure.stage, bad.failure.type) == (Verdict.ERROR, stage, type_)
    assert (bad.outcome.output is None) == (stage == "invoke")
    assert all(result.verdict is Verdict.PASS for result in results.values())
    assert (report.run.status, report.summary.passed, report.summary.errors) == ("completed", len(results), 1)
    return bad.failure.message
