"""Runs: their states, their limits, and the judge."""

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from aloi.core.chat import ModelSpec
from aloi.core.run import JudgeSpec, Progress, Run, RunLimits, RunRequest, RunSpec, RunStatus, TargetVersion
from aloi.core.summary import summarise
from tests.core.made import ERROR, FAIL, PASS, row, rows

NOW = datetime(2026, 1, 2, tzinfo=UTC)
SPEC = RunSpec(target_version_id="v", revision_id="r")


def run(**fields: Any) -> Run:
    return Run.model_validate(
        {
            "id": "01",
            "spec": SPEC,
            "target_name": "support-agent",
            "target_version": 3,
            "dataset_id": "d",
            "dataset_name": "Refunds",
            "created_at": NOW,
            **fields,
        }
    )


def test_which_states_are_final() -> None:
    assert {status for status in RunStatus if status.finished} == {
        RunStatus.COMPLETED,
        RunStatus.CANCELLED,
        RunStatus.FAILED,
    }


def test_a_run_waits_until_it_is_started() -> None:
    made = run()
    assert (made.status, made.target) == (RunStatus.PENDING, "support-agent@3")
    assert (made.summary, made.started_at, made.finished_at, made.reason) == (None,) * 4


def test_a_run_is_kept_as_json_with_its_summary() -> None:
    made = [row(PASS, trial=0, score=0.5), row(FAIL, trial=1), *rows(ERROR, PASS)]
    stored = run(status="completed", summary=summarise(made, 2), started_at=NOW, finished_at=NOW)
    assert Run.model_validate_json(stored.model_dump_json()) == stored


def test_a_time_has_its_zone() -> None:
    with pytest.raises(ValidationError, match="timezone"):
        run(created_at=datetime(2026, 1, 2))


class TestLimits:
    def test_the_defaults(self) -> None:
        limits = RunLimits()
        assert (limits.concurrency, limits.trials, limits.seconds_per_case) == (5, 1, 300.0)
        assert (limits.max_cost, limits.max_tokens) == (None, None)

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("concurrency", 0),
            ("concurrency", 10_001),
            ("concurrency", 2.5),
            ("trials", 0),
            ("trials", 1001),
            ("seconds_per_case", 0),
            ("seconds_per_case", float("inf")),
            ("seconds_per_case", float("nan")),
            ("max_cost", 0),
            ("max_cost", float("inf")),
            ("max_tokens", 0),
            ("retries", 3),
        ],
    )
    def test_what_does_not_fit_is_refused_by_name(self, name: str, value: float) -> None:
        with pytest.raises(ValidationError, match=name):
            RunLimits.model_validate({name: value})

    def test_they_are_kept_as_json(self) -> None:
        limits = RunLimits(concurrency=10_000, trials=1000, seconds_per_case=0.5, max_cost=1e-6, max_tokens=1)
        assert RunLimits.model_validate_json(limits.model_dump_json()) == limits


class TestJudge:
    def test_it_is_a_model_and_how_often_it_is_asked(self) -> None:
        judge = JudgeSpec(model="openai:judge", base_url="http://here", settings={"temperature": 0}, samples=3)
        assert judge.model_spec == ModelSpec(model="openai:judge", base_url="http://here", settings={"temperature": 0})
        assert type(judge.model_spec) is ModelSpec

    @pytest.mark.parametrize("samples", [0, 6])
    def test_it_is_asked_once_to_five_times(self, samples: int) -> None:
        with pytest.raises(ValidationError, match="samples"):
            JudgeSpec(model="openai:judge", samples=samples)


def test_a_spec_covers_every_case_without_a_judge_unless_told() -> None:
    assert (SPEC.judge, SPEC.case_keys, SPEC.parent_id, SPEC.regrades, SPEC.complete) == (None, None, None, False, True)
    assert SPEC.limits == RunLimits()
    assert RunSpec.model_validate_json(SPEC.model_dump_json()) == SPEC


def test_a_request_names_a_version_and_a_dataset() -> None:
    request = RunRequest(target_version_id="v", dataset="Refunds")
    assert (request.judge, request.case_keys, request.tags) == (None, None, ())
    with pytest.raises(ValidationError, match="dataset"):
        RunRequest.model_validate({"target_version_id": "v"})


def test_a_version_holds_its_definition() -> None:
    version = TargetVersion(
        id="v",
        target_id="t",
        target_name="support-agent",
        number=1,
        kind="openai",
        definition={"model": "openai:x", "settings": {"temperature": 0.5}},
        content_hash="00",
        created_at=NOW,
    )
    assert version.fingerprint == {}
    assert TargetVersion.model_validate_json(version.model_dump_json()) == version


def test_progress_starts_at_nothing_with_no_known_cost() -> None:
    assert Progress(total=3).model_dump() == {
        "total": 3,
        "passed": 0,
        "failed": 0,
        "errors": 0,
        "tokens": 0,
        "cost": None,
    }
