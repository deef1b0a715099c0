import pytest

from aloi.cli.overrides import judge_over, limits_over, target_over
from aloi.core.errors import InvalidInput
from aloi.core.run import JudgeSpec, RunLimits
from aloi.core.spec import JsonObject
from aloi.settings import Settings

TARGET: JsonObject = {"kind": "openai", "model": "openai:a", "base_url": "http://one"}
JUDGE = JudgeSpec(model="openai:judge", base_url="http://one", samples=3)


def test_a_target_with_another_model() -> None:
    assert target_over(TARGET, None, None) == TARGET
    assert target_over(TARGET, "openai:b", None) == {**TARGET, "model": "openai:b"}
    assert target_over(TARGET, None, "http://two") == {**TARGET, "base_url": "http://two"}


def test_a_saved_target_is_not_changed() -> None:
    assert target_over("support@3", None, None) == "support@3"
    with pytest.raises(InvalidInput, match="--model and --base-url cannot change the saved target 'support@3'"):
        target_over("support@3", "openai:b", "http://two")


def test_a_judge_with_another_model_or_more_samples() -> None:
    settings = Settings()
    assert judge_over(JUDGE, settings, None, None, None) is JUDGE
    assert judge_over(None, settings, None, None, None) is None
    changed = judge_over(JUDGE, settings, "openai:other", None, 5)
    assert changed == JudgeSpec(model="openai:other", base_url="http://one", samples=5)
    assert judge_over(None, settings, "openai:new", "http://two", None) == JudgeSpec(
        model="openai:new", base_url="http://two"
    )


def test_samples_of_the_default_judge() -> None:
    settings = Settings(model="openai:default", base_url="http://d", api_key_env="KEY")
    assert judge_over(None, settings, None, None, 2) == JudgeSpec(
        model="openai:default", base_url="http://d", api_key_env="KEY", samples=2
    )


def test_what_does_not_fit() -> None:
    with pytest.raises(InvalidInput, match="there is no judge to change"):
        judge_over(None, Settings(), None, None, 2)
    with pytest.raises(InvalidInput, match="samples"):
        judge_over(JUDGE, Settings(), None, None, 6)
    with pytest.raises(InvalidInput, match="provider:model"):
        judge_over(JUDGE, Settings(), "gpt", None, None)
    with pytest.raises(InvalidInput, match="concurrency"):
        limits_over(RunLimits(), {"concurrency": 0})


def test_limits_keep_what_is_not_given() -> None:
    limits = RunLimits(concurrency=7, max_cost=2.0)
    assert limits_over(limits, {"trials": 3, "max_cost": None}) == RunLimits(concurrency=7, trials=3, max_cost=2.0)
