"""Runs over cases with files: every kind of target sees the bytes, or the run is refused before it begins."""

import base64
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from aloi.core.attachment import AttachedFile, Attachment
from aloi.core.errors import InvalidInput
from aloi.core.result import CaseResult
from aloi.core.run import RunRequest
from aloi.core.score import Verdict
from aloi.core.target import Target
from aloi.core.trace import INPUT_MESSAGES
from aloi.plugins import build
from aloi.service import again, attachments, runs, targets
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.targets.python import Python
from tests.attachment_files import PDF, PNG
from tests.model_server import ModelServer
from tests.service.started_runs import finished, results_of, save
from tests.store.backends import BACKENDS, fresh

NOTE = "Grüße, 世界".encode()
ANY = ({"kind": "regex", "pattern": ".*"},)


@pytest.fixture(params=BACKENDS)
async def context(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Context]:
    async with fresh(request, tmp_path) as address:
        opened = await Context.open(Settings(home=tmp_path, database_url=address), {})
        yield opened
        await opened.close()


async def files(context: Context) -> list[Attachment]:
    given = {"dot.png": PNG, "bill.pdf": PDF, "note.txt": NOTE}
    return [(await attachments.add(context, name, content)).file for name, content in given.items()]


async def run_of(context: Context, target: Target, cases: Sequence[dict[str, Any]] = ()) -> dict[str, CaseResult]:
    """The results of a run over a case with three files, or over the cases given."""
    attached = [file.model_dump() for file in await files(context)]
    await save(context, cases or [{"key": "a", "prompt": "What is this?", "attachments": attached}], ANY)
    version = await targets.save(context, "target", target)
    run = await runs.start(context, RunRequest(target_version_id=version.id, dataset="data"))
    return await results_of(context, await finished(context, run))


def target_of(kind: str, **fields: Any) -> Target:
    return build("targets", {"kind": kind, **fields}, Target)


def contents(parts: list[dict[str, Any]]) -> list[str | bytes]:
    """What stands in the parts of a message: texts, and the bytes of files."""
    found: list[str | bytes] = []
    for part in parts:
        if part["type"] == "text":
            found.append(part["text"])
        else:
            url = part["image_url"]["url"] if part["type"] == "image_url" else part["file"]["file_data"]
            found.append(base64.b64decode(url.partition(";base64,")[2]))
    return found


SEEN = [
    "What is this?",
    "File dot.png (image/png):",
    PNG,
    "File bill.pdf (application/pdf):",
    PDF,
    f"File note.txt (text/plain):\n{NOTE.decode()}\n(End of note.txt)",
]
MODEL = {"model": "openai:echo"}
STEPS: dict[str, list[dict[str, Any]]] = {
    "prompt": [{"name": "ask", "kind": "prompt", **MODEL, "prompt": "{{ input }}", "attachments": True}],
    "agent step": [{"name": "ask", "kind": "agent", "agent": MODEL, "attachments": True}],
    "map": [
        {
            "name": "each",
            "kind": "map",
            "items": ["one"],
            "steps": [{"name": "ask", "kind": "prompt", **MODEL, "prompt": "{{ input }}", "attachments": True}],
        }
    ],
}


def reaching(steps: list[dict[str, Any]], url: str) -> list[dict[str, Any]]:
    """The steps with the model's address in them."""
    return [
        {
            **step,
            **({"base_url": url} if "model" in step else {}),
            **({"agent": {**step["agent"], "base_url": url}} if "agent" in step else {}),
            **({"steps": reaching(step["steps"], url)} if "steps" in step else {}),
        }
        for step in steps
    ]


@pytest.mark.parametrize("kind", ["openai", "agent", *STEPS])
async def test_a_model_sees_every_file_behind_the_prompt(
    context: Context, model_server: ModelServer, kind: str
) -> None:
    if kind in STEPS:
        target = target_of("workflow", steps=reaching(STEPS[kind], model_server.url))
    else:
        target = target_of(kind, model="openai:echo", base_url=model_server.url)
    results = await run_of(context, target)
    assert results["a"].verdict is Verdict.PASS, results["a"].outcome.failure
    [request] = model_server.requests
    assert contents(request.body["messages"][-1]["content"]) == SEEN
    if kind in ("openai", "prompt", "map"):
        part = request.body["messages"][-1]["content"][4]
        assert (part["type"], part["file"]["filename"]) == ("file", "bill.pdf")


