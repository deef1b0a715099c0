"""What starts a run over the API, and the request that it becomes."""

from typing import Any

import pytest
from pydantic import ValidationError

from aloi.core.run import RunLimits, RunRequest
from aloi.core.run_start import RetryStart, RunStart, SuiteStart
from aloi.core.score import Verdict

BASE = {"dataset_id": "data"}


def test_it_becomes_the_request_that_clients_make() -> None:
    start = RunStart.model_validate(
        {
            **BASE,
            "target_id": "bot",
            "version": 2,
            "case_ids": ["a"],
            "concurrency": 3,
            "max_cost": 1.5,
            "judge": {"model": "openai:judge"},
            "evaluators": [{"kind": "contains", "text": "x"}],
            "tags": ["t"],
        }
    )
    request = start.request("v")
    assert request == RunRequest.model_validate(
        {
            "target_version_id": "v",
            "dataset": "data",
            "judge": {"model": "openai:judge"},
            "limits": {"concurrency": 3, "max_cost": 1.5},
            "case_keys": ["a"],
            "evaluators": [{"kind": "contains", "text": "x"}],
            "tags": ["t"],
        }
    )


def test_what_is_not_said_has_the_defaults_of_every_run() -> None:
    request = RunStart.model_validate({**BASE, "agent_id": "bot"}).request("v")
    assert (request.limits, request.judge, request.case_keys, request.evaluators) == (RunLimits(), None, None, None)


@pytest.mark.parametrize(
    ("named", "target"),
    [({"target_id": "a"}, "a"), ({"agent_id": "b"}, "b"), ({"target_version_id": "c"}, None)],
)
def test_the_target_by_any_name(named: dict[str, Any], target: str | None) -> None:
    assert RunStart.model_validate({**BASE, **named}).target == target


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ({}, "name the target once"),
        ({"target_id": "a", "agent_id": "a"}, "name the target once"),
        ({"target_version_id": "a", "version": 1}, "names one by itself"),
        ({"target_id": "a", "version": 0}, "version"),
        ({"target_id": "a", "case_ids": []}, "case_ids"),
    ],
)
def test_what_does_not_fit(named: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        RunStart.model_validate({**BASE, **named})


async def test_a_suite_gives_its_cases_in_order() -> None:
    request = {"target_version_id": "v", "dataset": "data"}
    suite = SuiteStart.model_validate({"request": request, "cases": [{"prompt": "a"}, {"prompt": "b"}]})
    assert [case.input async for case in suite.each()] == ["a", "b"]


def test_a_retry_is_of_the_errors() -> None:
    assert RetryStart().verdicts == (Verdict.ERROR,)
