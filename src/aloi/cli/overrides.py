"""What options of the command line change of a suite."""

from collections.abc import Mapping

from pydantic import ValidationError

from aloi.core.errors import InvalidInput
from aloi.core.run import JudgeSpec, RunLimits
from aloi.core.spec import JsonObject, spec_error
from aloi.settings import Settings


def target_over(target: str | JsonObject, model: str | None, base_url: str | None) -> str | JsonObject:
    """The target with another model or address.

    Raises:
        InvalidInput: the target is a saved one, which never changes.
    """
    changes: JsonObject = {name: value for name, value in (("model", model), ("base_url", base_url)) if value}
    if changes and isinstance(target, str):
        options = " and ".join(f"--{name.replace('_', '-')}" for name in changes)
        raise InvalidInput(
            f"{options} cannot change the saved target {target!r}; write the target's definition into the suite instead"
        )
    return target if isinstance(target, str) else {**target, **changes}


def judge_over(
    judge: JudgeSpec | None, settings: Settings, model: str | None, url: str | None, samples: int | None
) -> JudgeSpec | None:
    """The judge with another model, address or number of samples; without any of them the judge as it is.

    Raises:
        InvalidInput: there is no judge to change, or a value does not fit.
    """
    changes = {name: value for name, value in (("model", model), ("base_url", url), ("samples", samples)) if value}
    if not changes:
        return judge
    base = judge.model_dump() if judge is not None else _default_judge(settings)
    fields = {**base, **changes}
    if "model" not in fields:
        raise InvalidInput("there is no judge to change: name one with --judge provider:model or ALOI_JUDGE_MODEL")
    try:
        return JudgeSpec.model_validate(fields)
    except ValidationError as error:
        raise spec_error("the judge", error) from error


def _default_judge(settings: Settings) -> JsonObject:
    model = settings.judge_model or settings.model
    if model is None:
        return {}
    return {"model": model, "base_url": settings.base_url, "api_key_env": settings.api_key_env}


def limits_over(limits: RunLimits, changes: Mapping[str, float | None]) -> RunLimits:
    """The limits with the changes that are not null.

    Raises:
        InvalidInput: a value does not fit.
    """
    given = {name: value for name, value in changes.items() if value is not None}
    try:
        return RunLimits.model_validate({**limits.model_dump(), **given})
    except ValidationError as error:
        raise spec_error("the run", error) from error
