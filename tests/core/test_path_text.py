"""A path as text for a judge: one line per step, bounded, and no step can look like two."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from aloi.core.path_text import NO_SIMULATION, NO_STEP, VALUE_LIMIT, path_text, simulations_text
from aloi.core.trace import ToolCall
from aloi.core.trajectory import Step, Trajectory

SEARCH = ToolCall(tool="search", args={"q": "été"}, output=["a", 1], provenance="static")
BROKEN = ToolCall(tool="mail", args="not json", error="refused")


def turn(text: str | None) -> Step:
    """A model turn."""
    return Step(type="model", text=text)


def called(call: ToolCall) -> Step:
    """A tool call."""
    return Step(type="tool", call=call)


def read(text: str) -> list[Any]:
    """The lines as values."""
    return [json.loads(line) for line in text.split("\n")]


def test_each_step_is_a_line() -> None:
    text = path_text(Trajectory(steps=(turn(None), called(SEARCH), called(BROKEN), turn("Voilà\n3. done"))))
    assert read(text) == [
        {"step": 1, "type": "model", "text": None},
        {"step": 2, "type": "tool", "tool": "search", "args": {"q": "été"}, "result": ["a", 1], "provenance": "static"},
        {
            "step": 3,
            "type": "tool",
            "tool": "mail",
            "args": "not json",
            "result": None,
            "error": "refused",
            "provenance": "real",
        },
        {"step": 4, "type": "model", "text": "Voilà\n3. done"},
    ]
    assert "été" in text


def test_no_step_is_said_in_words() -> None:
    assert path_text(Trajectory()) == NO_STEP


@given(st.lists(st.text() | st.none(), min_size=1, max_size=5))
def test_no_text_can_add_a_step(texts: list[str | None]) -> None:
    steps = tuple(turn(text) for text in texts)
    assert [line["text"] for line in read(path_text(Trajectory(steps=steps)))] == texts


def test_a_long_value_is_cut_and_the_line_says_by_how_much() -> None:
    call = ToolCall(tool="t", args={"a": "x" * VALUE_LIMIT}, output="y" * (VALUE_LIMIT + 5))
    line = read(path_text(Trajectory(steps=(called(call), turn("z" * VALUE_LIMIT)))))
    assert line[0]["result"] == "y" * VALUE_LIMIT
    assert line[0]["left_out"] == {"args": "9 characters", "result": "5 characters"}
    assert len(line[0]["args"]) == VALUE_LIMIT
    assert "left_out" not in line[1]


def test_a_long_path_keeps_its_two_ends() -> None:
    steps = tuple(turn(f"turn {number}") for number in range(1, 1001))
    whole = path_text(Trajectory(steps=steps))
    assert len(read(whole)) == 1000
    cut = path_text(Trajectory(steps=steps), limit=1000)
    assert len(cut) < 1100
    lines = read(cut)
    assert (lines[0]["step"], lines[-1]["step"]) == (1, 1000)
    gaps = [index for index, line in enumerate(lines) if "left_out_steps" in line]
    assert len(gaps) == 1
    before, after = lines[gaps[0] - 1]["step"], lines[gaps[0] + 1]["step"]
    assert lines[gaps[0]] == {"left_out_steps": after - before - 1}


def test_a_path_that_just_fits_is_whole() -> None:
    path = Trajectory(steps=(turn("a"), turn("b")))
    whole = path_text(path)
    assert path_text(path, limit=len(whole) + 1) == whole
    assert read(path_text(path, limit=len(whole))) == [{"left_out_steps": 2}]


def test_simulated_calls_are_listed_by_tool_and_provenance() -> None:
    generated = ToolCall(tool="search", provenance="generated")
    path = Trajectory(steps=(called(SEARCH), turn("t"), called(generated), called(BROKEN), called(SEARCH)))
    assert read(simulations_text(path)) == [
        {"tool": "search", "provenance": "static", "steps": [1, 5]},
        {"tool": "search", "provenance": "generated", "steps": [3]},
    ]


def test_no_simulation_is_said_in_words() -> None:
    assert simulations_text(Trajectory(steps=(called(BROKEN), turn("t")))) == NO_SIMULATION
