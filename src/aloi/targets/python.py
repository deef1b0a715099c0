"""`python`: a function of yours."""

import asyncio
import hashlib
import inspect
import pkgutil
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar, Self, cast

from pydantic import Field, JsonValue, PrivateAttr, TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.spec import JsonObject, Value, faults_text
from aloi.core.target import Invocation, Reply, Target, TargetContext
from aloi.core.trace import ToolCall
from aloi.core.usage import NO_USAGE, Usage
from aloi.tracing.reported import record_calls

Function = Callable[..., object]  # takes text or an object, as the cases have it, and perhaps a case's files
Report = dict[str, object]
REPORT = {"output", "tool_calls"}  # an object with exactly these keys is an answer with its tool calls
NAME = r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_<]\S*$"
FILES = "attachments"
CALLS = TypeAdapter(tuple[ToolCall, ...])


class Answer(Value):
    """What a function may return to tell more than its output.

    `tool_calls`: every call it made, in order (an empty tuple says that it made none); null says nothing of them.
    """

    output: JsonValue
    tool_calls: tuple[ToolCall, ...] | None = None
    usage: Usage = NO_USAGE


class Python(Target):
    """A Python function, sync or async, that takes the case's input and returns the answer.

    It returns text, a JSON value (dataclasses and pydantic models count), `{"output": ..., "tool_calls": [{"tool",
    "args", "output"}]}` with just these two keys, or an `aloi.targets.python.Answer`. A sync function runs in a thread
    of its own. Where it has a parameter `attachments` it is given the case's files by that name: a list of objects with
    `name`, `media_type` and `data` (bytes).
    """

    kind: ClassVar[str] = "python"
    runs_code: ClassVar[bool] = True

    function: str = Field(pattern=NAME, description="Where it is: `module:function`, e.g. `support.agent:answer`.")
    in_memory: bool = Field(default=False, description="Whether it exists in the present process alone.")
    _held: Function | None = PrivateAttr(default=None)

    @classmethod
    def of(cls, function: Function) -> Self:
        """A target that holds a callable itself: for use from Python, and in its process only."""
        named = function if hasattr(function, "__qualname__") else type(function)
        module = getattr(named, "__module__", None) or "builtins"
        target = cls(function=f"{module}:{named.__qualname__}", in_memory=True)
        target._held = function
        return target

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        """Call the function with the input. What it raises is the target's failure.

        Raises:
            StageFailure: stage `invoke`; type `not_permitted`, `not_found`, `no_answer` or `bad_reply`.
        """
        if not ctx.allow_code:
            raise StageFailure(
                "invoke", "not_permitted", f"{self.function} is code, which the operator has not allowed to run here"
            )
        function = self._function()
        if _takes_files(function):
            function = partial(function, **{FILES: list(await ctx.files(invocation))})
        answer = self._answer(await _called(function, invocation.input))
        record_calls(ctx.recorder, answer.tool_calls or ())
        return Reply(output=answer.output, usage=answer.usage, shows_tools=answer.tool_calls is not None)

    def refuses_attachments(self) -> str | None:
        """It takes files where the function has a parameter for them; one that cannot be loaded says so later."""
        try:
            takes = _takes_files(self._function())
        except StageFailure:
            return None
        return None if takes else f"the function {self.function} has no parameter `{FILES}`"

    def fingerprint(self) -> JsonObject:
        """`{"source_sha256"}`: the hash of the module's source; null where there is none to read.

        Raises:
            InvalidInput: there is no such module.
        """
        return {"source_sha256": self._held_source() if self.in_memory else self._module_source()}

    def _function(self) -> Function:
        if self._held is not None:
            return self._held
        if self.in_memory:
            raise StageFailure(
                "invoke", "not_found", f"{self.function} existed only in the process that started the run"
            )
        try:
            found = pkgutil.resolve_name(self.function)
        except (ImportError, AttributeError) as error:
            raise StageFailure("invoke", "not_found", f"{self.function} cannot be loaded: {error}") from error
        except (Exception, SystemExit) as error:  # the module runs when it is imported, and may raise anything
            message = f"{self.function} cannot be loaded: its module raised {type(error).__name__}: {error}"
            raise StageFailure("invoke", "not_found", message) from error
        if not callable(found):
            raise StageFailure("invoke", "not_found", f"{self.function} is no function but a {type(found).__name__}")
        return found

    def _answer(self, returned: object) -> Answer:
        if isinstance(returned, Answer):
            answer = returned
        elif isinstance(returned, dict) and cast(Report, returned).keys() == REPORT:
            report = cast(Report, returned)
            answer = self._reported(report["output"], report["tool_calls"])
        else:
            answer = Answer(output=self._as_json(cast(object, returned)))
        if answer.output is None:
            raise StageFailure("invoke", "no_answer", f"{self.function} returned None; return the answer")
        return answer

    def _reported(self, output: object, calls: object) -> Answer:
        try:
            return Answer(output=self._as_json(output), tool_calls=CALLS.validate_python(calls))
        except ValidationError as error:
            fault = f"tool_calls that do not fit ({faults_text(error)}); each is {{tool, args, output}}"
            raise self._bad_reply(fault) from error

    def _as_json(self, returned: object) -> JsonValue:
        if isinstance(returned, Iterator) or inspect.isasyncgen(returned):
            kind = type(cast(object, returned)).__name__
            raise self._bad_reply(f"a {kind}, which is used up by reading; return the whole answer")
        try:
            return returned.decode() if isinstance(returned, bytes) else to_jsonable_python(returned)
        except UnicodeDecodeError as error:
            raise self._bad_reply(f"bytes that are not UTF-8 text ({error}); return text") from error
        except ValueError as error:  # of pydantic: an unknown type, or a value that contains itself
            raise self._bad_reply(f"a {type(returned).__name__} that has no JSON form ({error})") from error

    def _bad_reply(self, what: str) -> StageFailure:
        return StageFailure("invoke", "bad_reply", f"{self.function} returned {what}")

    def _module_source(self) -> str | None:
        module = self.function.partition(":")[0]
        try:
            spec = find_spec(module)
        except (ImportError, ValueError) as error:
            raise InvalidInput(f"the module {module} cannot be found: {error}") from error
        if spec is None:
            raise InvalidInput(f"there is no module {module}; run from the folder that holds it, or install it")
        return _hash(spec.origin)

    def _held_source(self) -> str | None:
        try:
            return _hash(inspect.getsourcefile(inspect.unwrap(self._held))) if self._held is not None else None
        except TypeError:  # a built-in, or an object that is called
            return None


