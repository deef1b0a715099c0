"""Which model judges: the one named, else the operator's."""

from aloi.core.run import JudgeSpec
from aloi.service.judges import judge_model
from aloi.settings import Settings


def test_the_one_that_was_named_comes_first() -> None:
    given = JudgeSpec(model="openai:named", base_url="http://127.0.0.1:1/v1", settings={"temperature": 0}, samples=3)
    found = judge_model(given, Settings(judge_model="openai:other"))
    assert found == given.model_spec
    assert not hasattr(found, "samples")


def test_else_the_operators_judge_else_the_operators_model() -> None:
    settings = Settings(
        judge_model="openai:judge", model="openai:model", base_url="http://127.0.0.1:1", api_key_env="K"
    )
    found = judge_model(None, settings)
    assert found is not None
    assert (found.model, found.base_url, found.api_key_env) == ("openai:judge", "http://127.0.0.1:1", "K")
    found = judge_model(None, Settings(model="openai:model"))
    assert found is not None
    assert found.model == "openai:model"


def test_none_when_none_is_set() -> None:
    assert judge_model(None, Settings()) is None
