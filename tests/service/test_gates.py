"""Gates over real runs: what counts, what is stale, what may be changed, and what is written down."""

from typing import Any

import pytest

from aloi.core.binding import Binding
from aloi.core.errors import Conflict, NotFound, Stale
from aloi.core.gate import DatasetGate, Gate, Ruling, Standing
from aloi.core.identity import etag
from aloi.core.misfit import Misfit
from aloi.core.run import RunStatus
from aloi.core.score import Verdict
from aloi.core.simulation import StaticAnswer, StaticSimulation
from aloi.core.spec import JsonObject
from aloi.service import again, audit, binding, cases, datasets, gates, runs, saved_evaluators
from aloi.service.context import Context
from aloi.store import datasets as stored_datasets
from tests.model_server import ModelServer
from tests.service.gated import BOT, Gated, gated, judge_of, run_of, set_gate, start
from tests.service.started_runs import CONTAINS, finished, prompts, save


@pytest.fixture
async def bot(context: Context) -> Gated:
    """A target with a gate."""
    return await gated(context)


async def a_case(bot: Gated) -> str:
    """The id of the dataset's first case."""
    async for case in datasets.cases(bot.context, "data"):
        return case.id
    raise AssertionError("there is no case")


class TestWhatCounts:
    async def test_the_figures_of_the_latest_run(self, bot: Gated) -> None:
        [policy] = (await bot.says()).policies
        assert (policy.standing, policy.run) == (Standing.MISSING, None)
        await bot.run(9)
        run = await bot.run(7, errors=1)
        state = await bot.says()
        [policy] = state.policies
        assert policy.run is not None and run.summary is not None
        assert (policy.run.run_id, policy.run.finished_at) == (run.id, run.finished_at)
        assert (policy.decision.passed, policy.decision.failed, policy.decision.errors) == (7, 2, 1)
        assert (policy.decision.ruling, state.allowed) == (Ruling.UNDECIDED, False)
        await bot.run(8)
        assert (await bot.says()).allowed
        assert not (await bot.says(1)).allowed

    async def test_trials_count_one_by_one(self, bot: Gated) -> None:
        await bot.run(8, errors=1, trials=3)
        [policy] = (await bot.says()).policies
        assert (policy.decision.passed, policy.decision.failed, policy.decision.errors) == (24, 3, 3)

    async def test_a_subset_or_other_evaluators_do_not(self, bot: Gated) -> None:
        await bot.run(0, case_keys=("k0", "k1"))
        await bot.run(0, case_keys=tuple(f"k{n}" for n in range(10)))
        await bot.run(0, evaluators=tuple(map(Binding.model_validate, CONTAINS)))
        assert "no complete run" in await bot.words()

    async def test_a_retry_of_errors_does_and_one_of_failures_does_not(self, bot: Gated) -> None:
        first = await bot.run(7, errors=2)
        bot.answers.by_prompt = {}
        await finished(bot.context, await again.retry(bot.context, first.id, [Verdict.FAIL]))
        assert (await bot.words()).startswith("undecided: 7/10 passed")
        both = [Verdict.FAIL, Verdict.ERROR]
        second = await finished(bot.context, await again.retry(bot.context, first.id, both))
        assert second.summary is not None and second.summary.passed == 10
        with pytest.raises(Exception, match="nothing to retry"):
            await again.retry(bot.context, second.id, [Verdict.ERROR])
        assert (await bot.words()).startswith("undecided: 7/10 passed")
        await finished(bot.context, await again.retry(bot.context, first.id, [Verdict.ERROR]))
        assert (await bot.words()).startswith("allowed: 9/10 passed")

    async def test_a_retry_of_errors_of_what_does_not_count_does_not(self, bot: Gated) -> None:
        part = await bot.run(0, errors=2, case_keys=("k0", "k1", "k2"))
        bot.answers.by_prompt = {}
        await finished(bot.context, await again.retry(bot.context, part.id, [Verdict.ERROR]))
        assert "no complete run" in await bot.words()

    async def test_a_cancelled_run_does_not_until_it_was_resumed_to_its_end(self, bot: Gated) -> None:
        await bot.run(9)
        bot.answers.open.clear()
        run = await runs.cancel(bot.context, (await start(bot.context, bot.second)).id)
        assert run.status is RunStatus.CANCELLED
        assert (await bot.words()).startswith("allowed: 9/10 passed")
        bot.answers.open.set()
        bot.answers.by_prompt = {}
        await finished(bot.context, await runs.resume(bot.context, run.id))
        assert (await bot.words()).startswith("allowed: 10/10 passed")

    async def test_a_deleted_run_is_not_followed_by_an_older_one(self, bot: Gated) -> None:
        await bot.run(9)
        bad = await bot.run(7, errors=1)
        await runs.delete(bot.context, bad.id)
        [policy] = (await bot.says()).policies
        assert policy.run is not None
        assert (policy.run.run_id, policy.run.deleted) == (bad.id, True)
        assert (await bot.words()).endswith("which takes a new run, for this one was deleted")

    async def test_a_regrade_of_all_cases_does(self, bot: Gated) -> None:
        run = await bot.run(3)
        await save(bot.context, prompts(10), evaluators=[{"kind": "contains", "text": "no"}])
        assert "the dataset changed" in await bot.words()
        await finished(bot.context, await again.regrade(bot.context, run.id))
        assert (await bot.words()).startswith("refused: 7/10 passed")

    async def test_a_regrade_of_a_retry_of_failures_does_not(self, bot: Gated) -> None:
        first = await bot.run(3)
        bot.answers.by_prompt = {}
        picked = await finished(bot.context, await again.retry(bot.context, first.id, [Verdict.FAIL]))
        regraded = await finished(bot.context, await again.regrade(bot.context, picked.id))
        await finished(bot.context, await again.regrade(bot.context, regraded.id))
        assert regraded.summary is not None and regraded.summary.passed == 10
        assert (await bot.words()).startswith("refused: 3/10 passed")

    async def test_a_retry_or_a_regrade_of_an_older_run_does_not_stand_before_a_newer_run(self, bot: Gated) -> None:
        old = await bot.run(8, errors=1)
        await bot.run(3)
        bot.answers.by_prompt = {}
        retried = await finished(bot.context, await again.retry(bot.context, old.id, [Verdict.ERROR]))
        regraded = await finished(bot.context, await again.regrade(bot.context, retried.id))
        assert regraded.summary is not None and regraded.summary.passed == 9
        assert (await bot.words()).startswith("refused: 3/10 passed")


