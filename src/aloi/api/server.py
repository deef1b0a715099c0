"""The server: the application on a port, the runs it takes up, and an orderly end."""

import asyncio
import ipaddress
import logging
import os
import signal
import socket
import warnings
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from types import FrameType

import uvicorn
from pydantic.warnings import UnsupportedFieldAttributeWarning
from starlette.types import ASGIApp

from aloi.api.app import create_app, protected
from aloi.core.errors import InvalidInput
from aloi.service.accounts import access
from aloi.service.context import Context
from aloi.service.online.grading import look_after_online
from aloi.service.pickup import look_after_runs
from aloi.service.retaining import look_after_retention
from aloi.service.scheduling.scheduler import look_after_schedules
from aloi.service.traces.observing import look_after_traces
from aloi.settings import Settings

SIGNALS = (signal.SIGINT, signal.SIGTERM)
# Requests that are being answered get so long when the server ends; event streams end by themselves.
ANSWER_SECONDS = 5
BACKLOG = 2048
FIRST_OWNER = "owner@localhost"


async def serve(
    settings: Settings,
    environ: Mapping[str, str],
    host: str,
    port: int,
    grace: float,
    announce: Callable[[str, str | None], None],
) -> None:
    """Serve until SIGINT or SIGTERM asks for the end; a second one ends the process at once.

    Args:
        port: 0 picks a free one.
        grace: how many seconds cases in flight get at the end; what is left is given back to be taken up again.
        announce: is told the address, and the path of a one-time sign-in link where the host is the loopback.

    Raises:
        InvalidInput: the address cannot be used, or it is exposed and there are no users.
        StoreUnavailable: the database cannot be opened.
    """
    # FastAPI names each body in a way that pydantic warns of; nothing comes of it.
    warnings.filterwarnings("ignore", category=UnsupportedFieldAttributeWarning)
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    context = await Context.open(_for_a_server(settings), environ, served=True)
    try:
        app = protected(create_app(context))
        link = await _first_link(context, host)
        with listening(host, port) as bound:
            context.address = address_of(host, bound.getsockname()[1])
            announce(context.address, link)
            await _serve(context, app, bound, grace)
    finally:
        await context.close()


def _for_a_server(settings: Settings) -> Settings:
    """On a server, code runs only where the operator said so in words."""
    return settings.model_copy(update={"allow_code": settings.allow_code and "allow_code" in settings.model_fields_set})


async def _first_link(context: Context, host: str) -> str | None:
    """The path of a link that signs the owner in, for who stands before this machine; null where others reach it too.

    Raises:
        InvalidInput: others reach it and there are no users.
    """
    public = context.settings.public_url
    if public is None and is_loopback(host):
        return (await access.first_owner(context, FIRST_OWNER)).link
    if not await access.has_users(context):
        raise InvalidInput(
            f"{public or host} can be reached from other machines, and nobody could sign in yet; "
            "add a user first: aloi users add EMAIL --role owner"
        )
    return None


async def _serve(context: Context, app: ASGIApp, bound: socket.socket, grace: float) -> None:
    """Serve on a bound socket until a signal comes, then drain."""
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="off",
        # Whoever may say so could pass for any client; so only the proxy may, and only where there is one.
        proxy_headers=context.settings.public_url is not None,
        forwarded_allow_ips=sorted(context.settings.proxies),
        server_header=False,
        timeout_graceful_shutdown=ANSWER_SECONDS,
    )
    server = Server(config)
    with asked_to_end() as asked:
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        looking = asyncio.create_task(_look_after(context))
        waiting = asyncio.create_task(asked.wait())
        await asyncio.wait((serving, waiting), return_when=asyncio.FIRST_COMPLETED)
        for task in (looking, waiting):
            task.cancel()
        await asyncio.gather(looking, waiting, return_exceptions=True)
        server.should_exit = True
        await asyncio.gather(serving, context.drain(grace))


async def _look_after(context: Context) -> None:
    """What every server does beside answering, until it is cancelled."""
    await asyncio.gather(
        look_after_runs(context),
        look_after_schedules(context),
        look_after_traces(context),
        look_after_retention(context),
        look_after_online(context),
    )


class Server(uvicorn.Server):
    """Uvicorn without its own handling of signals, which ends the process before runs are drained."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Leave the signals alone."""
        yield


@contextmanager
def asked_to_end() -> Generator[asyncio.Event]:
    """An event that the first SIGINT or SIGTERM sets; the second ends the process at once.

    The handlers are the process's, not the loop's: what blocks the loop must not make the second one useless.
    """
    loop, asked, first = asyncio.get_running_loop(), asyncio.Event(), True
    before = {sign: signal.getsignal(sign) for sign in SIGNALS}

    def handle(sign: int, _: FrameType | None) -> None:
        nonlocal first
        if not first:
            os._exit(128 + sign)
        first = False
        loop.call_soon_threadsafe(asked.set)

    for sign in SIGNALS:
        signal.signal(sign, handle)
    try:
        yield asked
    finally:
        for sign, handler in before.items():
            signal.signal(sign, handler)


def listening(host: str, port: int) -> socket.socket:
    """A socket that is bound to an address; port 0 picks a free one.

    Raises:
        InvalidInput: it cannot be: no such host, or the port is taken.
    """
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        made = socket.create_server(place[:2], family=family, backlog=BACKLOG)
        # Made anew from its handle it knows that it speaks TCP; else asyncio would let small packets wait.
        return socket.socket(fileno=made.detach())
    except (OSError, OverflowError, UnicodeError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InvalidInput(
            f"cannot listen on {host} port {port}: {said}; --port 0 picks a free port, --host names another address"
        ) from error


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches what listens there."""
    number = _number(host)
    return host == "localhost" if number is None else number.is_loopback


def address_of(host: str, port: int) -> str:
    """The address for a browser on this machine."""
    number = _number(host)
    if number is not None and number.is_unspecified:
        host = "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The IP address that a host is; null for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
