"""Functions as targets: what they may be, what they may return, and what becomes of the rest."""

import asyncio
import contextvars
import functools
import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.target import Target
from aloi.core.trace import ToolCall
from aloi.core.usage import Usage
from aloi.plugins import build
from aloi.targets.python import Answer, Python
from tests.targets import functions
from tests.targets.bare import calls, invoke


def python(function: str) -> Target:
    return build("targets", {"kind": "python", "function": function}, Target)


def returning(value: object) -> Python:
    def function(_: object) -> object:
        return value

    return Python.of(function)


@pytest.mark.parametrize(("name", "output"), [("shout", "HELLO"), ("whisper", "hello")])
async def test_a_named_function_is_called(name: str, output: str) -> None:
    reply, trace = await invoke(python(f"tests.targets.functions:{name}"))
    assert reply.output == output
    assert not reply.shows_tools
    assert not trace.shows_tools


class Doubler:
    def double(self, given: str) -> str:
        return given * 2

    async def __call__(self, given: str) -> str:
        return given * 3


@pytest.mark.parametrize(
    ("function", "output"),
    [
        (functions.whisper, "hello"),
        (lambda given: given, "hello"),  # pyright: ignore[reportUnknownLambdaType]
        (Doubler().double, "hellohello"),
        (Doubler(), "hellohellohello"),
        (functools.partial(str.replace, "hello there", "there"), "hello hello"),
        (functools.partial(functions.whisper), "hello"),
    ],
)
async def test_any_callable_will_do(function: Callable[[object], object], output: str) -> None:
    reply, _ = await invoke(Python.of(function))
    assert reply.output == output


@dataclass
class Point:
    x: int


class Model(BaseModel):
    y: float


@pytest.mark.parametrize(
    ("value", "output"),
    [
        ("", ""),
        (0, 0),
        (False, False),
        ({"a": [1, None]}, {"a": [1, None]}),
        ((1, 2), [1, 2]),
        (b"gr\xc3\xbcn", "grün"),
        (Point(1), {"x": 1}),
        (Model(y=0.5), {"y": 0.5}),
        ("half \ud800", "half \ud800"),  # the caller mends texts, for all targets alike
        ({"output": 1}, {"output": 1}),
        ({"output": 1, "tool_calls": [], "more": 2}, {"output": 1, "tool_calls": [], "more": 2}),
    ],
)
async def test_text_and_json_are_answers(value: object, output: object) -> None:
    reply, _ = await invoke(returning(value))
    assert reply.output == output
    assert type(reply.output) is type(output)
    assert not reply.shows_tools


def given_back(given: Any) -> Any:
    return given


async def test_an_input_may_be_an_object() -> None:
    reply, _ = await invoke(Python.of(given_back), {"a": 1})
    assert reply.output == {"a": 1}


CALL = {"tool": "add", "args": {"a": 2}, "output": 4}


async def test_tool_calls_may_be_told() -> None:
    reply, trace = await invoke(returning({"output": "4", "tool_calls": [CALL]}))
    assert reply.output == "4"
    assert reply.shows_tools
    assert calls(trace) == [ToolCall(tool="add", args={"a": 2}, output=4)]


async def test_no_tool_calls_may_be_told_too() -> None:
    reply, trace = await invoke(returning({"output": "4", "tool_calls": []}))
    assert reply.shows_tools
    assert calls(trace) == []


async def test_an_answer_tells_its_usage() -> None:
    usage = Usage(calls=1, input_tokens=3, output_tokens=4, cost=0.1)
    reply, trace = await invoke(
        returning(Answer(output="4", tool_calls=(ToolCall(tool="add", error="no"),), usage=usage))
    )
    assert reply.usage == usage
    assert [call.error for call in calls(trace)] == ["no"]
    reply, _ = await invoke(returning(Answer(output="4")))
    assert not reply.shows_tools


def circle() -> list[object]:
    found: list[object] = []
    found.append(found)
    return found