@pytest.mark.parametrize("kind", ["openai", "agent"])
async def test_a_trace_says_which_files_there_were_without_what_is_in_them(
    context: Context, model_server: ModelServer, kind: str
) -> None:
    results = await run_of(context, target_of(kind, model="openai:echo", base_url=model_server.url))
    trace = results["a"].outcome.trace
    assert trace is not None
    chat = next(span for span in trace.spans if span.name.startswith("chat"))
    assert chat.attributes[INPUT_MESSAGES] == [
        {
            "role": "user",
            "parts": [
                {"type": "text", "content": "What is this?"},
                {"type": "file", "name": "dot.png", "mime_type": "image/png"},
                {"type": "file", "name": "bill.pdf", "mime_type": "application/pdf"},
                {"type": "file", "name": "note.txt", "mime_type": "text/plain"},
            ],
        }
    ]


async def test_a_service_is_sent_them_where_its_body_says_so(context: Context, model_server: ModelServer) -> None:
    url = f"{model_server.root}/echo"
    await run_of(context, target_of("http", url=url, body={"q": "{{input}}", "files": "{{attachments}}"}))
    sent = model_server.requests[0].body
    assert sent["q"] == "What is this?"
    assert [(file["name"], file["media_type"], base64.b64decode(file["data"])) for file in sent["files"]] == [
        ("dot.png", "image/png", PNG),
        ("bill.pdf", "application/pdf", PDF),
        ("note.txt", "text/plain", NOTE),
    ]


async def test_without_files_it_is_sent_an_empty_list(context: Context, model_server: ModelServer) -> None:
    target = target_of("http", url=f"{model_server.root}/echo", body={"files": "{{attachments}}"})
    await run_of(context, target, [{"key": "a", "prompt": "x"}])
    assert model_server.requests[0].body == {"files": []}


def plain(given: str) -> str:
    return given


async def test_a_function_gets_them_by_name(context: Context) -> None:
    seen: list[AttachedFile] = []

    async def answer(given: str, attachments: list[AttachedFile]) -> str:
        seen.extend(attachments)
        return f"{given} {len(attachments)}"

    results = await run_of(context, Python.of(answer))
    assert results["a"].outcome.output == "What is this? 3"
    assert [(file.name, file.data) for file in seen] == [("dot.png", PNG), ("bill.pdf", PDF), ("note.txt", NOTE)]


async def test_a_sync_function_gets_them_too(context: Context) -> None:
    def answer(given: str, *, attachments: Sequence[AttachedFile] = ()) -> int:
        return sum(len(file.data) for file in attachments)

    results = await run_of(context, Python.of(answer))
    assert results["a"].outcome.output == len(PNG) + len(PDF) + len(NOTE)


NO_MODEL = {"model": "openai:echo", "base_url": "http://127.0.0.1:9/v1"}


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (Python.of(plain), r"the function tests\S*plain has no parameter `attachments`"),
        (target_of("http", url="http://127.0.0.1:9/x"), "the body that this http target sends has no {{attachments}}"),
        (
            target_of("http", url="http://127.0.0.1:9/x", method="GET", body="{{attachments}}"),
            "this http target sends no body, for its method is GET",
        ),
        (
            target_of("workflow", steps=[{"name": "ask", "kind": "prompt", **NO_MODEL, "prompt": "x"}]),
            "no prompt or agent step of this workflow takes them",
        ),
    ],
)
async def test_a_target_that_takes_no_files_is_refused_them(context: Context, target: Target, reason: str) -> None:
    await save(context, await some_with_files(context), ANY)
    version = await targets.save(context, "target", target)
    request = RunRequest(target_version_id=version.id, dataset="data")
    with pytest.raises(InvalidInput, match=f"cases with files, and {reason}.*: k1, k2, .*k20 and 2 others; remove"):
        await runs.start(context, request)


async def some_with_files(context: Context) -> list[dict[str, Any]]:
    """23 cases; all but the first have a file."""
    file = (await files(context))[0].model_dump()
    return [{"key": f"k{n}", "prompt": "x", "attachments": [file] if n else []} for n in range(23)]


