"""Composition root: everything that the use cases share in one process."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from aloi.blobs.blob import Blobs
from aloi.blobs.opening import open_blobs
from aloi.core.access import LOCAL, Principal, Workspace
from aloi.core.keys import ANY_KEY, KeyPolicy
from aloi.core.target import Target, TargetContext
from aloi.core.tool import ToolContext
from aloi.llm.models import Models
from aloi.service.attachment_reading import AttachmentReader
from aloi.service.clock import now
from aloi.service.process.awaiting import Awaited
from aloi.service.process.desk import Desk
from aloi.service.process.feeds import Feeds
from aloi.service.process.intake import Intake
from aloi.service.process.lease import new_owner
from aloi.settings import Settings
from aloi.store.database import Database
from aloi.tracing.recorder import Recording

MOST_EXPORTS = 4  # at once: each holds a connection to the database for as long as its reader takes
MOST_INVOCATIONS = 64  # at once in one process, by hand or in production; a run has its own concurrency


@dataclass
class Context:
    """The settings, the store, the models, and the runs that this process works on, as one principal uses them.

    `in_memory`: targets that exist in this process alone (a callable given to the SDK), by version id. `served`: this
    is a server, which takes the runs that it starts up again after a crash; `address` is where it listens, once it
    does, as a browser on this machine would write it. `draining` is set when it is about to end: runs hand out no more
    cases.
    """

    settings: Settings
    environ: Mapping[str, str]
    database: Database
    models: Models
    blobs: Blobs
    owner: str = field(default_factory=new_owner)
    in_memory: dict[str, Target] = field(default_factory=dict[str, Target])
    work: dict[str, asyncio.Task[None]] = field(default_factory=dict[str, asyncio.Task[None]])
    feeds: Feeds = field(default_factory=Feeds)
    draining: asyncio.Event = field(default_factory=asyncio.Event)
    principal: Principal = LOCAL
    exporting: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_EXPORTS))
    invoking: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_INVOCATIONS))
    intake: Intake = field(default_factory=Intake)
    awaited: Awaited = field(default_factory=Awaited)
    served: bool = False
    address: str | None = None
    desk: Desk = field(default_factory=Desk)

    def __post_init__(self) -> None:
        """Hold a server to the operator's key policy; who works in process may use the whole environment anyway."""
        if self.served:
            self.models.keys = self.keys

    @property
    def keys(self) -> KeyPolicy:
        """Which environment variables a definition may name here, and where their values may go."""
        return self.settings.key_policy if self.served else ANY_KEY

    @classmethod
    async def open(cls, settings: Settings, environ: Mapping[str, str], served: bool = False) -> Self:
        """Open the store and get ready; nothing is contacted.

        Raises:
            StoreUnavailable: the database cannot be opened.
            InvalidInput: attachments cannot be stored where the settings say.
        """
        blobs = open_blobs(settings.attachments_address, environ)
        database = await Database.open(settings.database)
        models = Models(environ)
        return cls(settings=settings, environ=environ, database=database, models=models, blobs=blobs, served=served)

    def acting_as(self, principal: Principal) -> Self:
        """The same context, used by another principal: everything is shared, what is seen is theirs."""
        database = self.database.in_workspace(principal.workspace.id, principal.targets, principal.member_id)
        return replace(self, principal=principal, database=database)

    def in_workspace(self, workspace_id: str, name: str = LOCAL.name) -> Self:
        """The same context, used by the program itself for a workspace; `name` is whom the audit log tells of."""
        workspace = Workspace(id=workspace_id, name=workspace_id)
        return self.acting_as(LOCAL.model_copy(update={"workspace": workspace, "name": name}))

    @property
    def attachments(self) -> AttachmentReader:
        """What reads the workspace's files."""
        return AttachmentReader(self.database, self.blobs)

    async def drain(self, seconds: float) -> None:
        """Let the runs of this process end in order: cases in flight get so long, what is left is given back."""
        self.draining.set()
        await self.feeds.close()
        if self.work:
            await asyncio.wait(self.work.values(), timeout=seconds)
        await stop(list(self.work.values()))

    async def close(self) -> None:
        """Interrupt the runs of this process (what is finished stays), and close everything."""
        try:
            await self.feeds.close()
            await stop(list(self.work.values()))
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
            read_attachment=self.attachments.for_target,
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
