"""Which step waits for which."""

from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from aloi.core.flow.graph import every_step, flow_of, in_order
from aloi.core.step import Step
from aloi.plugins import build


def step(name: str, value: Any = None, **fields: Any) -> Step:
    return build("steps", {"name": name, "kind": "transform", "value": value, **fields}, Step)


def refer(name: str, *others: str) -> Step:
    return step(name, [f"{{{{ steps.{other} }}}}" for other in others])


def test_a_step_waits_for_all_that_it_mentions_in_any_way() -> None:
    flow = flow_of([
        step("a"),
        step("b", "text {{ steps.a.x | upcase }}{% if steps.c %}{% endif %}", needs=["d"], when={"e": "x"}),
        step("c"),
        step("d"),
        step("e"),
    ])  # fmt: skip
    assert flow.waits["b"] == ("a", "c", "d", "e")
    assert flow.followers["a"] == ("b",)


def test_a_map_waits_for_what_is_read_inside_of_it() -> None:
    inner = [{"name": "in1", "kind": "transform", "value": "{{ steps.a }}"}]
    inner += [{"name": "in2", "kind": "transform", "value": "{{ steps.in1 }}", "needs": ["b"]}]
    fields = {"name": "m", "kind": "map", "items": "{{ steps.c }}", "steps": inner, "output": ["{{ steps.d }}"]}
    mapping = build("steps", fields, Step)
    flow = flow_of([mapping, *(step(name) for name in "abcd")])
    assert sorted(flow.waits["m"]) == ["a", "b", "c", "d"]
    assert [found.name for found in every_step(flow.steps)] == ["m", "in1", "in2", "a", "b", "c", "d"]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25))
def test_the_order_keeps_to_all_edges_or_there_is_a_circle(edges: list[tuple[int, int]]) -> None:
    steps = [refer(f"s{n}", *sorted({f"s{to}" for frm, to in edges if frm == n})) for n in range(10)]
    flow = flow_of(steps)
    ordered, circle = in_order(flow)
    seen: set[str] = set()
    for one in ordered:
        assert set(flow.waits[one.name]) <= seen
        seen.add(one.name)
    assert bool(circle) == (len(ordered) < 10)
    if circle:
        assert circle[0] == circle[-1] and len(set(circle)) == len(circle) - 1
        assert all(after in flow.waits[before] for before, after in pairwise(circle))
