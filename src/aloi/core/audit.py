"""The audit log: what was changed, by whom, when."""

from pydantic import AwareDatetime, BaseModel

from aloi.core.spec import JsonObject, Value


class AuditEntry(Value):
    """One change that matters. It is never edited and never deleted.

    `actor`: who did it, as `Principal.name`. `action`: e.g. `dataset.update`, `member.add`, `run.cancel`. `object_name`
    is what the thing was called. `before` and `after` hold the fields that changed; null where there was nothing. They
    never hold a secret.
    """

    id: str
    at: AwareDatetime
    actor: str
    action: str
    object_kind: str
    object_id: str
    object_name: str
    before: JsonObject | None = None
    after: JsonObject | None = None


def changed_fields(before: BaseModel, after: BaseModel) -> tuple[JsonObject, JsonObject]:
    """The fields that two states of one object differ in, as JSON: their values before, and after.

    Both are empty when nothing changed. A field that one of them lacks is left out there.
    """
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    names = [name for name in {**old, **new} if name not in old or name not in new or old[name] != new[name]]
    return {name: old[name] for name in names if name in old}, {name: new[name] for name in names if name in new}
