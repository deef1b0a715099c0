"""Serving simulated tools to a target that runs elsewhere: its address, and the session of one invocation.

Sessions and calls are in the database, so that any server over it can answer; see `answering`.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from urllib.parse import urlsplit

from aloi.core.chat import ModelSpec
from aloi.core.errors import InvalidInput
from aloi.core.keys import is_loopback
from aloi.core.served import ServedCall, ServedSession, ServedTool
from aloi.core.target import Target
from aloi.service.accounts.tokens import digest, new_token
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.store import served

PATH = "/mcp/"
# Beyond the deadline of an invocation: its end is only written down then.
MARGIN = timedelta(seconds=60)
MEND = "set ALOI_PUBLIC_URL to the address at which the agent reaches an Aloi server over this database"


class StoredSession:
    """A session in the database. `calls` are known when it is over."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.calls: tuple[ServedCall, ...] = ()


class StoreServing:
    """Serves tools to the invocations of one run.

    Args:
        run_id: calls that are alike get the same generated answer throughout the run.
        writer: the model that writes generated answers; null where there are none.
    """

    def __init__(self, context: Context, target: Target, run_id: str, writer: ModelSpec | None) -> None:
        self._context = context
        self._target = target
        self._run_id = run_id
        self._writer = writer

    @asynccontextmanager
    async def session(self, tools: tuple[ServedTool, ...], seconds: float) -> AsyncGenerator[StoredSession]:
        """See `Serving.session`."""
        address = served_address(self._context, self._target)
        token, moment = new_token(), now()
        workspace_id = self._context.principal.workspace.id
        opened = ServedSession(scope=self._run_id, workspace_id=workspace_id, tools=tools, writer=self._writer)
        async with self._context.database.transaction() as tx:
            await served.sweep(tx, moment)
            await served.begin(tx, digest(token), opened, moment + timedelta(seconds=seconds) + MARGIN)
        session = StoredSession(f"{address}{PATH}{token}")
        try:
            yield session
        finally:
            async with self._context.database.transaction() as tx:
                session.calls = await served.end(tx, digest(token))


def served_address(context: Context, target: Target) -> str:
    """The address of a server, as a target elsewhere reaches it, without a slash at its end.

    Raises:
        InvalidInput: there is none, or the target is on another machine and the server on the loopback of this one.
    """
    settings = context.settings
    if settings.public_url is not None:
        return settings.public_url.rstrip("/")
    host = target.elsewhere() or ""
    if context.address is None:
        raise InvalidInput(
            f"the agent at {host} would be sent the address of its simulated tools, and no server that serves them is "
            f"known here; start the run on `aloi serve`, or {MEND}"
        )
    if is_loopback(urlsplit(context.address).hostname or "") and not is_loopback(host):
        raise InvalidInput(f"the agent at {host} cannot reach its simulated tools at {context.address}; {MEND}")
    return context.address
