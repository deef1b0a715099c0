"""The kind `python`."""

import asyncio
import inspect
import pkgutil
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, ClassVar, cast

from pydantic import Field

from aloi.core.errors import StageFailure
from aloi.core.evaluator import EvaluationContext, Evaluator
from aloi.core.score import Score, scored

# A function `async def` or not; what it returns is checked.
Function = Callable[..., Any]


class Python(Evaluator):
    """Grade with a Python function of your own; only where the operator has allowed code.

    The function requires `(ctx)`, `(output, case)` or `(output, case, ctx)`, by position, and may be `async`. `ctx` has
    `case`, `outcome` and `trajectory`. It returns true or false, a number from 0 to 1, a `Score`, or
    `{"value": 0.8, "explanation": "..."}`. A function that is not `async` runs in a thread.
    """

    kind: ClassVar[str] = "python"
    reads_trace: ClassVar[bool] = True
    runs_code: ClassVar[bool] = True
    function: str = Field(
        pattern=r"^[A-Za-z_][\w.]*:[A-Za-z_][\w.]*$", description="module:function, e.g. my_checks:is_polite"
    )
    threshold: float = Field(default=1.0, ge=0, le=1, description="The least value that passes.")

    async def evaluate(self, ctx: EvaluationContext) -> Score:
        try:
            function = await asyncio.to_thread(imported, self.function)
            arguments = _arguments(function, ctx)
            if inspect.iscoroutinefunction(function):
                returned = await function(*arguments)
            else:
                returned = await asyncio.to_thread(_called, function, arguments)
                returned = await returned if inspect.isawaitable(returned) else returned
        except StageFailure:
            raise
        except (Exception, SystemExit) as error:  # one that asks the process to exit only ends its own grading
            raise self._failure("exception", f"raised {type(error).__name__}: {error}") from error
        return self._score(returned)

    def _score(self, returned: object) -> Score:
        if isinstance(returned, Score):
            return returned
        value, explanation = returned, ""
        if isinstance(returned, Mapping):
            given = cast("Mapping[str, object]", returned)
            value, explanation = given.get("value"), str(given.get("explanation") or "")
        if not isinstance(value, (int, float)) or not isfinite(value) or not 0 <= value <= 1:
            wanted = 'true, false, a number from 0 to 1, a Score or {"value": ..., "explanation": ...}'
            raise self._failure("bad_reply", f"returned {returned!r:.200}; it must return {wanted}")
        return scored(float(value), self.threshold, explanation or f"{self.function} returned {value!r}")

    def _failure(self, type_: str, what: str) -> StageFailure:
        return StageFailure("grade", type_, f"the function {self.function} {what}")


def imported(name: str) -> Function:
    """The function that `module:function` names; the module is imported, which runs its code.

    Raises:
        StageFailure: there is no such module or function.
    """
    try:
        found = pkgutil.resolve_name(name)
    except (Exception, SystemExit) as error:  # the module runs when it is imported, and may raise anything
        message = f"the function {name} cannot be imported: {error}; write module:function, with the module on the path"
        raise StageFailure("grade", "not_found", message) from error
    if not callable(found):
        raise StageFailure("grade", "not_found", f"{name} is no function but a {type(found).__name__}")
    return found


def _called(function: Function, arguments: tuple[object, ...]) -> object:
    """What the function returns; what a thread cannot hand on to the event loop is raised as another error."""
    try:
        return function(*arguments)
    except (SystemExit, StopIteration) as error:
        raise RuntimeError(f"{type(error).__name__}: {error}") from error


def _arguments(function: Function, ctx: EvaluationContext) -> tuple[object, ...]:
    """What to call the function with, by how many arguments it requires by position."""
    parameters = inspect.signature(function).parameters.values()
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    required = sum(given.kind in by_position and given.default is given.empty for given in parameters)
    choices: dict[int, tuple[object, ...]] = {
        1: (ctx,),
        2: (ctx.outcome.output, ctx.case),
        3: (ctx.outcome.output, ctx.case, ctx),
    }
    if required not in choices:
        message = f"it requires {required} arguments; it may take (ctx), (output, case) or (output, case, ctx)"
        raise StageFailure("grade", "bad_function", f"an evaluator's function does not fit: {message}")
    return choices[required]
