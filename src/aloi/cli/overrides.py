"""What options of the command line change of a suite."""

from collections.abc import Mapping

from aloi.core.errors import InvalidInput
from aloi.core.run import JudgeSpec, RunLimits
from aloi.core.spec import JsonObject, valid
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
    base = judge or settings.default_judge
    if base is None and model is None:
        raise InvalidInput("there is no judge to change: name one with --judge provider:model or ALOI_JUDGE_MODEL")
    return valid(JudgeSpec, {**(base.model_dump() if base else {}), **changes}, "the judge")


def limits_over(limits: RunLimits, changes: Mapping[str, float | None]) -> RunLimits:
    """The limits with the changes that are not null.

    Raises:
        InvalidInput: a value does not fit.
    """
    given = {name: value for name, value in changes.items() if value is not None}
    return valid(RunLimits, {**limits.model_dump(), **given}, "the run")