@pytest.mark.parametrize(
    ("value", "kind", "said"),
    [
        (None, "no_answer", "None"),
        ({"output": None, "tool_calls": []}, "no_answer", "None"),
        (object(), "bad_reply", "object"),
        ({"a": threading.Lock()}, "bad_reply", "lock"),
        (circle(), "bad_reply", "list"),
        (b"\xff\xfe", "bad_reply", "not UTF-8"),
        ((n for n in range(3)), "bad_reply", "generator"),
        ({"output": 1, "tool_calls": 7}, "bad_reply", "tool_calls"),
        ({"output": 1, "tool_calls": [{"name": "add"}]}, "bad_reply", "tool"),
    ],
)
async def test_what_is_no_answer_names_its_type(value: object, kind: str, said: str) -> None:
    with pytest.raises(StageFailure) as caught:
        await invoke(returning(value))
    assert (caught.value.stage, caught.value.type) == ("invoke", kind)
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tests.targets.functions:gone", "gone"),
        ("tests.targets.nowhere:f", "nowhere"),
        ("tests.targets.functions:NOT_A_FUNCTION", "int"),
    ],
)
async def test_a_function_that_is_not_there_is_named(name: str, said: str) -> None:
    with pytest.raises(StageFailure, match=said) as caught:
        await invoke(python(name))
    assert caught.value.type == "not_found"


@pytest.mark.parametrize("name", ["json", "json:", ":dumps", "json dumps", "../x:y"])
def test_a_name_has_a_module_and_a_function(name: str) -> None:
    with pytest.raises(InvalidInput, match="function"):
        python(name)


async def test_what_the_function_raises_passes() -> None:
    def fails(_: object) -> None:
        raise ZeroDivisionError("oops")

    with pytest.raises(ZeroDivisionError, match="oops"):
        await invoke(Python.of(fails))


@pytest.mark.parametrize("error", [SystemExit(3), StopIteration("x")])
async def test_what_would_end_more_than_the_case_does_not(error: BaseException) -> None:
    def fails(_: object) -> None:
        raise error

    async def fails_later(_: object) -> None:
        raise error

    with pytest.raises(RuntimeError, match=type(error).__name__):
        await invoke(Python.of(fails))
    with pytest.raises(RuntimeError):
        await invoke(Python.of(fails_later))


@pytest.mark.parametrize("raised", ["RuntimeError", "SystemExit", "KeyError"])
async def test_a_module_may_raise_anything_when_it_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, raised: str
) -> None:
    (tmp_path / f"raises_{raised}.py").write_text(f"raise {raised}('no key')")
    monkeypatch.syspath_prepend(tmp_path)
    target = python(f"raises_{raised}:answer")
    assert target.refuses_attachments() is None
    with pytest.raises(StageFailure, match="no key") as caught:
        await invoke(target)
    assert caught.value.type == "not_found"


async def test_code_needs_leave() -> None:
    assert Python.runs_code
    with pytest.raises(StageFailure) as caught:
        await invoke(python("tests.targets.functions:shout"), allow_code=False)
    assert caught.value.type == "not_permitted"


async def test_sync_functions_run_at_once_and_block_nothing() -> None:
    together = threading.Barrier(20, timeout=10)

    def waits(given: str) -> str:
        together.wait()
        return given

    target = Python.of(waits)
    replies = await asyncio.gather(*(invoke(target, str(n)) for n in range(20)))
    assert [reply.output for reply, _ in replies] == [str(n) for n in range(20)]


async def test_a_sync_function_that_hangs_can_be_left() -> None:
    let_go = threading.Event()

    def hang(_: Any) -> bool:
        return let_go.wait(10)

    try:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await invoke(Python.of(hang))
    finally:
        let_go.set()


async def test_context_variables_reach_the_function() -> None:
    name: contextvars.ContextVar[str] = contextvars.ContextVar("name")
    name.set("Ada")

    def named(_: Any) -> str:
        return name.get()

    reply, _ = await invoke(Python.of(named))
    assert reply.output == "Ada"


def test_the_fingerprint_is_the_modules_source() -> None:
    digest = hashlib.sha256(Path(functions.__file__).read_bytes()).hexdigest()
    assert python("tests.targets.functions:shout").fingerprint() == {"source_sha256": digest}
    assert Python.of(functions.shout).fingerprint() == {"source_sha256": digest}
    assert Python.of(len).fingerprint() == {"source_sha256": None}


def test_a_module_that_is_not_there_has_no_fingerprint() -> None:
    with pytest.raises(InvalidInput, match="nowhere"):
        python("nowhere.at_all:f").fingerprint()
    with pytest.raises(InvalidInput, match="nowhere"):
        python("nowhere:f").fingerprint()


async def test_a_callable_in_memory_is_marked_and_lives_here_alone() -> None:
    target = Python.of(functions.shout)
    spec = target.to_spec()
    assert spec == {"kind": "python", "function": "tests.targets.functions:shout", "in_memory": True}
    with pytest.raises(StageFailure, match="only in the process") as caught:
        await invoke(build("targets", spec, Target))
    assert caught.value.type == "not_found"
