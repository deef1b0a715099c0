"""How values stand in the tables: ids and hashes as bytes, times as microseconds, models as JSON text."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import BaseModel, JsonValue
from pydantic_core import PydanticSerializationError, to_json

from aloi.core.errors import InvalidInput
from aloi.core.identity import HEX, ID_DIGITS, id_text

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
ID_BYTES = ID_DIGITS // 2


def pack_id(text: str) -> bytes:
    """The 16 bytes of a UUID text.

    Raises:
        InvalidInput: it is not a UUID.
    """
    packed = id_or_none(text)
    if packed is None:
        raise InvalidInput(f"{text!r} is not an id; ids are UUIDs such as 01890a5d-ac96-774b-bcce-b302099a8057")
    return packed


def id_or_none(text: str) -> bytes | None:
    """The 16 bytes of a UUID text; null when it is not one."""
    digits = text.replace("-", "")
    try:
        packed = bytes.fromhex(digits)
    except ValueError:
        return None
    # `fromhex` passes over spaces, so that both are counted.
    return packed if len(packed) == ID_BYTES and len(digits) == ID_DIGITS else None


def unpack_id(packed: bytes) -> str:
    """The UUID text of 16 bytes."""
    return id_text(packed.hex())


def id_range(prefix: str) -> tuple[bytes, bytes] | None:
    """The least and the greatest id that begin with a prefix of hex digits; null when it is no such prefix."""
    digits = prefix.replace("-", "").lower()
    if not digits or len(digits) > ID_DIGITS or not HEX.issuperset(digits):
        return None
    return bytes.fromhex(digits.ljust(ID_DIGITS, "0")), bytes.fromhex(digits.ljust(ID_DIGITS, "f"))


def pack_time(time: datetime) -> int:
    """Microseconds since 1970-01-01 UTC of an aware time."""
    return (time - EPOCH) // MICROSECOND


def unpack_time(microseconds: int) -> datetime:
    """The time in UTC."""
    return EPOCH + timedelta(microseconds=microseconds)


def pack_time_or_none(time: datetime | None) -> int | None:
    """As `pack_time`; null stays null."""
    return None if time is None else pack_time(time)


def unpack_time_or_none(microseconds: int | None) -> datetime | None:
    """As `unpack_time`; null stays null."""
    return None if microseconds is None else unpack_time(microseconds)


def short_json(model: BaseModel, what: str, **chosen: Any) -> str:
    """The JSON of a model without its defaults.

    Args:
        what: what it is, for the error message.
        chosen: `include` or `exclude`, as in pydantic.

    Raises:
        InvalidInput: it holds a lone surrogate.
    """
    try:
        return model.model_dump_json(exclude_defaults=True, **chosen)
    except PydanticSerializationError as error:
        raise unstorable(what, error) from error


def json_of(
    value: JsonValue | BaseModel | tuple[BaseModel, ...] | tuple[str, ...] | Mapping[str, BaseModel], what: str
) -> str:
    """The JSON of a value in full, defaults included: for what is frozen and must not change with the program.

    Raises:
        InvalidInput: it holds a lone surrogate.
    """
    try:
        return to_json(value).decode()
    except PydanticSerializationError as error:
        raise unstorable(what, error) from error


def replaced(text: str) -> str:
    """A text in which what no database takes, NUL and lone surrogates, is replaced: what must be kept may quote it."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


def unstorable(what: str, error: Exception) -> InvalidInput:
    """The error for text that no database takes."""
    return InvalidInput(f"{what} cannot be stored: {error}; replace its lone surrogates (characters U+D800 to U+DFFF)")
