"""What people send, checked: every fault is told with its place."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

from pydantic import BaseModel, JsonValue, ValidationError

from aloi.core.errors import InvalidInput, Stale
from aloi.core.identity import etag
from aloi.core.json_values import is_finite
from aloi.core.misfit import Misfit, Misplaced, place_in, pointer
from aloi.core.spec import JsonObject, fault_text
from aloi.service.files.case_fields import unfit_texts

M = TypeVar("M", bound=BaseModel)
Path = tuple[str | int, ...]
Build = Callable[[Mapping[str, JsonValue]], object]


def refuse(faults: Sequence[Misplaced]) -> None:
    """Nothing when there are no faults.

    Raises:
        Misfit: there are some.
    """
    if faults:
        raise Misfit(faults)


def checked(model: type[M], fields: Mapping[str, object], path: Path = ()) -> M:
    """The model of fields that somebody sent; `path` is where they stand.

    Raises:
        Misfit: they do not fit, or hold NUL, a lone surrogate, a number that JSON has not, or too deep a nesting.
    """
    refuse(list(unstorable(fields, path)))
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise Misfit(_places(error, fields, path)) from error


def unstorable(fields: Mapping[str, object], path: Path = ()) -> Iterator[Misplaced]:
    """The faults of values that no database keeps as they are."""
    for name, given in fields.items():
        value = _plain(given)
        for fault in unfit_texts({name: value}):
            yield Misplaced(pointer((*path, *fault.path)), fault.text)
        if not is_finite(value):
            yield Misplaced(pointer((*path, name)), "holds NaN or an infinite number, which JSON has not; write null")


def _plain(value: object) -> JsonValue:
    """Lists in the place of tuples."""
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in cast(Sequence[object], value)]
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in cast(Mapping[object, object], value).items()}
    return cast(JsonValue, value)


def spec_faults(build: Build, spec: JsonObject, path: Path = ()) -> list[Misplaced]:
    """What is wrong with the spec of a kind; `path` is where its fields stand.

    Raises:
        NotPermitted: it runs code, which the operator does not allow.
    """
    try:
        build(spec)
    except InvalidInput as error:
        if isinstance(error.__cause__, ValidationError):
            return _places(error.__cause__, spec, path)
        return [Misplaced(pointer((*path, "kind")), str(error))]
    return []


def _places(error: ValidationError, given: Mapping[str, object], path: Path) -> list[Misplaced]:
    found = error.errors(include_url=False)
    return [Misplaced(pointer((*path, *place_in(given, fault["loc"]))), fault_text(fault)) for fault in found]


def refuse_stale(present: BaseModel, if_match: str | None, what: str) -> None:
    """Nothing when a thing is still as the caller read it, or the caller does not say.

    Args:
        present: the thing as its ETag covers it.
        if_match: the ETag that the caller read; null for any.

    Raises:
        Stale: it was changed since.
    """
    if if_match is not None and if_match != etag(present):
        raise Stale(f"{what} was changed by somebody else since you read it; read it again and redo your change")
