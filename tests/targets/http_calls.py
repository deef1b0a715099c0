"""One call of an `http` target whose service is a stand-in that gives one reply."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import JsonValue

from aloi.core.errors import StageFailure
from aloi.core.target import HttpReply, HttpRequest, Invocation, Reply, TargetContext
from aloi.core.tool import ToolContext
from aloi.targets.http import Http
from aloi.tracing.recorder import Recording

ENVIRON = {
    "TOKEN": "t0p-secret",
    "FROM_FILE": "t0p-secret\n",
    "SHORT": "abc",
    "BROKEN": "t0p\nsecret",
    "ACCENT": "t0p-sécret",
    "CONTROL": "t0p\x1bsecret",
}


class Door:
    """Stands where the network is, and gives one reply."""

    def __init__(self, reply: HttpReply) -> None:
        self.reply = reply
        self.sent: list[HttpRequest] = []

    async def send(self, request: HttpRequest) -> HttpReply:
        self.sent.append(request)
        return self.reply


def reply_of(body: bytes | JsonValue, status: int = 200, media: str | None = "application/json") -> HttpReply:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return HttpReply(status=status, headers={"content-type": media} if media else {}, body=raw)


class Call:
    """One target, one reply; `request` is what was sent."""

    def __init__(self, reply: HttpReply | None = None, **fields: Any) -> None:
        self.target = Http.model_validate({"url": "https://example.org/answer", **fields})
        self.door = Door(reply or reply_of({"answer": 42}))
        self.recorder: Recording = Recording()

    async def invoke(self, given: Any = "Hi", key: str = "case-1") -> Reply:
        return await self.target.invoke(Invocation(input=given, case_key=key, trial=2), self.context())

    async def failure(self, given: Any = "Hi") -> StageFailure:
        with pytest.raises(StageFailure) as caught:
            await self.invoke(given)
        assert caught.value.stage == "invoke"
        return caught.value

    def context(self) -> TargetContext:
        def chat(spec: object) -> Any:
            raise AssertionError("no model is wanted")

        tools = ToolContext(workspace="", now=lambda: datetime.now(UTC))
        return TargetContext(chat=chat, http=self.door, recorder=self.recorder, tools=tools, environ=ENVIRON)

    @property
    def request(self) -> HttpRequest:
        return self.door.sent[-1]

    @property
    def body(self) -> JsonValue:
        return json.loads(self.request.body or b"")
