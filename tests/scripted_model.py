"""A judge's model that says what a test tells it to."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from aloi.core.chat import ChatReply, ChatRequest
from aloi.core.usage import Usage

Said = str | ChatReply | Exception | dict[str, Any]
USAGE = Usage(calls=1, input_tokens=10, output_tokens=2)


class ScriptedModel:
    """A `ChatModel` in memory: each call takes the next entry of the script, and every request is kept.

    An entry is a reply, its text, an object that becomes its text as JSON, or an exception to raise.
    """

    name = "test:scripted"

    def __init__(self, script: Sequence[Said]) -> None:
        self.script = list(script)
        self.requests: list[ChatRequest] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The next entry of the script."""
        self.requests.append(request)
        said = self.script.pop(0)
        await asyncio.sleep(0)
        if isinstance(said, Exception):
            raise said
        if isinstance(said, ChatReply):
            return said
        return ChatReply(text=said if isinstance(said, str) else json.dumps(said, ensure_ascii=False), usage=USAGE)

    @property
    def seen(self) -> str:
        """The data that the judge saw first."""
        return self.requests[0].messages[1].content
