"""Answers in pieces: what a generator holds is given back when the reader leaves."""

import asyncio
from collections.abc import AsyncGenerator, MutableMapping
from typing import Any

import pytest

from aloi.api.streams import Streamed

SCOPE: dict[str, Any] = {"type": "http", "method": "GET", "asgi": {"version": "3.0", "spec_version": "2.3"}}


class Pieces:
    """Gives two pieces, then waits for ever; knows whether it was closed."""

    def __init__(self) -> None:
        self.closed = False

    async def give(self) -> AsyncGenerator[str]:
        try:
            yield "a"
            yield "é"
            await asyncio.Event().wait()
        finally:
            self.closed = True


async def test_a_reader_that_leaves_closes_the_generator() -> None:
    pieces, left, sent = Pieces(), asyncio.Event(), list[Any]()

    async def receive() -> MutableMapping[str, Any]:
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message.get("body"))
        if len(sent) == 3:
            left.set()

    async with asyncio.timeout(5):
        await Streamed(pieces.give(), "text/plain; charset=utf-8")(SCOPE, receive, send)
    assert sent == [None, b"a", "é".encode()]
    assert pieces.closed


async def test_a_send_that_fails_closes_it_too() -> None:
    pieces = Pieces()

    async def receive() -> MutableMapping[str, Any]:
        await asyncio.Event().wait()
        return {}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message.get("body"):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await Streamed(pieces.give(), "text/plain")(SCOPE, receive, send)
    assert pieces.closed


def test_a_file_is_kept_under_its_name() -> None:
    response = Streamed(Pieces().give(), "application/xml", "run-1.xml")
    assert response.headers["Content-Disposition"] == 'attachment; filename="run-1.xml"'
    assert response.headers["Content-Type"] == "application/xml"


async def test_a_reader_that_takes_nothing_closes_it_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aloi.api.streams.PIECE_SECONDS", 0.02)
    pieces = Pieces()

    async def receive() -> MutableMapping[str, Any]:
        await asyncio.Event().wait()
        return {}

    async def send(message: MutableMapping[str, Any]) -> None:
        if message.get("body"):
            await asyncio.Event().wait()

    async with asyncio.timeout(5):
        for scope in (SCOPE, {**SCOPE, "asgi": {"version": "3.0", "spec_version": "2.4"}}):
            await Streamed(pieces.give(), "text/plain")(scope, receive, send)
            assert pieces.closed
            pieces.closed = False
