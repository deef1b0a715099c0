"""Datasets, the hash of a revision, and keys that occur once."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from aloi.core.binding import Binding
from aloi.core.case import Case, made_key
from aloi.core.dataset import Dataset, case_hash, keyed_once, revision_hash
from aloi.core.errors import InvalidInput
from aloi.core.identity import etag

NOW = datetime(2026, 1, 2, tzinfo=UTC)
FULL: dict[str, Any] = {
    "key": "k",
    "input": "hi",
    "expected_output": "ho",
    "expected_behavior": "is polite",
    "assertions": ["one", "two"],
    "evaluators": [{"kind": "contains", "text": "ho"}],
    "criteria": {"calls": {"tools": ["search"]}},
}


def dataset(**fields: Any) -> Dataset:
    return Dataset.model_validate({"id": "d", "name": "Refunds", "created_at": NOW, "updated_at": NOW, **fields})


def case(**fields: Any) -> Case:
    return Case.model_validate({**FULL, **fields})


def binding(**fields: Any) -> Binding:
    return Binding.model_validate({"kind": "contains", "text": "a", **fields})


class TestDataset:
    def test_its_defaults(self) -> None:
        made = dataset()
        assert (made.description, made.judge_samples, made.bindings) == ("", 1, ())

    @pytest.mark.parametrize(
        "fields", [{"name": ""}, {"name": "n" * 201}, {"judge_samples": 0}, {"judge_samples": 6}, {"owner": "me"}]
    )
    def test_what_does_not_fit_is_refused(self, fields: dict[str, Any]) -> None:
        with pytest.raises(ValidationError, match=next(iter(fields))):
            dataset(**fields)

    def test_the_bounds_are_in(self) -> None:
        assert dataset(name="n" * 200, judge_samples=5).judge_samples == 5

    def test_its_evaluators_are_named_once(self) -> None:
        made = dataset(bindings=[{"kind": "contains"}, {"kind": "contains"}])
        assert [bound.name for bound in made.bindings] == ["contains", "contains-2"]

    def test_when_it_was_changed_is_no_part_of_its_tag(self) -> None:
        later = dataset(updated_at=datetime(2026, 1, 3, tzinfo=UTC))
        assert etag(later.edited()) == etag(dataset().edited())
        assert etag(dataset(name="other").edited()) != etag(dataset().edited())


class TestRevisionHash:
    def test_it_never_changes(self) -> None:
        # Gates and comparisons know revisions by these; a change here orphans what is stored.
        assert case_hash(case()) == "d00be3de32b012641c7138370ab7880544f7526d0c0cc28247d6d33a22fcec24"
        bound = binding(weight=0.5, name="capital")
        hashed = "ecca3cea9d0044922db2c9852995834ec928ec65ce594d7d84888d2f8b62d190"
        assert revision_hash([case_hash(case())], [bound]) == hashed
        assert revision_hash([case_hash(case())], [bound.model_copy(update={"evaluator_id": "e"})]) == hashed

    @pytest.mark.parametrize(
        "fields",
        [
            {"key": "other"},
            {"input": "hello"},
            {"input": {"text": "hi"}},
            {"expected_output": None},
            {"expected_output": ["ho"]},
            {"expected_behavior": None},
            {"assertions": ["two", "one"]},
            {"evaluators": [{"kind": "contains", "text": "ha"}]},
            {"evaluators": [{"kind": "contains", "text": "ho", "weight": 0}]},
            {"criteria": {"calls": {"tools": []}}},
        ],
    )
    def test_what_is_run_and_graded_is_in(self, fields: dict[str, Any]) -> None:
        assert case_hash(case(**fields)) != case_hash(case())

    @pytest.mark.parametrize(
        "fields",
        [
            {"id": "01"},
            {"name": "Greeting"},
            {"tags": ["smoke"]},
            {"enabled": False},
            {"status": "draft"},
            {"source": {"kind": "import"}},
            {"assertions": ["one", "two", " "]},
        ],
    )
    def test_what_only_describes_is_out(self, fields: dict[str, Any]) -> None:
        assert case_hash(case(**fields)) == case_hash(case())

    def test_the_order_of_keys_does_not_count(self) -> None:
        assert case_hash(case(input={"a": 1, "b": 2})) == case_hash(case(input={"b": 2, "a": 1}))

    def test_null_is_none(self) -> None:
        assert case_hash(Case(key="k", input="x")) == case_hash(Case(key="k", input="x", expected_output=None))

    def test_a_blank_behaviour_is_none(self) -> None:
        assert case_hash(case(expected_behavior=" \n")) == case_hash(case(expected_behavior=None))

    def test_the_order_of_cases_counts(self) -> None:
        assert revision_hash(["1", "2"], []) != revision_hash(["2", "1"], [])
        assert revision_hash(["1", "2"], []) != revision_hash(["12"], [])
        assert revision_hash(iter(["1", "2"]), []) == revision_hash(["1", "2"], [])

    @pytest.mark.parametrize(
        "bindings",
        [
            [],
            [binding(text="b")],
            [binding(weight=0)],
            [binding(weight=2)],
            [binding(name="other")],
            [binding(), binding(name="second")],
        ],
    )
    def test_bindings_with_names_and_weights_are_in(self, bindings: list[Binding]) -> None:
        assert revision_hash(["1"], bindings) != revision_hash(["1"], [binding()])

    def test_a_weight_written_out_is_the_default(self) -> None:
        assert revision_hash(["1"], [binding(weight=1)]) == revision_hash(["1"], [binding()])


class TestKeyedOnce:
    def test_made_keys_are_numbered(self) -> None:
        made = made_key("hi")
        keys = [found.key for found in keyed_once(Case(input=text) for text in ["hi", "hi", "ho", "hi"])]
        assert keys == [made, f"{made}-2", made_key("ho"), f"{made}-3"]

    def test_a_number_that_is_taken_is_passed_over(self) -> None:
        made = made_key("hi")
        keys = [
            found.key for found in keyed_once([Case(input="hi"), Case(key=f"{made}-2", input="x"), Case(input="hi")])
        ]
        assert keys == [made, f"{made}-2", f"{made}-3"]

    @pytest.mark.parametrize("key", ["k", "auto-pilot"])
    def test_a_given_key_is_refused_the_second_time(self, key: str) -> None:
        with pytest.raises(InvalidInput, match=f"case 3: the key '{key}' is used twice"):
            list(keyed_once(Case(key=name, input="hi") for name in (key, "other", key)))

    def test_cases_are_taken_one_by_one(self) -> None:
        asked: list[str] = []

        def source() -> Iterator[Case]:
            for text in ["a", "b", "a"]:
                asked.append(text)
                yield Case(input=text)

        found = keyed_once(source())
        assert asked == []
        next(found)
        assert asked == ["a"]

    def test_a_case_that_keeps_its_key_is_the_same_object(self) -> None:
        given_case = Case(key="k", input="x")
        assert next(keyed_once([given_case])) is given_case

    def test_very_many_equal_inputs(self) -> None:
        """Numbering looks at each once: counting up from 2 for every one would take minutes."""
        keys = [found.key for found in keyed_once(Case(input="hi") for _ in range(30_000))]
        assert keys[-1] == f"{made_key('hi')}-30000"

    @given(st.lists(st.sampled_from(["a", "b", "c"])))
    def test_every_key_is_new_and_nothing_else_changes(self, texts: list[str]) -> None:
        cases = [Case(input=text) for text in texts]
        found = list(keyed_once(cases))
        assert len({new.key for new in found}) == len(texts)
        assert [new.model_copy(update={"key": old.key}) for new, old in zip(found, cases, strict=True)] == cases
