"""Changes as the audit log keeps them: the fields that changed, their texts cut short."""

from pydantic import BaseModel, JsonValue

from aloi.core.audit import changed_fields
from aloi.core.spec import JsonObject
from aloi.service import audit
from aloi.service.context import Context
from aloi.store.connection import Connection

LONGEST = 500
# Told by the entry itself, or no change that somebody made.
UNTOLD = {"id", "created_at", "updated_at"}


async def record_change(
    context: Context,
    tx: Connection,
    action: str,
    thing: tuple[str, str],
    before: BaseModel | None,
    after: BaseModel | None,
) -> None:
    """Write a change of an object to the audit log; nothing when it changed nothing.

    Args:
        action: `<kind>.<verb>`, e.g. `dataset.update`.
        thing: the object's id and name.
        before, after: the object; null before it was created, and after it was deleted.
    """
    if before is not None and after is not None:
        old, new = changed_fields(before, after)
        if not old.keys() - UNTOLD and not new.keys() - UNTOLD:
            return
    else:
        old, new = _said(before), _said(after)
    await audit.record(
        context,
        tx,
        action=action,
        kind=action.partition(".")[0],
        id=thing[0],
        name=thing[1],
        before=None if before is None else brief(old),
        after=None if after is None else brief(new),
    )


def _said(value: BaseModel | None) -> JsonObject:
    return {} if value is None else value.model_dump(mode="json", exclude_defaults=True)


def brief(fields: JsonObject) -> JsonObject:
    """The fields with texts of at most 500 characters."""
    return {name: _cut(value) for name, value in fields.items() if name not in UNTOLD}


def _cut(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return value if len(value) <= LONGEST else value[: LONGEST - 1] + "…"
    if isinstance(value, dict):
        return {key: _cut(inner) for key, inner in value.items()}
    return [_cut(item) for item in value] if isinstance(value, list) else value