Edit = dict[str, Any]


class TestStale:
    @pytest.mark.parametrize(
        "edit",
        [
            {"prompt": "another"},
            {"expected_output": 1},
            {"assertions": ["polite"], "evaluators": [{"kind": "contains", "text": "o"}]},
            {"criteria": {"contains": {"text": "o"}}},
            {"simulations": {"search": {"kind": "static", "answers": [{"output": 1}]}}},
            {"enabled": False},
            {"status": "draft"},
            {"key": "other"},
        ],
    )
    async def test_an_edit_of_a_case_makes_runs_stale_until_it_is_undone(self, bot: Gated, edit: JsonObject) -> None:
        run = await bot.run(9)
        case_id = await a_case(bot)
        before = await cases.read(bot.context, bot.dataset_id, case_id)
        await cases.update(bot.context, bot.dataset_id, case_id, edit)
        [policy] = (await bot.says()).policies
        assert policy.run is not None
        assert (policy.standing, policy.run.run_id, policy.decision.passed) == (Standing.STALE, run.id, 0)
        assert not (await bot.says()).allowed
        undone = {name: value for name, value in before.model_dump(mode="json").items() if name in {*edit, "input"}}
        await cases.update(bot.context, bot.dataset_id, case_id, undone)
        assert (await bot.says()).allowed

    @pytest.mark.parametrize("edit", [{"name": "n"}, {"tags": ["a"]}])
    async def test_names_and_tags_do_not(self, bot: Gated, edit: JsonObject) -> None:
        await bot.run(9)
        await cases.update(bot.context, bot.dataset_id, await a_case(bot), edit)
        await datasets.update(bot.context, bot.dataset_id, {"name": "renamed", "description": "d", "judge_samples": 3})
        assert (await bot.says()).allowed

    async def test_new_and_deleted_cases_and_drafts(self, bot: Gated) -> None:
        await bot.run(9)
        await cases.create(bot.context, bot.dataset_id, {"key": "draft", "prompt": "x", "status": "draft"})
        assert (await bot.says()).allowed
        new = await cases.create(bot.context, bot.dataset_id, {"key": "new", "prompt": "x"})
        assert not (await bot.says()).allowed
        await cases.delete(bot.context, bot.dataset_id, new.id)
        assert (await bot.says()).allowed

    async def test_evaluators_of_the_dataset(self, bot: Gated) -> None:
        await bot.run(9)
        saved = await saved_evaluators.create(
            bot.context, {"name": "contains", "spec": {"kind": "contains", "text": "ok"}}
        )
        await binding.bind(bot.context, bot.dataset_id, [{"evaluator_id": saved.id}])
        assert (await bot.says()).allowed  # what grades is the same
        await binding.bind(bot.context, bot.dataset_id, [{"evaluator_id": saved.id, "weight": 2}])
        assert not (await bot.says()).allowed
        await binding.bind(bot.context, bot.dataset_id, [{"evaluator_id": saved.id}])
        await saved_evaluators.update(bot.context, saved.id, {"spec": {"kind": "contains", "text": "o"}})
        assert not (await bot.says()).allowed

    async def test_simulations_of_the_dataset(self, bot: Gated) -> None:
        await bot.run(9)
        async with bot.context.database.transaction() as tx:
            dataset = await stored_datasets.by_id(tx, bot.dataset_id)
            stand_in = StaticSimulation(kind="static", answers=(StaticAnswer(output=1),))
            await stored_datasets.update(tx, dataset.model_copy(update={"simulations": {"search": stand_in}}))
        assert "the dataset changed" in await bot.words()
        await bot.run(10)
        assert (await bot.says()).allowed

    async def test_judge_samples_where_a_case_is_judged(self, bot: Gated, model_server: ModelServer) -> None:
        judged = [*CONTAINS, {"kind": "llm_judge", "rubric": "polite"}]
        await save(bot.context, prompts(10), evaluators=judged)
        await bot.run(9, judge=judge_of(model_server.url))
        assert (await bot.says()).allowed
        await datasets.update(bot.context, bot.dataset_id, {"judge_samples": 3})
        assert "the dataset changed" in await bot.words()
        await bot.run(10, judge=judge_of(model_server.url))
        assert (await bot.words()).startswith("allowed: 10/10")
        await datasets.update(bot.context, bot.dataset_id, {"judge_samples": 1})
        assert (await bot.words()).startswith("allowed: 9/10")


