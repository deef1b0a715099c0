"""What is wrong with a value, in plain words, with where it is."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from aloi.core.spec import fault_text

FieldPath = tuple[str | int, ...]

MAPPING = "must be a mapping of keys to values"
# Our words for pydantic's error types; what is not here keeps pydantic's words.
WORDS = {
    "missing": "is missing",
    "less_than": "must be less than {lt:g}",
    "less_than_equal": "must be at most {le:g}",
    "greater_than": "must be more than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "finite_number": "must be a finite number",
    "string_type": "must be a text; put it in quotes",
    "string_too_long": "must have at most {max_length} characters",
    "string_too_short": "must have at least {min_length} characters",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list",
    "tuple_type": "must be a list",
    "dict_type": MAPPING,
    "model_type": MAPPING,
    "model_attributes_type": MAPPING,
    "enum": "must be {expected}",
    "literal_error": "must be {expected}",
}


class Fault(NamedTuple):
    """One thing wrong: the path to it inside the value (empty for the value itself), and the reason with the mend."""

    path: FieldPath
    text: str


class Faulty(ValueError):
    """A value with one or more faults. It is caught where the file and the line are known."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("; ".join(fault_line(fault) for fault in faults))
        self.faults = faults


def fault_line(fault: Fault) -> str:
    """`judge.samples: must be at most 5`; the reason alone when it concerns the whole value."""
    where = path_text(fault.path)
    return f"{where}: {fault.text}" if where else fault.text


def path_text(path: FieldPath) -> str:
    """`cases[2].key` for `("cases", 2, "key")`; positions count from 0, as in JSON."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def faults_of(error: ValidationError, known: Mapping[FieldPath, Iterable[str]] | None = None) -> list[Fault]:
    """The faults that pydantic found. `known` has the keys of the value at a path, to suggest the nearest of."""
    keys = known or {}
    return [Fault(details["loc"], _words(details, keys)) for details in error.errors(include_url=False)]


def _words(details: ErrorDetails, known: Mapping[FieldPath, Iterable[str]]) -> str:
    path = details["loc"]
    if details["type"] == "extra_forbidden":
        return unknown_key(str(path[-1]), known.get(path[:-1], ()))
    words = WORDS.get(details["type"])
    return words.format(**details.get("ctx", {})) if words else fault_text(details)


def unknown_key(key: str, known: Iterable[str]) -> str:
    """`is not known here; did you mean samples?`"""
    names = sorted(known)
    near = get_close_matches(key, names, 1)
    if near:
        return f"is not known here; did you mean {near[0]}?"
    return f"is not known here; known are {', '.join(names)}" if names else "is not known here; remove it"
