"""What a built-in tool is."""

from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel, JsonValue

from aloi.core.tool import Tool, ToolContext

NOW = datetime(2026, 1, 2, tzinfo=UTC)


class Add(Tool):
    """Adds two numbers."""

    kind: ClassVar[str] = "add"
    most: int = 10

    class Input(BaseModel):
        a: int
        b: int

    async def call(self, arguments: Any, ctx: ToolContext) -> JsonValue:
        return min(self.most, arguments.a + arguments.b)


class Idle(Tool):
    """Has no method."""

    kind: ClassVar[str] = "idle"


def context() -> ToolContext:
    return ToolContext(workspace="here", now=lambda: NOW)


async def test_a_kind_has_options_arguments_and_one_method() -> None:
    assert await Add(most=4).call(Add.Input(a=2, b=3), context()) == 4
    assert Add(most=4).to_spec() == {"kind": "add", "most": 4}
    assert Add.describe()["title"] == "Adds two numbers."


async def test_without_its_method_it_cannot_be_called() -> None:
    with pytest.raises(NotImplementedError):
        await Idle().call(None, context())


def test_no_host_is_open_unless_allowed_and_the_context_does_not_change() -> None:
    ctx, field = context(), "workspace"
    assert (ctx.workspace, ctx.allow_hosts, ctx.search_url, ctx.now()) == ("here", frozenset(), None, NOW)
    with pytest.raises(AttributeError):
        setattr(ctx, field, "there")