class TestPolicies:
    async def test_all_that_are_on_must_allow(self, bot: Gated) -> None:
        await save(bot.context, prompts(10), name="more")
        await set_gate(bot.context, data=0.8, more=1.0)
        await bot.run(9)
        assert not (await bot.says()).allowed
        await run_of(bot.context, bot.second, "more")
        state = await bot.says()
        assert [policy.dataset_name for policy in state.policies] == ["data", "more"]
        assert not state.allowed
        bot.answers.by_prompt = {}
        await run_of(bot.context, bot.second, "more")
        assert (await bot.says()).allowed
        await set_gate(bot.context, data=0.95, enabled=False)
        state = await bot.says()
        assert (state.allowed, state.policies[0].decision.ruling) == (True, Ruling.BELOW)

    async def test_without_any_everything_is_allowed(self, bot: Gated) -> None:
        state = await set_gate(bot.context)
        assert (state.allowed, state.policies, state.version) == (True, (), 2)

    async def test_a_dataset_goes_by_name_or_id_and_once(self, bot: Gated) -> None:
        one, other = (DatasetGate(dataset_id=ref, threshold=0.5) for ref in ("data", bot.dataset_id))
        state = await gates.replace(bot.context, BOT, Gate(policies=(one,)))
        assert state.gate == Gate(policies=(other,))
        for given, place in (((one, other), "/policies/1/"), ((DatasetGate(dataset_id="x", threshold=1),), "/0/")):
            with pytest.raises(Misfit, match=place):
                await gates.replace(bot.context, BOT, Gate(policies=given))
        with pytest.raises(NotFound, match="nobody"):
            await gates.replace(bot.context, "nobody", Gate(policies=()))
        assert (await bot.says()).gate == Gate(policies=(other,))

    async def test_of_two_who_read_the_same_the_second_is_told(self, bot: Gated) -> None:
        read = etag((await bot.says()).gate)
        await gates.replace(bot.context, BOT, Gate(policies=()), read)
        with pytest.raises(Stale, match="the gate of 'bot'"):
            await gates.replace(bot.context, BOT, Gate(policies=()), read)

    async def test_changes_are_in_the_log(self, bot: Gated) -> None:
        await set_gate(bot.context, data=0.8)
        await set_gate(bot.context, data=0.9)
        [changed, made] = (await audit.listing(bot.context, action="gate.")).items
        first = {"policies": [{"dataset": "data", "threshold": 0.8, "enabled": True}]}
        second = {"policies": [{"dataset": "data", "threshold": 0.9, "enabled": True}]}
        assert (made.before, made.after, changed.before, changed.after) == ({"policies": []}, first, first, second)
        assert (changed.action, changed.object_kind, changed.object_name) == ("gate.update", "gate", "bot")

    async def test_a_dataset_that_a_gate_is_on_is_kept(self, bot: Gated) -> None:
        await set_gate(bot.context, data=0.8, enabled=False)
        with pytest.raises(Conflict, match=r"versions of bot may become active; an owner takes it off the gate first"):
            await datasets.delete(bot.context, bot.dataset_id)
        await set_gate(bot.context)
        await datasets.delete(bot.context, bot.dataset_id)

    async def test_what_is_not_there(self, bot: Gated) -> None:
        for ref, number in (("nobody", None), (BOT, 3), (BOT, 0)):
            with pytest.raises(NotFound):
                await gates.get(bot.context, ref, number)
        assert (await gates.get(bot.context, BOT)).version == 2


async def test_what_a_runs_page_shows(bot: Gated) -> None:
    await save(bot.context, prompts(10), name="more")
    run, elsewhere = await bot.run(9), await run_of(bot.context, bot.second, "more")
    assert await gates.of_run(bot.context, run.id) == (await bot.says()).policies
    assert await gates.of_run(bot.context, elsewhere.id) == ()
    with pytest.raises(NotFound):
        await gates.of_run(bot.context, bot.dataset_id)
