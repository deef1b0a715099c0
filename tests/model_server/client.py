"""A client of the model server that knows only HTTP."""

import json
from typing import Any

import aiohttp

from tests.model_server.chat import Json

QUESTION: Json = {"role": "user", "content": "What is two and two?"}
TOOL: Json = {
    "type": "function",
    "function": {
        "name": "lookup",
        "parameters": {"type": "object", "properties": {"passed": {"type": "boolean"}}, "required": ["passed"]},
    },
}
SCHEMA: Json = TOOL["function"]["parameters"]
STRUCTURED: Json = {"response_format": {"type": "json_schema", "json_schema": {"name": "verdict", "schema": SCHEMA}}}


class Chat:
    """Asks one server. Keywords of each method go into the body of the request."""

    def __init__(self, session: aiohttp.ClientSession, url: str) -> None:
        self.session = session
        self.url = url

    def post(self, model: str, messages: list[Json] | None = None, **more: Any) -> Any:
        body = {"model": model, "messages": messages or [QUESTION], **more}
        return self.session.post(f"{self.url}/chat/completions", json=body)

    async def status(self, model: str, **more: Any) -> int:
        async with self.post(model, **more) as response:
            return response.status

    async def ask(self, model: str, messages: list[Json] | None = None, **more: Any) -> Json:
        async with self.post(model, messages, **more) as response:
            assert response.status == 200, await response.text()
            return await response.json()

    async def message(self, model: str, messages: list[Json] | None = None, **more: Any) -> Json:
        return (await self.ask(model, messages, **more))["choices"][0]["message"]

    async def content(self, model: str, messages: list[Json] | None = None, **more: Any) -> Any:
        return (await self.message(model, messages, **more))["content"]

    async def chunks(self, model: str, **more: Any) -> list[Json]:
        async with self.post(model, stream=True, **more) as response:
            assert response.content_type == "text/event-stream"
            events = (await response.text()).strip().split("\n\n")
        assert events.pop() == "data: [DONE]"
        return [json.loads(event.removeprefix("data: ")) for event in events]
