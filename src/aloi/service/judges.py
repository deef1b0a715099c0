"""Which model judges."""

from aloi.core.chat import ModelSpec
from aloi.core.run import JudgeSpec
from aloi.settings import Settings


def judge_model(given: JudgeSpec | None, settings: Settings) -> ModelSpec | None:
    """The judge that was named, else the operator's; null when none is set.

    Raises:
        InvalidInput: as `Settings.default_judge`.
    """
    return settings.default_judge if given is None else given.model_spec
