"""Which results are counted for which judge."""

import pytest

from aloi.core.calibration import Calibration
from aloi.core.label import LabelGiven, LabelVerdict
from aloi.core.score import Verdict
from aloi.service import again, calibration, labels, runs
from aloi.service.calibration import completed
from aloi.service.context import Context
from tests.model_server import ModelServer
from tests.service.judging import JUDGE, judged, label
from tests.service.started_runs import finished

CONTAINS = {"kind": "contains", "text": "answer"}


async def judges(context: Context, run: str | None = None, dataset: str | None = None) -> list[Calibration]:
    return list((await calibration.listing(context, None, dataset, run, 1, 100)).items)


async def the_judge(context: Context, run: str | None = None) -> Calibration:
    [one] = await judges(context, run)
    return one


async def test_runs_of_the_same_judge_are_counted_together(context: Context, model_server: ModelServer) -> None:
    for name in ("one", "two"):
        await label(context, await judged(context, model_server, ["1", "0"], name=name), ["pass", "pass"])
    found = await the_judge(context)
    assert (found.labelled, found.true_passes, found.false_fails) == (4, 2, 2)
    assert (found.judge.evaluator, found.judge.kind) == ("polite", "llm_judge")
    assert found.judge.spec == {"kind": "llm_judge", "rubric": "Be polite.", "threshold": 0.5, "target_path": None}


async def test_another_model_rubric_threshold_or_number_of_samples_is_another_judge(
    context: Context, model_server: ModelServer
) -> None:
    await judged(context, model_server, ["1"], name="usual")
    await judged(context, model_server, ["1"], name="default", evaluators=({**JUDGE, "threshold": 0.5},))
    assert len(await judges(context)) == 1
    await judged(context, model_server, ["1"], name="model", model="openai:judge-2")
    await judged(context, model_server, ["1"], name="rubric", evaluators=({**JUDGE, "rubric": "Be rude."},))
    await judged(context, model_server, ["1"], name="threshold", evaluators=({**JUDGE, "threshold": 0.6},))
    await judged(context, model_server, ["11"], name="samples")
    assert len({one.judge.hash for one in await judges(context)}) == 5


async def test_criteria_that_replace_the_judges_own_make_another(context: Context, model_server: ModelServer) -> None:
    cases = [
        {"criteria": {"polite": {"rubric": "Be rude."}}},
        {"criteria": {"polite": {"threshold": 0.5}}},
        {"evaluators": [{"kind": "llm_judge", "name": "polite", "rubric": "Be short.", "weight": 0}]},
    ]
    run = await judged(context, model_server, ["1", "1", "1", "0"], cases=cases)
    await label(context, run, ["pass", "pass", "pass", "fail"])
    usual, rude, short = await judges(context)
    assert [one.judge.spec["rubric"] for one in (usual, rude, short)] == ["Be polite.", "Be rude.", "Be short."]
    assert (usual.labelled, usual.true_passes, usual.true_fails) == (3, 2, 1)
    assert (rude.labelled, short.labelled, short.left_out) == (1, 0, 1)
    [whole] = usual.corrected
    assert (whole.status, whole.decided, whole.judged) == ("too_few_labels", 4, 3)


async def test_a_judge_is_not_blamed_for_what_others_decided(context: Context, model_server: ModelServer) -> None:
    cases = [{"evaluators": [CONTAINS]}, {"evaluators": [{**CONTAINS, "weight": 0}]}]
    run = await judged(context, model_server, ["1", "1", "0"], cases=cases)
    await label(context, run, ["fail", "pass", "fail"])
    found = await the_judge(context)
    assert (found.labelled, found.left_out) == (2, 1)
    assert (found.true_passes, found.true_fails) == (1, 1)
    assert (found.corrected[0].decided, found.corrected[0].judged, found.corrected[0].exact) == (3, 2, 0)


async def test_a_judge_that_only_informs_is_not_compared(context: Context, model_server: ModelServer) -> None:
    run = await judged(context, model_server, ["11", "00"], evaluators=({**JUDGE, "weight": 0}, CONTAINS))
    await label(context, run, ["pass", "fail"])
    found = await the_judge(context)
    assert (found.labelled, found.left_out, found.resampled) == (0, 2, 2)
    assert (found.corrected[0].status, found.corrected[0].exact) == ("nothing_judged", 2)


async def test_results_without_a_verdict_count_in_no_figure(context: Context, model_server: ModelServer) -> None:
    run = await judged(context, model_server, ["1", "0"])
    await label(context, run, ["pass", "fail"])
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE results SET verdict = 'error' WHERE position = 0")
    found = await the_judge(context)
    assert (found.labelled, found.left_out, found.true_fails) == (1, 0, 1)
    assert found.corrected[0].decided == 1


