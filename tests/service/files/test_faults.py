"""Faults are said in plain words, with where they are and the nearest thing that would do."""

import pytest
from pydantic import ValidationError

from aloi.core.gate import GatePolicy
from aloi.core.run import JudgeSpec, RunLimits
from aloi.core.spec import Value
from aloi.service.files.faults import Fault, Faulty, fault_line, faults_of, path_text, unknown_key


def lines(model: type[Value], fields: object, *known: str) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(fields)
    return [fault_line(fault) for fault in faults_of(caught.value, {(): known})]


@pytest.mark.parametrize(
    ("model", "fields", "line"),
    [
        (JudgeSpec, {"model": "openai:x", "samples": 6}, "samples: must be at most 5"),
        (JudgeSpec, {"model": "openai:x", "samples": "many"}, "samples: must be a whole number"),
        (JudgeSpec, {"model": "openai:x", "samples": 1.5}, "samples: must be a whole number"),
        (JudgeSpec, {"model": 5}, "model: must be a text; put it in quotes"),
        (JudgeSpec, {"model": "openai:x", "settings": []}, "settings: must be a mapping of keys to values"),
        (JudgeSpec, {}, "model: is missing"),
        (JudgeSpec, "openai:x", "must be a mapping of keys to values"),
        (RunLimits, {"seconds_per_case": 0}, "seconds_per_case: must be more than 0"),
        (RunLimits, {"seconds_per_case": "long"}, "seconds_per_case: must be a number"),
        (RunLimits, {"concurrency": 20_000}, "concurrency: must be at most 10000"),
        (GatePolicy, {"threshold": float("nan")}, "threshold: must be a finite number"),
        (GatePolicy, {"threshold": 1, "enabled": "perhaps"}, "enabled: must be true or false"),
    ],
)
def test_plain_words(model: type[Value], fields: object, line: str) -> None:
    assert lines(model, fields) == [line]


def test_words_of_our_own_stay() -> None:
    (line,) = lines(JudgeSpec, {"model": "gpt"})
    assert line.startswith("model: the model 'gpt' is not of the form provider:model")


def test_unknown_keys_come_with_the_nearest() -> None:
    fields = {"model": "openai:x", "sampels": 1}
    assert lines(JudgeSpec, fields, "samples", "model") == ["sampels: is not known here; did you mean samples?"]
    assert unknown_key("zzz", ("b", "a")) == "is not known here; known are a, b"
    assert unknown_key("zzz", ()) == "is not known here; remove it"


def test_paths() -> None:
    assert path_text(("cases", 2, "evaluators", 0, "text")) == "cases[2].evaluators[0].text"
    assert path_text((1, "key")) == "[1].key"
    assert path_text(()) == ""


def test_a_faulty_value_says_all_its_faults() -> None:
    assert str(Faulty(Fault(("a",), "is missing"), Fault((), "is odd"))) == "a: is missing; is odd"
