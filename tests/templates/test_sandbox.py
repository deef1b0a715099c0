"""Templates that mean harm: each ends soon, in little room, and reaches nothing but the document.

Their bounds are counts that are asserted, not times: what has no bound here would run for hours, or take all memory.
"""

import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue, TypeAdapter

from aloi import templates
from aloi.core.errors import StageFailure
from aloi.core.flow.weight import LARGEST
from aloi.core.spec import JsonObject
from aloi.templates import LONGEST_TEXT, TemplateText, render, render_text
from aloi.templates.filters import FILTERS

MEGABYTES = 250  # of memory at most, beside the document
OBJECTS: list[JsonValue] = [{"d": [*range(300)], "s": "y" * 200, "n": index % 7} for index in range(300)]
DEEP: Any = [[[[[[1]]]]]] * 1000
DOCUMENT: JsonObject = {
    "q": "x" * 1000,
    "big": "ab " * 300_000,
    "list": [*range(50_000)],
    "objects": OBJECTS,
    "number": 9**4000,
    "deep": DEEP,
}
HARMFUL = {
    "loops in loops": "{% for a in (1..400) %}" * 3 + "x" + "{% endfor %}" * 3,
    "a long range": "{% for a in (1..100000000000) %}x{% endfor %}",
    "a range joined": "{{ (1..100000000) | join: ',' }}",
    "a range written": "{{ (1..100000000) }}",
    "many loops": "{% for a in (1..90000) %}{% endfor %}" * 50,
    "a text doubled": "{% assign x = q %}" + "{% assign x = x | append: x %}" * 40 + "{{ x }}",
    "a text doubled by capture": "{% assign x = q %}" + "{% capture x %}{{ x }}{{ x }}{% endcapture %}" * 40,
    "replace": "{% assign x = q | replace: 'x', q %}{{ x | replace: 'x', q | size }}",
    "replace of nothing": "{{ big | replace: '', big | size }}",
    "join": "{{ list | join: big | size }}",
    "times": "{% assign n = number %}" + "{% assign n = n | times: n %}" * 40,
    "times in a loop": "{% assign n = 3 %}{% for i in (1..20000) %}{% assign n = n | times: n %}{% endfor %}",
    "a list doubled": "{% assign l = list %}" + "{% assign l = l | concat: l %}" * 30,
    "objects doubled": "{% assign l = objects %}" + "{% assign l = l | concat: l %}" * 12 + "{{ l | map: 'd' | join }}",
    "much captured": "{% capture a %}{% for i in (1..50000) %}{{ q }}{% endfor %}{% endcapture %}",
    "captured often": "".join(f"{{% capture a{n} %}}{{{{ big }}}}{{% endcapture %}}" for n in range(100)),
    "much written": "{% for i in (1..100000) %}{{ big }}{% endfor %}",
    "escaped often": "{% assign x = big | replace: 'a', '<' %}" + "{% assign x = x | escape %}" * 20,
    "encoded often": "{% assign x = big %}" + "{% assign x = x | base64_encode %}" * 60,
    "searched for ever": "{% for i in (1..100000) %}{% if big contains 'zzzz' %}{% endif %}{% endfor %}",
    "compared for ever": "{% for i in (1..100000) %}{% assign o = objects | reverse %}{% endfor %}",
    "flattened for ever": "{% for i in (1..100000) %}{% assign y = deep | reverse %}{% endfor %}",
    "a date of a long text": "{{ big | date: '%Y' }}",
    "a date in a long form": "{{ '2020-01-01' | date: big }}",
    "a date beyond time": "{{ '99999999999999999999' | date: '%Y' }}",
    "infinity": "{{ '1e400' | plus: 1 }}",
    "infinity to a whole number": "{{ '1e400' | floor }}",
    "no number": "{{ 'nan' | plus: 1 }}",
    "a huge sum": "{{ '1e999999999' | split: ',' | sum }}",
    "paths in paths": "{{ " + "q[" * 400 + "'q'" + "]" * 400 + " }}!",
    "the time": "{{ 'now' | date: '%s' }}",
}
UNREADABLE = {
    "blocks in blocks": "{% if true %}" * 200 + "{% endif %}" * 200,
    "brackets": "{% if " + "(" * 1900 + " %}",
    "a long expression": "{{ q" + " | upcase" * 300 + " }}",
    "long expressions": ("{{ q" + " | upcase" * 200 + " }}") * 40,
    "many expressions": "{{ q }}!" * 2100,
    "raw without an end": "{% raw %}" * 1999,
    "no end": "{{ " * 1000,
    "no end of a tag": "{% if x" * 900,
    "spaces": "{{ " + " " * 100_000 + "}}",
    "spaces before no end": "{{ " + " " * 100_000,
    "a long number": "{{ " + "9" * 1900 + "9" * 99 + " | plus: 1 }}" + "{{ " + "9" * 5000 + " }}",
    "a long text": "x" * LONGEST_TEXT + "{{ q }}",
}
TEXT = TypeAdapter[str](TemplateText)