async def test_cases_without_files_can_be_run_alone(context: Context) -> None:
    await save(context, await some_with_files(context), ANY)
    version = await targets.save(context, "target", Python.of(plain))
    request = RunRequest(target_version_id=version.id, dataset="data", case_keys=("k0",))
    run = await finished(context, await runs.start(context, request))
    assert list(await results_of(context, run)) == ["k0"]


async def test_what_is_replayed_had_its_files_before(context: Context) -> None:
    results = await run_of(context, target_of("replay", outputs={"a": "as it was"}))
    assert results["a"].outcome.output == "as it was"


@pytest.mark.parametrize("damage", ["gone", "altered", "unreadable"])
async def test_a_file_that_cannot_be_read_is_an_error_of_its_case(context: Context, damage: str) -> None:
    def answer(given: str, attachments: Sequence[AttachedFile]) -> str:
        return given

    file = (await files(context))[1]
    stored = next(path for path in (context.settings.home / "attachments").rglob(f"{file.hash}-*"))
    stored.unlink()
    if damage == "altered":
        stored.write_bytes(b"something else")
    elif damage == "unreadable":
        stored.mkdir()
    case = {"prompt": "x", "attachments": [file.model_dump()]}
    await save(context, [{"key": "a", **case}, {"key": "b", "prompt": "y"}], ANY)
    version = await targets.save(context, "target", Python.of(answer))
    run = await finished(context, await runs.start(context, RunRequest(target_version_id=version.id, dataset="data")))
    results = await results_of(context, run)
    failure = results["a"].outcome.failure
    assert failure is not None
    assert (results["a"].verdict, failure.stage, failure.type) == (Verdict.ERROR, "invoke", "attachment")
    assert failure.message.startswith("the file bill.pdf cannot be read")
    assert str(context.settings.home) not in failure.message
    assert results["b"].verdict is Verdict.PASS
    # Sent again, the errors can be retried.
    if damage != "unreadable":
        await attachments.add(context, "bill.pdf", PDF)
        retried = await finished(context, await again.retry(context, run.id, (Verdict.ERROR,)))
        assert (await results_of(context, retried))["a"].verdict is Verdict.PASS


async def test_a_run_keeps_its_files_for_as_long_as_it_is_there(context: Context) -> None:
    def answer(given: str, attachments: Sequence[AttachedFile]) -> str:
        return given

    file = (await files(context))[0]
    await save(context, [{"key": "a", "prompt": "x", "attachments": [file.model_dump()]}], ANY)
    version = await targets.save(context, "target", Python.of(answer))
    request = RunRequest(target_version_id=version.id, dataset="data")
    first = await finished(context, await runs.start(context, request))
    second = await finished(context, await runs.start(context, request))
    assert first.spec.revision_id == second.spec.revision_id
    await save(context, [{"key": "a", "prompt": "x"}], ANY)
    for run, refusal in ((first, "2 runs used it and keep their"), (second, "1 run used it and keeps its")):
        with pytest.raises(Exception, match=f"dot.png cannot be deleted: {refusal} evidence"):
            await attachments.delete(context, file.hash)
        await runs.delete(context, run.id)
    await attachments.delete(context, file.hash)
    # Sent again, the very revision of before can be run, and keeps it anew.
    again_sent = (await attachments.add(context, "dot.png", PNG)).file
    await save(context, [{"key": "a", "prompt": "x", "attachments": [again_sent.model_dump()]}], ANY)
    third = await finished(context, await runs.start(context, request))
    assert third.spec.revision_id == first.spec.revision_id
    assert (await attachments.read(context, file.hash)).runs == 1


async def test_other_files_are_another_revision(context: Context) -> None:
    def answer(given: str, attachments: Sequence[AttachedFile] = ()) -> str:
        return given

    one, other, _ = await files(context)
    version = await targets.save(context, "target", Python.of(answer))
    seen: set[str] = set()
    for attached in ([], [one], [other], [one, other], [one.model_copy(update={"name": "other.png"})]):
        await save(context, [{"key": "a", "prompt": "x", "attachments": [file.model_dump() for file in attached]}], ANY)
        run = await runs.start(context, RunRequest(target_version_id=version.id, dataset="data"))
        seen.add((await finished(context, run)).spec.revision_id)
    assert len(seen) == 5
