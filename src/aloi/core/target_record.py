"""A target as it is kept: its name, its versions, and which of them is active."""

from typing import NamedTuple

from pydantic import AwareDatetime, Field, JsonValue

from aloi.core.dataset import NAME_LENGTH
from aloi.core.run import TargetVersion
from aloi.core.spec import JsonObject, Value
from aloi.core.target import Component

DESCRIPTION_LENGTH = 10_000


class TargetRecord(Value):
    """A target with the number of its active version (null when it has none) and of its versions in all."""

    id: str
    name: str = Field(min_length=1, max_length=NAME_LENGTH)
    description: str = Field(default="", max_length=DESCRIPTION_LENGTH)
    kind: str
    active: int | None = None
    versions: int = 0
    created_at: AwareDatetime
    updated_at: AwareDatetime


class TargetDetail(TargetRecord):
    """A target with its active version, definition included; null when it has none."""

    active_version: TargetVersion | None = None


class TargetGiven(Value):
    """A definition that is saved under a name: as a new target, or as a version of the one that has the name."""

    name: str = Field(min_length=1, max_length=NAME_LENGTH)
    definition: JsonObject


class TargetFilter(NamedTuple):
    """Which targets; null lets all through.

    `text`: it occurs in the name or the description; case does not count for ASCII. `name`: exactly this one.
    """

    text: str = ""
    kind: str | None = None
    name: str | None = None


class ShownComponent(Component):
    """A component with an example of what it answers: filled from its output schema, null where it has none."""

    example: JsonValue


class Components(Value):
    """What of a target can be simulated, its tools and steps, and the parts that a run leaves out (MCP servers).

    `refuses_attachments`: why it takes no files; null when it takes them, or when that is only seen by running it.
    """

    tools: tuple[ShownComponent, ...]
    skipped: tuple[str, ...]
    refuses_attachments: str | None
