"""What people send, checked."""

from typing import Any

import pytest

from aloi.core.case import Case
from aloi.core.errors import NotPermitted, Stale
from aloi.core.identity import etag
from aloi.core.misfit import Misfit, Misplaced
from aloi.core.spec import JsonObject
from aloi.service.checks import checked, refuse, refuse_stale, spec_faults, unstorable
from aloi.service.evaluators import evaluator_builder

BUILD = evaluator_builder(False)


def pointers(fields: dict[str, Any]) -> list[str]:
    return [fault.pointer for fault in unstorable(fields, ("cases", 3))]


def test_what_no_database_keeps_is_pointed_at() -> None:
    deep: Any = "x"
    for _ in range(120):
        deep = [deep]
    assert pointers({"name": "fine é 😀", "tags": ("a", "\x01"), "n": 1.5, "none": None}) == []
    assert pointers({"a": "nul \0", "b": ("x", {"c": "\ud800"})}) == ["/cases/3/a", "/cases/3/b/1/c"]
    assert pointers({"a": {"k\0": 1}}) == ["/cases/3/a"]
    assert pointers({"a": [float("nan")], "b": {"c": float("-inf")}}) == ["/cases/3/a", "/cases/3/b"]
    assert pointers({"a": deep}) == ["/cases/3/a"]


def test_fields_that_fit_are_the_model() -> None:
    assert checked(Case, {"prompt": "x", "key": "k"}) == Case(key="k", input="x")
    with pytest.raises(Misfit) as caught:
        checked(Case, {"prompt": "x", "tags": ["a", 5], "more": 1}, ("cases", 0))
    assert [fault.pointer for fault in caught.value.faults] == ["/cases/0/tags/1", "/cases/0/more"]


def test_specs_are_pointed_into() -> None:
    assert spec_faults(BUILD, {"kind": "contains", "text": "a"}) == []
    assert [fault.pointer for fault in spec_faults(BUILD, {"kind": "contains", "txet": "a"}, ("spec",))] == [
        "/spec/txet"
    ]
    wrong: list[JsonObject] = [{}, {"kind": "contanis"}, {"kind": 5}]
    for spec in wrong:
        [fault] = spec_faults(BUILD, spec, ("spec",))
        assert fault.pointer == "/spec/kind" and "contains" in fault.reason
    with pytest.raises(NotPermitted):
        spec_faults(BUILD, {"kind": "python", "function": "os:getcwd"})


def test_no_faults_are_no_error() -> None:
    refuse([])
    with pytest.raises(Misfit, match="/a: is wrong"):
        refuse([Misplaced("/a", "is wrong")])


def test_what_was_changed_since_is_stale() -> None:
    case = Case(key="k", input="x")
    refuse_stale(case, None, "the case")
    refuse_stale(case, etag(case), "the case")
    with pytest.raises(Stale, match="the case was changed"):
        refuse_stale(case.model_copy(update={"name": "new"}), etag(case), "the case")
