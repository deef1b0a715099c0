"""What a run froze, read back."""

from pathlib import Path
from typing import Any

import pytest

from aloi.core.errors import Conflict, InvalidInput, StageFailure
from aloi.core.run import RunRequest
from aloi.core.target import Invocation, Target
from aloi.plugins import build
from aloi.service import again, runs, targets
from aloi.service.context import Context
from aloi.service.running import frozen
from aloi.service.running.frozen import Untouched, load, placed_cases
from aloi.targets.python import Python
from aloi.tracing.recorder import Recording
from tests.model_server import ModelServer
from tests.runner.stand_ins import context as bare_context
from tests.service.started_runs import finished, prompts, save, start


async def answer(given: Any) -> Any:
    return "ok"


async def test_the_version_the_target_and_the_revision(context: Context) -> None:
    await save(context, prompts(3))
    run = await finished(context, await start(context, answer))
    found = await load(context, run)
    assert found.version.id == run.spec.target_version_id
    assert found.target is context.in_memory[found.version.id]
    assert (found.revision.id, found.revision.case_count) == (run.spec.revision_id, 3)


async def test_its_cases_come_in_order_a_page_at_a_time(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frozen, "PAGE", 4)
    await save(context, prompts(11))
    run = await finished(context, await start(context, answer))
    placed = [found async for found in placed_cases(context, run.spec.revision_id, None)]
    assert [(position, case.key) for position, case in placed] == [(n, f"k{n}") for n in range(11)]
    some = [found async for found in placed_cases(context, run.spec.revision_id, ("k9", "k2"))]
    assert [(position, case.key) for position, case in some] == [(2, "k2"), (9, "k9")]
    assert [found async for found in placed_cases(context, run.spec.revision_id, ())] == []


async def test_a_file_that_changed_is_named(context: Context, tmp_path: Path) -> None:
    path = tmp_path / "recorded.jsonl"
    path.write_text('{"key": "k0", "output": "ok"}\n')
    await save(context, prompts(1))
    version = await targets.save(context, "bot", build("targets", {"kind": "replay", "path": str(path)}, Target))
    run = await finished(context, await runs.start(context, RunRequest(target_version_id=version.id, dataset="data")))
    assert isinstance((await load(context, run)).target, Target)
    path.write_text('{"key": "k0", "output": "other"}\n')
    with pytest.raises(Conflict, match=r"bot@1 is not what it was: file_sha256 changed since"):
        await load(context, run)
    path.unlink()
    with pytest.raises(InvalidInput, match="cannot be read"):
        await load(context, run)


async def test_a_function_that_is_held_is_what_it_was_whatever_became_of_its_file(
    context: Context, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "edited_while_it_runs.py"
    path.write_text("def answer(given):\n    return 'ok'\n")
    namespace: dict[str, Any] = {"__name__": "edited"}
    exec(compile(path.read_text(), str(path), "exec"), namespace)
    await save(context, prompts(1))
    run = await finished(context, await start(context, namespace["answer"]))
    path.write_text("def answer(given):\n    return 'edited'\n")
    assert isinstance((await load(context, run)).target, Python)


async def test_a_regrade_loads_no_target(context: Context) -> None:
    await save(context, prompts(1))
    first = await finished(context, await start(context, answer))
    run = await finished(context, await again.regrade(context, first.id))
    context.in_memory.clear()
    target = (await load(context, run)).target
    assert isinstance(target, Untouched)
    with pytest.raises(StageFailure, match="no outcome of the case 'k7'"):
        await target.invoke(Invocation(input="x", case_key="k7"), bare_context(Recording(), ""))


async def test_a_judge_that_cannot_be_asked_any_more_is_refused(context: Context, model_server: ModelServer) -> None:
    await save(context, [{"prompt": "a", "expected_behavior": "is kind"}], evaluators=[])
    context.environ = context.models.environ = {"JUDGE_KEY": "secret"}
    version = await targets.save(context, "bot", Python.of(answer))
    judge = {"model": "openai:judge-pass", "base_url": model_server.url, "api_key_env": "JUDGE_KEY"}
    request = RunRequest.model_validate({"target_version_id": version.id, "dataset": "data", "judge": judge})
    run = await finished(context, await runs.start(context, request))
    assert run.summary is not None and run.summary.passed == 1
    context.models.environ = {}
    with pytest.raises(InvalidInput, match="JUDGE_KEY"):
        await load(context, run)
