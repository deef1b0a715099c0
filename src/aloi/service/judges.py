"""Which model judges."""

from aloi.core.chat import ModelSpec
from aloi.core.run import JudgeSpec
from aloi.settings import Settings


def judge_model(given: JudgeSpec | None, settings: Settings) -> ModelSpec | None:
    """The judge that was named, else the operator's, else the operator's model; null when none is set."""
    if given is not None:
        return given.model_spec
    name = settings.judge_model or settings.model
    if name is None:
        return None
    return ModelSpec(model=name, base_url=settings.base_url, api_key_env=settings.api_key_env)