async def test_a_mixed_suite_is_corrected_with_its_exact_part(context: Context, model_server: ModelServer) -> None:
    labelled = await judged(context, model_server, ["1"] * 25 + ["0"] * 25, name="labelled")
    passes, fails = list[LabelVerdict](["pass"]), list[LabelVerdict](["fail"])
    await label(context, labelled, passes * 22 + fails * 23 + passes * 5)
    # Where an expected answer is given and the judge is not bound, the exact evaluator alone decides.
    own = {"evaluators": [{**JUDGE, "name": "own"}]}
    exact = {"evaluators": [CONTAINS]}
    votes = ["1", "1", "1", "0", "1", "1"]
    run = await judged(context, model_server, votes, evaluators=(), cases=[own] * 4 + [exact] * 2, name="mixed")
    found = await the_judge(context)
    assert (found.labelled, found.sensitivity.total, found.specificity.total) == (50, 27, 23)
    mixed = found.corrected[0]
    assert (mixed.run_id, mixed.status, mixed.judged, mixed.exact, mixed.decided) == (run.id, "ok", 4, 2, 6)
    assert mixed.judged_rate is not None and mixed.interval is not None
    assert mixed.rate == pytest.approx((2 + 4 * mixed.judged_rate) / 6)
    assert mixed.interval.low <= (2 + 4 * mixed.judged_rate) / 6 <= mixed.interval.high


async def test_trials_are_labelled_but_their_run_is_not_corrected(context: Context, model_server: ModelServer) -> None:
    run = await judged(context, model_server, ["1", "0"], trials=2)
    await label(context, run, ["pass", "fail"])
    await labels.give(context, run.id, "k0", LabelGiven(verdict="fail", trial=1))
    found = await the_judge(context)
    assert (found.labelled, found.false_passes) == (3, 1)
    assert found.corrected[0].status == "several_trials"


async def test_a_retry_counts_its_copies_once(context: Context, model_server: ModelServer) -> None:
    first = await judged(context, model_server, ["110", "111", "000"])
    await label(context, first, ["pass", "pass", "fail"])
    retried = await finished(context, await again.retry(context, first.id, [Verdict.FAIL]))
    await label(context, retried, ["fail", "pass", None])
    found = await the_judge(context)
    # k0 by its last label, k1 once, k2 of the first run; the retry judged k2 anew.
    assert (found.labelled, found.false_passes, found.true_passes, found.true_fails) == (3, 1, 1, 1)
    assert (found.resampled, found.disagreed) == (4, 1)
    assert [one.judged for one in found.corrected] == [3, 3]
    alone = await the_judge(context, retried.id)
    assert (alone.resampled, alone.labelled) == (3, 2)
    await runs.delete(context, first.id)
    assert (await the_judge(context)).resampled == 3


async def test_only_so_many_results_are_looked_at_for_agreement(
    context: Context, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("old", "middle", "new"):
        await label(context, await judged(context, model_server, ["11", "10"], name=name), ["pass"])
    monkeypatch.setattr(calibration, "RESULTS_READ", 3)
    found = await the_judge(context)
    assert (found.resampled, found.older_runs, len(found.corrected)) == (4, 1, 2)
    assert found.labelled == 3
    monkeypatch.setattr(calibration, "RUNS_AT_ONCE", 1)
    assert await the_judge(context) == found


async def test_a_run_that_was_cancelled_is_not_corrected(context: Context, model_server: ModelServer) -> None:
    await judged(context, model_server, ["11", "10"])
    async with context.database.transaction() as tx:
        await tx.execute("UPDATE runs SET status = 'cancelled'")
    found = await the_judge(context)
    assert (found.resampled, found.corrected) == (2, ())


async def test_the_implied_judges_are_judges_too(context: Context, model_server: ModelServer) -> None:
    cases = [{"expected_behavior": "It is kind."}, {"expected_output": "yes"}]
    run = await judged(context, model_server, ["1", "0"], evaluators=(), cases=cases)
    await label(context, run, ["pass", "pass"])
    found = {one.judge.kind: one for one in await judges(context)}
    assert set(found) == {"behavior_judge", "output_judge"}
    assert found["behavior_judge"].true_passes == found["output_judge"].false_fails == 1
    assert found["output_judge"].judge.spec["threshold"] == 0.7


def test_a_spec_that_fits_its_kind_no_more_stays_as_it_is() -> None:
    assert completed({"kind": "gone", "rubric": "x"}) == {"kind": "gone", "rubric": "x"}
    assert completed({"kind": "llm_judge", "rubric": " "}) == {"kind": "llm_judge", "rubric": " "}
