"""Composition root: everything that the use cases share in one process."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Self

from aloi.core.target import Target, TargetContext
from aloi.core.tool import ToolContext
from aloi.llm.models import Models
from aloi.service.clock import now
from aloi.service.lease import new_owner
from aloi.settings import Settings
from aloi.store.database import Database
from aloi.tracing.recorder import Recording


@dataclass
class Context:
    """The settings, the store, the models, and the runs that this process works on.

    `in_memory`: targets that exist in this process alone (a callable given to the SDK), by version id.
    """

    settings: Settings
    environ: Mapping[str, str]
    database: Database
    models: Models
    owner: str = field(default_factory=new_owner)
    in_memory: dict[str, Target] = field(default_factory=dict[str, Target])
    work: dict[str, asyncio.Task[None]] = field(default_factory=dict[str, asyncio.Task[None]])

    @classmethod
    async def open(cls, settings: Settings, environ: Mapping[str, str]) -> Self:
        """Open the store and get ready; nothing is contacted.

        Raises:
            StoreUnavailable: the database cannot be opened.
        """
        database = await Database.open(settings.database)
        return cls(settings=settings, environ=environ, database=database, models=Models(environ))

    async def close(self) -> None:
        """Interrupt the runs of this process (what is finished stays), and close everything."""
        try:
            await stop(self.work.values())
            await self.models.close()
        finally:
            await self.database.close()

    def target_context(self, recorder: Recording, workspace: str, interactive: bool = False) -> TargetContext:
        """What a target may use in one invocation."""
        tools = ToolContext(
            workspace=workspace,
            now=now,
            allow_hosts=self.settings.allow_hosts,
            search_url=self.settings.search_url,
        )
        return TargetContext(
            chat=self.models.chat,
            http=self.models.http,
            recorder=recorder,
            tools=tools,
            agent_model=self.models.agent_model,
            cost=self.models.cost,
            environ=self.environ,
            interactive=interactive,
            allow_code=self.settings.allow_code,
        )


def interrupt(task: asyncio.Task[None]) -> None:
    """Cancel the work on a run, once: a second cancel would break off the commit that the first one leads to."""
    if not task.cancelling():
        task.cancel()


async def stop(tasks: Collection[asyncio.Task[None]]) -> None:
    """Interrupt work, and wait until it has written down how it ended."""
    # What was set off just now must begin first: work that never began would not give its lease back.
    await asyncio.sleep(0)
    for task in tasks:
        interrupt(task)
    if tasks:
        await asyncio.wait(tasks)
