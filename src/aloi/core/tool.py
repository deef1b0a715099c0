"""What a built-in tool of the agent is, and what it is given."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, JsonValue

from aloi.core.spec import JsonObject, Spec


class ToolContext(NamedTuple):
    """What a tool may use: the case's own folder, the operator's settings, and the clock.

    Args:
        workspace: path of a fresh folder that belongs to this case alone.
        allow_hosts: private hosts that the operator lets tools reach.
        search_url: a SearXNG-compatible address for `web_search`; null for its default.
        now: the present time, aware of its zone.
    """

    workspace: str
    now: Callable[[], datetime]
    allow_hosts: frozenset[str] = frozenset()
    search_url: str | None = None


class Tool(Spec):
    """Base of all tools: `kind` is the name the model sees, the docstring its description, `Input` its arguments.

    Fields are options that the agent's author may set. A new tool is one file with one subclass. `Output` is the JSON
    schema of what it answers, null when that is not said: what a simulation of it starts from.
    """

    Input: ClassVar[type[BaseModel]]
    Output: ClassVar[JsonObject | None] = None

    async def call(self, arguments: Any, ctx: ToolContext) -> JsonValue:
        """Do the work. `arguments` is an instance of `Input`.

        Raises:
            ToolFailure: it cannot be done; the agent sees the message and may try otherwise.
        """
        raise NotImplementedError


def object_schema(**fields: JsonObject) -> JsonObject:
    """The JSON schema of an object with exactly these fields, each given as a schema."""
    return {"type": "object", "properties": {**fields}, "required": list(fields), "additionalProperties": False}
