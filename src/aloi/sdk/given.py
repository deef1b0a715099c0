"""What callers may write for a target, a case, an evaluator or a judge, made into values."""

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from pydantic import JsonValue, TypeAdapter, ValidationError

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.core.run import JudgeSpec, RunLimits
from aloi.core.simulation import Simulation, Simulations
from aloi.core.spec import spec_error, valid
from aloi.core.target import Target
from aloi.plugins import build
from aloi.targets.python import Python

TargetLike = Target | Mapping[str, JsonValue] | str | Callable[..., Any]
CaseLike = Case | Mapping[str, Any]
EvaluatorLike = Binding | Mapping[str, Any]
SimulationLike = Simulation | Mapping[str, Any]
JudgeLike = JudgeSpec | Mapping[str, Any] | str


def as_target(target: Target | Mapping[str, JsonValue] | Callable[..., Any]) -> Target:
    """The target that a value, a spec or a callable stands for."""
    if isinstance(target, Target):
        return target
    if isinstance(target, Mapping):
        return build("targets", {**target}, Target)
    if not callable(target):
        raise InvalidInput(f"{target!r:.100} is no target; give a callable, a spec, or the name of a saved one")
    return Python.of(target)


def is_function(target: TargetLike) -> TypeGuard[Callable[..., Any]]:
    """Whether it is a callable of this process, and not a definition that another process could use."""
    return callable(target) and not isinstance(target, (Target, Mapping, str))


def is_here_alone(target: TargetLike) -> TypeGuard[Callable[..., Any] | Python]:
    """Whether it exists in the present process alone: a callable, or a target that holds one."""
    return is_function(target) or (isinstance(target, Python) and target.in_memory)


def name_of(target: TargetLike) -> str:
    """What a target is saved as: a callable's own name, else its kind."""
    if isinstance(target, str):
        return target
    if is_function(target):
        return str(getattr(target, "__qualname__", type(target).__qualname__))
    return as_target(target).kind


def as_case(case: CaseLike) -> Case:
    """The case that a mapping stands for."""
    if isinstance(case, Case):
        return case
    try:
        return Case.model_validate(case)
    except ValidationError as error:
        raise spec_error(f"the case {case!r:.200}", error) from error


def as_binding(evaluator: EvaluatorLike) -> Binding:
    """The binding that a spec stands for."""
    if isinstance(evaluator, Binding):
        return evaluator
    return valid(Binding, evaluator, f"the evaluator {evaluator!r:.200}")


def as_simulations(simulations: Mapping[str, SimulationLike]) -> Simulations:
    """The simulations that mappings stand for."""
    try:
        return TypeAdapter(Simulations).validate_python({**simulations})
    except ValidationError as error:
        raise spec_error("a simulation", error) from error


def as_judge(judge: JudgeLike | None, samples: int | None) -> JudgeSpec | None:
    """The judge that a name or a mapping stands for, with so many samples when that is given."""
    if judge is None:
        return None
    given = {"model": judge} if isinstance(judge, str) else dict(judge)
    return valid(JudgeSpec, {**given, **({} if samples is None else {"samples": samples})}, "the judge")


def as_limits(
    concurrency: int, trials: int, seconds_per_case: float, max_cost: float | None, max_tokens: int | None
) -> RunLimits:
    """How a run is carried out."""
    given = {"concurrency": concurrency, "trials": trials, "seconds_per_case": seconds_per_case}
    return valid(RunLimits, {**given, "max_cost": max_cost, "max_tokens": max_tokens}, "the run")
