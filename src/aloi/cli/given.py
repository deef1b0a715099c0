"""Values as they are given on a command line: text, JSON, a file (`@path`), or the standard input."""

import getpass
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue

from aloi.cli.schema_text import properties, takes_text_only
from aloi.core.errors import InvalidInput
from aloi.core.json_values import read_json
from aloi.core.spec import JsonObject


def given_text(option: str, value: str | None) -> str:
    """The text that an option gives: itself, the file behind `@`, or (null, `-`) the standard input.

    Raises:
        InvalidInput: the file cannot be read, is not UTF-8, or nobody sends anything to the standard input.
    """
    if value is None or value == "-":
        if sys.stdin.isatty():
            raise InvalidInput(f"{option} is missing: give a text, @file, or pipe it to the standard input")
        return _decoded(option, "the standard input", sys.stdin.buffer.read())
    if not value.startswith("@"):
        return value
    try:
        return _decoded(option, value[1:], Path(value[1:]).read_bytes())
    except OSError as error:
        raise InvalidInput(f"{option}: {value[1:]} cannot be read: {error.strerror}; name another file") from error


def given_password(anew: bool = False) -> str:
    """A password: asked for on a terminal, twice where it is a new one; else the first line of the standard input.

    Raises:
        InvalidInput: none was given, or the two differ.
    """
    if not sys.stdin.isatty():
        password = _decoded("the password", "the standard input", sys.stdin.buffer.readline()).rstrip("\r\n")
    else:
        password = getpass.getpass("Password: ")
        if anew and getpass.getpass("Again: ") != password:
            raise InvalidInput("the two passwords differ; try again")
    if not password:
        raise InvalidInput("no password was given; type it, or pipe it in as one line")
    return password


def _decoded(option: str, source: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{option}: {source} is not UTF-8 (byte {error.start}); save it as UTF-8") from error


def given_json(option: str, value: str) -> JsonValue:
    """The JSON that an option gives, by itself or in the file behind `@`.

    Raises:
        InvalidInput: it is not JSON; the message says where.
    """
    text = given_text(option, value)
    try:
        return read_json(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(
            f"{option} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}; mend it there"
        ) from error
    except ValueError as error:
        raise InvalidInput(f"{option} is not JSON: {error}") from error


def given_object(option: str, value: str) -> JsonObject:
    """The JSON object that an option gives.

    Raises:
        InvalidInput: it is not a JSON object.
    """
    found = given_json(option, value)
    if not isinstance(found, dict):
        raise InvalidInput(f'{option} must be a JSON object, e.g. \'{{"key": "value"}}\'')
    return found


def given_parameters(pairs: list[str], schema: JsonObject) -> JsonObject:
    """Parameters written as `name=value`. A value is text where the schema wants text, else JSON, else text.

    Raises:
        InvalidInput: a pair lacks its `=`, or names a parameter twice.
    """
    found: JsonObject = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name and equals):
            raise InvalidInput(f"--param {pair!r} is not of the form name=value; write e.g. text=Paris")
        if name in found:
            raise InvalidInput(f'--param {name} is given twice; for a list write it as JSON: {name}=\'["a", "b"]\'')
        found[name] = _value(value, properties(schema), name, schema)
    return found


def _value(value: str, fields: Mapping[str, JsonObject], name: str, schema: JsonObject) -> JsonValue:
    field = fields.get(name)
    if field is not None and takes_text_only(field, schema):
        return value
    try:
        return read_json(value)
    except ValueError:
        return value
