"""`python_exec`: runs Python in the pydantic-monty sandbox, a worker process without files, network or system.

Each call starts its own worker (3 to 4 ms) and ends it, so nothing outlives a call and no case sees another's state.
"""

import asyncio
import json
import math
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import PurePath
from typing import ClassVar, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, JsonValue
from pydantic_monty import (
    AsyncMonty,
    MontyClassProxy,
    MontyConversionError,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
    MontySyntaxError,
    MountDir,
    OSPolicy,
    ResourceLimits,
)

from aloi.core.errors import ToolFailure
from aloi.core.spec import JsonObject
from aloi.core.tool import Tool, ToolContext, object_schema

GRACE = 2.0  # seconds past the sandbox's own limit until its worker is ended from outside
MAX_WRITTEN = 10_000_000  # bytes that one call may write to the workspace
MAX_ERROR = 2000  # characters of a traceback that the model sees; its end says what went wrong
MAX_NODES = 10_000  # values of a result that are shown; shared lists in it could unfold without end
MAX_DEPTH = 50
MAX_BITS = 4096  # of a whole number that is shown in digits
CUT = "\n[cut: too long]"


class PythonExecInput(BaseModel):
    """Arguments of `python_exec`."""

    model_config = ConfigDict(extra="forbid")

    code: str = Field(
        description="Python source. What it prints and the value of its last expression are returned. Standard "
        "modules such as math, re, json and datetime; no network and no other packages. Files: the workspace, with "
        "relative paths. Nothing is kept from one call to the next but those files.",
        max_length=100_000,
    )


class PythonExec(Tool):
    """Run Python code in a sandbox and return what it prints and its last value."""

    kind: ClassVar[str] = "python_exec"
    Input = PythonExecInput
    Output: ClassVar[JsonObject | None] = object_schema(output={"type": "string"}, result={})

    seconds: float = Field(default=5.0, gt=0, le=600, description="Longest time the code may run.")
    max_memory: int = Field(default=64_000_000, ge=1_000_000, description="Most memory of the code, in bytes.")
    max_output: int = Field(default=20_000, gt=0, description="Most characters of print and of the result, each.")

    async def call(self, arguments: PythonExecInput, ctx: ToolContext) -> JsonValue:
        """`{"output": printed text, "result": the last expression's value}`.

        The result is JSON where the value is, its `repr` where not; what is too long is cut, with a note.
        The clock stands at `ctx.now()` and `sleep` returns at once.

        Raises:
            ToolFailure: the code is not Python, raises, asks for what the sandbox refuses, or passes a limit.
        """
        code = arguments.code
        printed = Printed(self.max_output)
        try:
            async with asyncio.timeout(self.seconds + GRACE):
                value = await self._run(code, printed, ctx.workspace, ctx.now())
        except TimeoutError:
            raise ToolFailure(f"the code ran longer than {self.seconds:g} s and was stopped") from None
        except MontyError as exc:
            raise ToolFailure(_explained(exc) + printed.so_far()) from None
        except OSError as exc:
            raise ToolFailure(f"the sandbox cannot start: {exc.strerror or type(exc).__name__}") from None
        return {"output": printed.text(), "result": shown(value, self.max_output)}

    async def _run(self, code: str, printed: "Printed", workspace: str, now: datetime) -> object:
        """The last value of `code`, run in a worker of its own with the workspace as its only folder."""
        limits: ResourceLimits = {
            "max_feed_duration_secs": self.seconds,
            "max_memory": self.max_memory,
            "max_total_sleep_secs": self.seconds,
        }
        policy: OSPolicy = {"datetime": now, "sleep": "zero"}
        mount = MountDir(
            host_path=workspace, virtual_path="/workspace", mode="read-write", write_bytes_limit=MAX_WRITTEN
        )
        with mount:
            async with (
                AsyncMonty(max_processes=1, request_timeout=self.seconds + GRACE) as pool,
                pool.checkout(limits=limits, os_policy=policy) as session,
            ):
                return cast("object", await session.feed_run(code, print_callback=printed.add, mount=mount))


class Printed:
    """Collects what the code prints, up to `limit` characters; the rest is dropped."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._chunks: list[str] = []
        self._length = 0

    def add(self, stream: Literal["stdout", "stderr"], text: str) -> None:
        """The sandbox's print callback."""
        room = self._limit - self._length
        if room > 0:
            self._chunks.append(text[:room])
        self._length += len(text)

    def text(self) -> str:
        """What was printed, with a note when it was cut."""
        return "".join(self._chunks) + (CUT if self._length > self._limit else "")

    def so_far(self) -> str:
        """For an error message: what was printed before it."""
        return f"\nPrinted before the error:\n{self.text()}" if self._length else ""


def _explained(error: MontyError) -> str:
    """What the model needs to mend its code: the traceback's end, or why the worker ended."""
    match error:
        case MontyRuntimeError() | MontySyntaxError():
            return error.display()[-MAX_ERROR:]
        case MontyCrashedError():
            return "the sandbox ended while it ran the code; ask for less memory or time"
        case MontyConversionError():
            return f"the last value cannot leave the sandbox: {str(error)[-MAX_ERROR:]}; print it instead"
        case _:
            return str(error)[-MAX_ERROR:]


def shown(value: object, limit: int) -> JsonValue:
    """`value` as JSON if its text fits in `limit` characters, else the beginning of that text with a note.

    JSON-like values stay what they are; tuples and sets become lists; other values become text.
    """
    try:
        result = _JsonOf(limit).value(value)
    except _TooLarge:
        return f"[a {type(value).__name__} too large to show: print the part you need]"
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return result if len(text) <= limit else text[:limit] + CUT


class _TooLarge(Exception):
    """The value has more parts than are shown."""


class _JsonOf:
    """Turns a value of the sandbox into JSON, visiting at most `MAX_NODES` parts of it.

    A small value can unfold without end, since one list may stand in many places of another.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._left = MAX_NODES

    def value(self, value: object, depth: int = 0) -> JsonValue:
        """`value` as JSON.

        Raises:
            _TooLarge: it has too many parts, or nests too deeply.
        """
        self._left -= 1
        if self._left < 0 or depth > MAX_DEPTH:
            raise _TooLarge
        if isinstance(value, dict):
            pairs = cast("dict[object, object]", value).items()
            return {self._key(key, depth): self.value(item, depth + 1) for key, item in pairs}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self.value(item, depth + 1) for item in cast("Iterable[object]", value)]
        return self._scalar(value)

    def _key(self, key: object, depth: int) -> str:
        shown = self.value(key, depth + 1)
        return shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)

    def _scalar(self, value: object) -> JsonValue:
        match value:
            case None | bool():
                return value
            case int():
                return value if value.bit_length() <= MAX_BITS else f"<int of {value.bit_length()} bits>"
            case float():
                return value if math.isfinite(value) else repr(value)
            case str():
                return value[: self._limit + 1]
            case bytes():
                return repr(value[: self._limit + 1])
            case complex() | Decimal() | date() | time() | timedelta() | PurePath():
                return str(value)
            case MontyClassProxy():
                return f"<{value.name} object>"
            case _:
                return f"<{type(value).__name__}>"
