"""Run A against run B; the arithmetic has its own tests."""

from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.comparison import Change, Comparison
from aloi.core.errors import NotFound
from aloi.core.run import Run, RunRequest
from aloi.core.target import Target
from aloi.plugins import build
from aloi.service import runs, targets
from aloi.service.comparing import compare_runs, told_apart
from aloi.service.context import Context
from tests.model_server import ModelServer
from tests.service.started_runs import CONTAINS, finished, prompts, save, start

JUDGED = [{"kind": "llm_judge", "rubric": "It is kind."}]


async def replayed(context: Context, outputs: dict[str, str], judge: Any = None, **limits: Any) -> Run:
    """A run of recorded answers."""
    target = build("targets", {"kind": "replay", "outputs": outputs}, Target)
    version = await targets.save(context, "bot", target)
    request = {"target_version_id": version.id, "dataset": "data", "judge": judge, "limits": limits}
    return await finished(context, await runs.start(context, RunRequest.model_validate(request)))


def changes(comparison: Comparison) -> dict[str, Change]:
    return {pair.case_key: pair.change for pair in comparison.pairs}


def differences(comparison: Comparison) -> dict[str, tuple[str, str]]:
    return {found.what: (found.a, found.b) for found in comparison.configuration}


async def test_verdicts_that_changed(context: Context) -> None:
    await save(context, prompts(4))
    a = await replayed(context, {"k0": "ok", "k1": "no", "k2": "ok", "k3": "ok"})
    b = await replayed(context, {"k0": "no", "k1": "ok", "k2": "ok"})
    found = await compare_runs(context, a.id, b.id)
    assert changes(found) == {"k0": Change.WORSE, "k1": Change.BETTER, "k2": Change.UNCHANGED, "k3": Change.ERROR}
    assert found.newly_in_error == 1
    assert (found.figures.compared, found.figures.better, found.figures.worse) == (3, 1, 1)


async def test_cases_that_changed_are_not_compared(context: Context) -> None:
    await save(context, prompts(2))
    a = await replayed(context, {"k0": "ok", "k1": "ok"})
    await save(context, [{"key": "k0", "prompt": "edited"}, *prompts(2)[1:], {"key": "new", "prompt": "x"}])
    b = await replayed(context, {"k0": "no", "k1": "ok", "new": "ok"})
    found = await compare_runs(context, a.id, b.id)
    assert changes(found) == {"k0": Change.NOT_COMPARABLE, "k1": Change.UNCHANGED}
    assert (found.added, found.removed) == (("new",), ())


async def test_what_differs_in_how_they_were_made_is_listed(context: Context, model_server: ModelServer) -> None:
    await save(context, prompts(1), [*CONTAINS, *JUDGED], judge_samples=1)
    judge = {"model": "openai:judge-pass", "base_url": model_server.url}
    a = await replayed(context, {"k0": "ok"}, judge)
    await save(context, prompts(1), [{"kind": "contains", "text": "o"}, *JUDGED], judge_samples=3)
    b = await replayed(
        context, {"k0": "ok so"}, {**judge, "model": "openai:judge-alternate", "settings": {"seed": 7}}, trials=2
    )
    found = differences(await compare_runs(context, a.id, b.id))
    assert found["target"] == ("bot@1", "bot@2")
    assert "ok so" in found["target outputs"][1]
    assert "judge-alternate" in found["judge"][1]
    assert "seed" in found["judge settings"][1]
    assert found["judge samples"] == ("1", "3")
    assert found["trials"] == ("1", "2")
    assert "evaluators" in found
    assert not {"dataset", "judge address", "judge prompts", "target kind"} & found.keys()


