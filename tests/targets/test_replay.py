"""Recorded outcomes come back as they were recorded."""

import hashlib
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.target import Target
from aloi.core.trace import ToolCall
from aloi.core.usage import NO_USAGE, Usage
from aloi.plugins import build
from tests.targets.bare import calls, invoke

CALL = {"tool": "add", "args": {"a": 2}, "output": 4}


def replay(**fields: object) -> Target:
    return build("targets", {"kind": "replay", **fields}, Target)


def from_file(folder: Path, *lines: object) -> Target:
    path = folder / "recorded.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
    return replay(path=str(path))


@pytest.mark.parametrize(
    ("recorded", "output", "shows_tools"),
    [
        ("Paris", "Paris", False),
        ("", "", False),
        (4, 4, False),
        ({"city": "Paris"}, {"city": "Paris"}, False),
        ({"output": "Paris"}, "Paris", False),
        ({"output": "Paris", "tool_calls": []}, "Paris", True),
        ({"output": "Paris", "city": "Paris"}, {"output": "Paris", "city": "Paris"}, False),
        ({"tool_calls": []}, {"tool_calls": []}, False),
    ],
)
async def test_inline_outputs(recorded: object, output: object, shows_tools: bool) -> None:
    reply, trace = await invoke(replay(outputs={"k": recorded}), key="k")
    assert reply.output == output
    assert reply.shows_tools is trace.shows_tools is shows_tools
    assert reply.usage == NO_USAGE
    assert reply.latency is None


async def test_a_line_tells_everything(tmp_path: Path) -> None:
    line = {
        "key": "k",
        "output": {"sum": 4},
        "tool_calls": [CALL],
        "latency": 1.5,
        "input_tokens": 10,
        "output_tokens": 2,
        "cost": 0.01,
    }
    reply, trace = await invoke(from_file(tmp_path, {"key": "other", "output": "x"}, "", line), key="k")
    assert reply.output == {"sum": 4}
    assert calls(trace) == [ToolCall(tool="add", args={"a": 2}, output=4)]
    assert reply.latency == 1.5
    assert reply.usage == Usage(calls=1, input_tokens=10, output_tokens=2, cost=0.01)


async def test_a_recorded_failure_is_one(tmp_path: Path) -> None:
    failed = {"key": "k", "failure": {"type": "timeout", "message": "no answer within 5 s"}}
    with pytest.raises(StageFailure, match="no answer within 5 s") as caught:
        await invoke(from_file(tmp_path, failed), key="k")
    assert caught.value.type == "timeout"


async def test_a_case_that_is_not_recorded_is_named(tmp_path: Path) -> None:
    for target in (replay(outputs={"k": "x"}), from_file(tmp_path, {"key": "k", "output": "x"})):
        with pytest.raises(StageFailure, match="'missing'") as caught:
            await invoke(target, key="missing")
        assert (caught.value.stage, caught.value.type) == ("invoke", "not_recorded")


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{", "line 2"),
        ({"output": "x"}, "line 2 does not fit: key"),
        ({"key": "a", "output": "y"}, "line 2: the key 'a' stands on an earlier line"),
        ({"key": "b", "ouput": "y"}, "ouput"),
        ({"key": "b", "output": "y", "latency": -1}, "latency"),
    ],
)
async def test_a_bad_line_is_named(tmp_path: Path, bad: object, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        await invoke(from_file(tmp_path, {"key": "a", "output": "x"}, bad), key="a")


async def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    target = replay(path=str(tmp_path / "gone.jsonl"))
    with pytest.raises(InvalidInput, match=r"gone\.jsonl"):
        target.fingerprint()
    with pytest.raises(InvalidInput, match=r"gone\.jsonl"):
        await invoke(target, key="a")


async def test_bytes_that_are_no_utf8_are_named_by_their_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b'{"key": "a", "output": "x"}\n{"key": "b", "output": "\xff"}\n')
    with pytest.raises(InvalidInput, match="line 2"):
        await invoke(replay(path=str(path)), key="a")


@pytest.mark.parametrize("fields", [{}, {"outputs": {}}, {"outputs": {"k": 1}, "path": "x"}])
def test_there_is_one_source(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match="either outputs or a path"):
        replay(**fields)


def test_the_fingerprint_is_the_file(tmp_path: Path) -> None:
    target = from_file(tmp_path, {"key": "k", "output": "x"})
    before = target.fingerprint()
    assert before == {"file_sha256": hashlib.sha256((tmp_path / "recorded.jsonl").read_bytes()).hexdigest()}
    from_file(tmp_path, {"key": "k", "output": "y"})
    assert target.fingerprint() != before
    assert replay(outputs={"k": "x"}).fingerprint() == {}


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.dictionaries(TEXTS, TEXTS, min_size=1, max_size=5))
async def test_texts_come_back(tmp_path_factory: pytest.TempPathFactory, recorded: dict[str, str]) -> None:
    lines = [{"key": key, "output": output} for key, output in recorded.items()]
    target = from_file(tmp_path_factory.mktemp("replay"), *lines)
    for key, output in recorded.items():
        reply, _ = await invoke(target, key=key)
        assert reply.output == output
