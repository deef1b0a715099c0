"""The server itself: routes, counting, latency, and putting replies on the wire."""

import asyncio
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.model_server.chat import ChatRequestBody
from tests.model_server.reply import ReplyHook, Wire, encode, error
from tests.model_server.script import SCRIPT, scripted
from tests.model_server.stats import Arrival, Stats

HOST = "127.0.0.1"
LARGEST_BODY = 64 * 1024 * 1024
BACKLOG = 4096


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """A request as it came in: the path, the JSON body (text when it is no JSON), headers by any case."""

    path: str
    body: Any
    headers: Mapping[str, str]


class ModelServer:
    """A model server on 127.0.0.1; use it as an async context manager, or call `start` and `stop`.

    - `reply`: a function from the request to a reply (or an awaitable of one); None lets the model's name choose.
    - `latency`: seconds before every answer with status 200.
    - `requests`: what came in to `/v1/chat/completions` and `/echo`, oldest first; not kept when `record` is False.
    - `stats`: the counts that `GET /stats` shows.
    """

    def __init__(
        self, *, port: int = 0, latency: float = 0.0, reply: ReplyHook | None = None, record: bool = True
    ) -> None:
        self.reply = reply
        self.latency = latency
        self.record = record
        self.requests: list[RecordedRequest] = []
        self.stats = Stats()
        self._changed = asyncio.Event()
        self._port = port
        self._runner: web.AppRunner | None = None

    @property
    def root(self) -> str:
        """The address without a path, for `/echo`, `/status/{code}`, `/stats` and `/reset`."""
        return f"http://{HOST}:{self._port}"

    @property
    def url(self) -> str:
        """The base address of the OpenAI protocol: `http://127.0.0.1:PORT/v1`."""
        return f"{self.root}/v1"

    async def start(self) -> None:
        """Listen; port 0 becomes the free port that was found."""
        app = web.Application(client_max_size=LARGEST_BODY)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/stats", self._stats)
        app.router.add_post("/reset", self._reset)
        app.router.add_post("/echo", self._echo)
        app.router.add_route("*", "/status/{code:\\d{3}}", self._status)
        # A handler ends when its client leaves, so `in_flight` is true; the short wait ends hanging ones at the stop.
        self._runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.01)
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, self._port, backlog=BACKLOG).start()
        self._port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Stop listening, cancel what is being answered and close the connections."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def until(self, reached: Callable[[Stats], bool]) -> None:
        """Wait until the counts are as wanted, such as `lambda stats: stats.in_flight == 2`; put a time limit on it."""
        while not reached(self.stats):
            self._changed.clear()
            await self._changed.wait()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        try:
            body = ChatRequestBody(json.loads(await request.read()))
        except (TypeError, ValueError) as fault:
            return await _send(request, error(400, f"The body is not a JSON object: {fault}."))
        self._keep(request, body)
        model = body.model
        arrival = self._arrive(model, body.prompt)
        try:
            wire = await self._wire(body, arrival)
            if self.latency and wire.status == 200:
                await asyncio.sleep(self.latency)
            return await _send(request, wire)
        finally:
            self._leave(model)

    async def _wire(self, body: ChatRequestBody, arrival: Arrival) -> Wire:
        reply = scripted(body, arrival) if self.reply is None else self.reply(body)
        if inspect.isawaitable(reply):
            reply = await reply
        return encode(body, reply, f"chatcmpl-{arrival.number}")

    async def _echo(self, request: web.Request) -> web.StreamResponse:
        text = await request.text()
        try:
            body = json.loads(text)
        except ValueError:
            body = text
        self._keep(request, body)
        self._arrive("/echo", text)
        try:
            await asyncio.sleep(self.latency)
            return web.json_response({"echo": body, "headers": dict(request.headers)})
        finally:
            self._leave("/echo")

    async def _status(self, request: web.Request) -> web.StreamResponse:
        code = int(request.match_info["code"])
        return web.json_response({"status": code}, status=code)

    async def _models(self, _: web.Request) -> web.StreamResponse:
        models = [{"id": name, "object": "model", "created": 0, "owned_by": "tests"} for name in SCRIPT]
        return web.json_response({"object": "list", "data": models})

    async def _stats(self, _: web.Request) -> web.StreamResponse:
        return web.json_response(self.stats.as_json())

    async def _reset(self, _: web.Request) -> web.StreamResponse:
        self.stats.reset()
        self.requests.clear()
        return web.json_response(self.stats.as_json())

    def _arrive(self, model: str, prompt: str) -> Arrival:
        self._changed.set()
        return self.stats.arrive(model, prompt)

    def _leave(self, model: str) -> None:
        self._changed.set()
        self.stats.leave(model)

    def _keep(self, request: web.Request, body: Any) -> None:
        if self.record:
            self.requests.append(RecordedRequest(request.path, body, request.headers))


async def _send(request: web.Request, wire: Wire) -> web.StreamResponse:
    """Write the wire: at once when it is whole, else part by part, cutting the connection when it says so."""
    if len(wire.parts) == 1 and not wire.drop:
        return web.Response(
            body=wire.parts[0], status=wire.status, content_type=wire.content_type, headers=wire.headers
        )
    response = web.StreamResponse(status=wire.status, headers=wire.headers)
    response.content_type = wire.content_type
    await response.prepare(request)
    for part in wire.parts:
        await response.write(part)
    if wire.drop and request.transport is not None:
        request.transport.close()
    return response