@pytest.mark.parametrize("name", HARMFUL)
def test_it_fails_and_takes_little_room(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(templates, "SECONDS", 0.1)
    tracemalloc.start()
    try:
        with pytest.raises(StageFailure) as caught:
            render(TEXT.validate_python(HARMFUL[name]), DOCUMENT)
        assert tracemalloc.get_traced_memory()[1] < MEGABYTES * 2**20
    finally:
        tracemalloc.stop()
    assert caught.value.type == "template"
    assert len(caught.value.message) < 1000


@pytest.mark.parametrize("name", UNREADABLE)
def test_it_is_refused_before_it_runs(name: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        TEXT.validate_python(UNREADABLE[name])


def test_parts_by_reference_cannot_grow_without_end() -> None:
    """Each of some transforms that holds the one before twice doubles the text of the value, not the value."""
    value: JsonValue = "x" * 1000
    with pytest.raises(StageFailure, match="5,000,000 characters"):
        for _ in range(200):
            value = render(["{{ it }}", "{{ it }}"], {"it": value})
    with pytest.raises(StageFailure, match="5,000,000 characters"):
        render_text("{{ it }}", {"it": ["x" * LARGEST, "x"]})


@pytest.mark.parametrize(
    "path",
    ["__class__", "q.__class__", "list.__len__", "objects.append", "q.upper", "objects[0].keys", "list.sort", "n.real"],
)
@pytest.mark.parametrize("form", ["{{ %s }}", "{{ %s }}!", "{%% for i in %s %%}{{ i }}{%% endfor %%}"])
def test_no_attribute_of_an_object_can_be_reached(path: str, form: str) -> None:
    with pytest.raises(StageFailure, match="undefined"):
        render(form % path, DOCUMENT)


@pytest.mark.parametrize(
    "text",
    [
        "{{ objects | map: '__class__' | compact | size }}",
        "{% for i in list limit: 1 %}{{ forloop.it }}{% endfor %}",
        "{% for i in list limit: 1 %}{{ forloop.__class__ }}{% endfor %}",
        "{{ q | sum: '__class__' }}",
        "{{ objects | where: '__class__' | size }}",
    ],
)
def test_nor_by_a_filter_or_a_loop(text: str) -> None:
    try:
        shown = render_text(text, DOCUMENT)
    except StageFailure as failure:
        shown = failure.message
    assert "object at 0x" not in shown and "<class" not in shown
    assert shown in ("0",) or "undefined" in shown or "[[" not in shown


def test_nothing_of_the_machine_is_a_name() -> None:
    for name in ("now", "today", "self", "template", "env", "context", "globals"):
        with pytest.raises(StageFailure, match="undefined"):
            render(f"{{{{ {name} }}}}!", DOCUMENT)


PARTS = st.sampled_from(
    ["q", "list", "objects", "number", "deep", "'a'", "3", "-1", "(1..9)", "nil", "true", "gone", "1.5"]
)
CALLS = st.tuples(st.sampled_from(sorted(FILTERS)), st.lists(PARTS, max_size=3))


@given(PARTS, st.lists(CALLS, max_size=4))
@settings(max_examples=300, deadline=None)
def test_any_chain_of_filters_gives_a_text_or_a_failure(left: str, calls: list[Any]) -> None:
    chain = "".join(f" | {name}{': ' if given_ else ''}{', '.join(given_)}" for name, given_ in calls)
    document: JsonObject = {**DOCUMENT, "big": "", "list": [1, "a", None, {"k": []}]}
    try:
        shown = render(f"x{{{{ {left}{chain} }}}}", document)
    except StageFailure as failure:
        assert failure.type == "template"
    else:
        assert isinstance(shown, str) and "object at 0x" not in shown
