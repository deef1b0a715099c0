"""Between a case and its fields as a file holds them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue, ValidationError

from aloi.core.binding import Binding
from aloi.core.case import MADE, Case, CaseSource, CaseStatus
from aloi.core.errors import InvalidInput
from aloi.core.misfit import place_in
from aloi.core.simulation import simulations_content
from aloi.core.spec import JsonObject
from aloi.service.files.faults import Fault, Faulty, FieldPath, faults_of, unknown_key

# `id` and `source` belong to the store: an export leaves them out, and an import gives new ones.
CASE_FIELDS = ("prompt", *(name for name in Case.model_fields if name not in ("id", "source")))
KNOWN_FIELDS = frozenset(CASE_FIELDS)
MAX_DEPTH = 100
UNFIT = re.compile("[\0\ud800-\udfff]")
IMPORTED = CaseSource(kind="import")


class Placed(NamedTuple):
    """A case and the line of the file on which it begins, counted from 1."""

    line: int
    case: Case


def case_of(fields: Mapping[str, JsonValue]) -> Case:
    """The case that the fields of a file describe. Its source is `import`.

    Raises:
        Faulty: a field is unknown or does not fit, none is the input, or a text holds NUL or a lone surrogate.
    """
    faults = unfit_texts(dict(fields))
    if unknown := [key for key in fields if key not in KNOWN_FIELDS]:
        faults = [*(Fault((key,), unknown_key(key, CASE_FIELDS)) for key in unknown), *faults]
    if faults:
        raise Faulty(*faults)
    try:
        return Case.model_validate({**fields, "source": IMPORTED})
    except ValidationError as error:
        raise Faulty(*_readable(faults_of(error), fields)) from error


def _readable(faults: list[Fault], fields: Mapping[str, JsonValue]) -> list[Fault]:
    """The faults in the file's words: a prompt is called so, and the two readings of an input are one fault."""
    rest = [
        Fault(place_in(fields, fault.path), fault.text)  # without the kinds that pydantic puts in between
        for fault in faults
        if fault.path[:1] != ("input",)
    ]
    if len(rest) == len(faults):
        return rest
    name = "prompt" if "prompt" in fields else "input"
    return [Fault((name,), "must be a text (in quotes), or a mapping of keys to JSON values"), *rest]


def unfit_texts(value: JsonValue, path: FieldPath = ()) -> list[Fault]:
    """Texts that hold what no store and no endpoint takes everywhere, and nesting that is too deep to be meant."""
    if len(path) > MAX_DEPTH:
        return [Fault(path[:1], f"is nested more than {MAX_DEPTH} levels deep; flatten it")]
    if isinstance(value, str):
        return _unfit(value, path)
    faults: list[Fault] = []
    if isinstance(value, dict):
        for key, inner in value.items():
            faults += _unfit(key, path)
            faults += unfit_texts(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            faults += unfit_texts(inner, (*path, index))
    return faults


def _unfit(text: str, path: FieldPath) -> list[Fault]:
    if text.isascii() and "\0" not in text:  # nearly every text: known at once, however long it is
        return []
    found = UNFIT.search(text)
    if found is None:
        return []
    code = ord(found.group())
    what = "a NUL character" if code == 0 else f"a lone surrogate (U+{code:04X}), which is no character"
    return [Fault(path, f"holds {what}, at position {found.start()}; remove it")]


def keys_once(placed: Iterable[Placed], name: str) -> Iterator[Case]:
    """The cases one by one, refusing a given key that comes twice. Keys made from the input may repeat: they are
    numbered later, by `aloi.core.dataset.keyed_once`.

    Raises:
        InvalidInput: a key was given twice; both lines are named.
    """
    lines: dict[str, int] = {}
    for line, case in placed:
        if not case.key.startswith(MADE):
            if first := lines.get(case.key):
                raise InvalidInput(
                    f"{name}:{line}: key: {case.key!r} is already the key of line {first}; keys are unique in a dataset"
                )
            lines[case.key] = line
        yield case


def fields_of(case: Case) -> JsonObject:
    """The fields of a case as a file holds them: those that say something, `prompt` for an input that is text."""
    fields: JsonObject = {
        "key": case.key,
        "name": case.name or None,
        "prompt" if isinstance(case.input, str) else "input": case.input,
        "expected_output": case.expected_output,
        "expected_behavior": case.expected_behavior,
        "assertions": list(case.assertions) or None,
        "evaluators": [_flat(binding) for binding in case.evaluators] or None,
        "criteria": {**case.criteria} or None,
        "simulations": simulations_content(case.simulations) or None,
        "attachments": [file.model_dump(mode="json") for file in case.attachments] or None,
        "tags": list(case.tags) or None,
        "enabled": None if case.enabled else False,
        "status": None if case.status is CaseStatus.READY else case.status.value,
    }
    return {key: value for key, value in fields.items() if value is not None}


def _flat(binding: Binding) -> JsonObject:
    """A binding as people write it, unless a field of its spec has the name of one of its own."""
    spec = binding.spec
    if spec.keys() & {"name", "weight", "spec"} or not isinstance(spec.get("kind"), str):
        return {"name": binding.name, "weight": binding.weight, "spec": spec}
    flat = dict(spec)
    if binding.name != spec["kind"]:
        flat["name"] = binding.name
    if binding.weight != 1.0:
        flat["weight"] = binding.weight
    return flat
