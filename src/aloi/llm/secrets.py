"""Secrets from the environment: refused when they cannot be sent, hidden where an answer repeats them."""

import json
import re
from collections.abc import Mapping
from typing import TypeVar, cast

from pydantic import JsonValue

from aloi.core.errors import StageFailure

SHORTEST = 8  # characters; shorter values are ordinary words too often, and hiding them would mangle answers
J = TypeVar("J", bound=JsonValue)


def read_secret(environ: Mapping[str, str], name: str) -> str:
    """The value of a variable without the white space around it; empty when it is not set.

    Raises:
        StageFailure: no HTTP header can carry it (stage `invoke`, type `bad_key`). The message names the variable only.
    """
    value = environ.get(name, "").strip()
    fault = _fault(value)
    if fault is not None:
        message = f"the key in {name} holds {fault}, which no HTTP header can carry; set {name} to the key alone"
        raise StageFailure("invoke", "bad_key", message)
    return value


def masked(value: J, secrets: Mapping[str, str]) -> J:
    """A text, or JSON at any depth, with `[NAME]` in place of each secret; the same object when it holds none.

    Args:
        secrets: by the names of their variables. One of fewer than 8 characters is left as it is.
    """
    stand_ins = {form: f"[{name}]" for name, secret in secrets.items() for form in _forms(secret)}
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if not any(form in text for form in stand_ins):
        return value
    longest_first = sorted(stand_ins, key=len, reverse=True)  # one secret may begin with another
    pattern = re.compile("|".join(map(re.escape, longest_first)))
    return cast(J, _replaced(value, pattern, stand_ins))


def _fault(value: str) -> str | None:
    if "\n" in value or "\r" in value:
        return "a line break"
    if not value.isascii():
        return "a character that is not ASCII"
    return None if value.isprintable() else "a control character"


def _forms(secret: str) -> set[str]:
    """How a secret may be written: as it is, and in JSON that is shown as text (some writers escape the slash)."""
    if len(secret) < SHORTEST:
        return set()
    escaped = json.dumps(secret)[1:-1]
    return {secret, escaped, escaped.replace("/", r"\/")}


def _replaced(value: JsonValue, pattern: re.Pattern[str], stand_ins: Mapping[str, str]) -> JsonValue:
    if isinstance(value, str):
        return pattern.sub(lambda found: stand_ins[found[0]], value)
    if isinstance(value, list):
        return [_replaced(item, pattern, stand_ins) for item in value]
    if isinstance(value, dict):
        pairs = value.items()
        return {str(_replaced(key, pattern, stand_ins)): _replaced(item, pattern, stand_ins) for key, item in pairs}
    return value