@pytest.mark.parametrize(
    ("a", "b", "told"),
    [
        ("be brief", "be long", ("be brief", "be long")),
        (None, "be long", ("", "be long")),
        ({"seed": 7}, None, ('{"seed": 7}', "")),
        ("x" * 400 + "old", "x" * 400 + "new", ("…" + "x" * 60 + "old", "…" + "x" * 60 + "new")),
        ("x" * 400, "x" * 900, ("…" + "x" * 60, "…" + "x" * 300 + "…")),
        ("old" + "x" * 400, "new", ("old" + "x" * 297 + "…", "new")),
    ],
)
def test_long_values_are_told_from_where_they_differ(a: JsonValue, b: JsonValue, told: tuple[str, str]) -> None:
    assert told_apart(a, b) == told


async def test_a_run_against_itself_differs_in_nothing(context: Context) -> None:
    await save(context, prompts(2))
    run = await replayed(context, {"k0": "ok", "k1": "no"})
    found = await compare_runs(context, run.id, "latest")
    assert found.configuration == ()
    assert set(changes(found).values()) == {Change.UNCHANGED}


async def test_an_unknown_run_is_told(context: Context) -> None:
    await save(context, prompts(1))
    run = await replayed(context, {"k0": "ok"})
    for pair in ((run.id, "ffff"), ("ffff", run.id)):
        with pytest.raises(NotFound, match="'ffff'"):
            await compare_runs(context, *pair)


async def test_cases_are_told_by_their_names_or_inputs(context: Context) -> None:
    lines = {"key": "k1", "prompt": "two\nlines " * 90}
    await save(context, [{"key": "k0", "name": "Refund", "prompt": "long"}, lines])
    a = await replayed(context, {"k0": "ok", "k1": "ok"})
    await save(context, [lines, {"key": "k2", "prompt": "added"}])
    b = await replayed(context, {"k1": "ok", "k2": "ok"})
    titles = (await compare_runs(context, a.id, b.id)).titles
    assert (titles["k0"], titles["k2"]) == ("Refund", "added")
    assert titles["k1"].startswith("two lines two lines")
    assert len(titles["k1"]) == 200


async def test_a_dataset_that_was_worked_on_between_two_runs_with_trials(context: Context) -> None:
    """A renamed, a re-keyed, a disabled, an enabled, an added, a removed and an edited case, with three trials."""
    calls: dict[str, int] = {}

    async def answer(given: str) -> str:
        calls[given] = calls.get(given, 0) + 1
        return "ok" if calls[given] % 3 or given == "steady" else "no"

    steady = {"key": "steady", "prompt": "steady"}
    wavers = {"key": "wavers", "prompt": "wavers"}
    edited = {"key": "edited", "prompt": "before"}
    before = [
        {**steady, "name": "Old name"},
        wavers,
        edited,
        {"key": "key-a", "prompt": "re-keyed"},
        {"key": "off", "prompt": "off"},
        {"key": "on", "prompt": "on", "enabled": False},
        {"key": "gone", "prompt": "gone"},
    ]
    await save(context, before)
    a = await finished(context, await start(context, answer, trials=3, concurrency=1))
    after = [
        {**steady, "name": "New name"},
        wavers,
        {**edited, "prompt": "after"},
        {"key": "key-b", "prompt": "re-keyed"},
        {"key": "off", "prompt": "off", "enabled": False},
        {"key": "on", "prompt": "on"},
        {"key": "new", "prompt": "new"},
    ]
    await save(context, after)
    b = await finished(context, await start(context, answer, trials=3, concurrency=1))

    found = await compare_runs(context, a.id, b.id)
    assert set(found.added) == {"key-b", "on", "new"}
    assert set(found.removed) == {"key-a", "off", "gone"}
    by_case: dict[str, set[Change]] = {}
    for pair in found.pairs:
        by_case.setdefault(pair.case_key, set()).add(pair.change)
    assert by_case == {
        "steady": {Change.UNCHANGED}, "wavers": {Change.UNCHANGED}, "edited": {Change.NOT_COMPARABLE}
    }  # fmt: skip
    assert len(found.pairs) == 9  # trial by trial
    assert found.figures.compared == 6
    assert (found.figures.cases_better, found.figures.cases_worse) == (0, 0)
    assert found.figures.difference == 0
