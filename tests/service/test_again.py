"""Retry and regrade: what is carried over, what is called, what is complete."""

from typing import Any

import pytest

from aloi.core.errors import InvalidInput
from aloi.core.run import RunStatus
from aloi.core.score import Verdict
from aloi.service import again
from aloi.service.context import Context
from tests.service.running import finished, prompts, results_of, save, start


class Flaky:
    """Fails on odd prompts until it is mended, and counts its calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.mended = False

    async def __call__(self, given: Any) -> Any:
        self.calls.append(given)
        if not self.mended and int(given.split()[1]) % 2:
            raise ConnectionError("down")
        return "ok" if given != "prompt 2" else "no"


async def test_a_retry_of_errors_calls_them_alone_and_is_complete(context: Context) -> None:
    target = Flaky()
    await save(context, prompts(6))
    first = await finished(context, await start(context, target))
    assert first.summary is not None
    assert (first.summary.passed, first.summary.failed, first.summary.errors) == (2, 1, 3)
    target.calls.clear()
    target.mended = True
    run = await finished(context, await again.retry(context, first.id, [Verdict.ERROR]))
    assert sorted(target.calls) == ["prompt 1", "prompt 3", "prompt 5"]
    assert run.summary is not None
    assert (run.summary.passed, run.summary.failed, run.summary.errors) == (5, 1, 0)
    assert run.spec.parent_id == first.id
    assert run.spec.complete
    found = await results_of(context, run)
    assert {key: result.carried_over for key, result in found.items()} == {f"k{n}": n % 2 == 0 for n in range(6)}


async def test_a_retry_of_fails_is_never_complete(context: Context) -> None:
    target = Flaky()
    target.mended = True
    await save(context, prompts(4))
    first = await finished(context, await start(context, target))
    run = await finished(context, await again.retry(context, first.id, [Verdict.FAIL]))
    assert not run.spec.complete


async def test_nothing_to_retry_is_said(context: Context) -> None:
    target = Flaky()
    target.mended = True
    await save(context, prompts(2))
    first = await finished(context, await start(context, target))
    with pytest.raises(InvalidInput, match="nothing to retry"):
        await again.retry(context, first.id, [Verdict.ERROR])


async def test_a_regrade_calls_nothing_and_uses_the_present_evaluators(context: Context) -> None:
    target = Flaky()
    target.mended = True
    await save(context, prompts(4))
    first = await finished(context, await start(context, target))
    target.calls.clear()
    await save(context, prompts(4), evaluators=[{"kind": "contains", "text": "no"}])
    run = await finished(context, await again.regrade(context, first.id))
    assert target.calls == []
    assert run.status is RunStatus.COMPLETED
    assert {key: result.verdict for key, result in (await results_of(context, run)).items()} == {
        "k0": Verdict.FAIL,
        "k1": Verdict.FAIL,
        "k2": Verdict.PASS,
        "k3": Verdict.FAIL,
    }
    assert run.spec.complete


async def test_a_regrade_leaves_out_cases_whose_input_changed_or_that_are_new(context: Context) -> None:
    target = Flaky()
    target.mended = True
    await save(context, prompts(3))
    first = await finished(context, await start(context, target))
    await save(context, [{"key": "new", "prompt": "prompt 9"}, {"key": "k0", "prompt": "edited"}, *prompts(3)[1:]])
    run = await finished(context, await again.regrade(context, first.id))
    assert sorted(await results_of(context, run)) == ["k1", "k2"]
    assert not run.spec.complete
    assert run.total == 2


async def test_a_retry_of_a_retry_can_still_be_graded_anew(context: Context) -> None:
    target = Flaky()
    await save(context, prompts(4))
    first = await finished(context, await start(context, target))
    target.mended = True
    second = await finished(context, await again.retry(context, first.id, [Verdict.ERROR]))
    third = await finished(context, await again.regrade(context, second.id))
    assert len(await results_of(context, third)) == 4