async def _called(function: Function, given: str | JsonObject) -> object:
    """What the function returns. One that asks the process to exit only ends its own case."""
    try:
        returned = function(given) if _is_async(function) else await _in_thread(function, given)
        return await returned if inspect.isawaitable(returned) else returned
    except (SystemExit, StopIteration, StopAsyncIteration) as error:
        raise RuntimeError(f"the function raised {type(error).__name__}: {error}") from error


def _takes_files(function: Function) -> bool:
    try:
        return FILES in inspect.signature(function).parameters
    except (TypeError, ValueError):  # of a built-in
        return False


def _is_async(function: Function) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)


async def _in_thread(function: Function, given: str | JsonObject) -> object:
    """Run it in a daemon thread of its own.

    A pool would bound how many run at once, and wait for a hung one at exit.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[tuple[object, BaseException | None]] = loop.create_future()

    def work() -> None:
        outcome: tuple[object, BaseException | None]
        try:
            outcome = function(given), None
        except BaseException as error:  # it is raised again where it is awaited
            outcome = None, error
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: done.done() or done.set_result(outcome))

    threading.Thread(target=copy_context().run, args=(work,), name="aloi-python-target", daemon=True).start()
    returned, error = await done
    if error is not None:
        raise error
    return returned


def _hash(path: str | None) -> str | None:
    if path is None or not Path(path).is_file():
        return None
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
