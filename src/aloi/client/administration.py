"""What can be done besides evaluating: keep targets, try them, and say who may do what."""

from datetime import datetime
from typing import Protocol

from aloi.core.access import ApiKey, Member, NewApiKey, NewMember, Role
from aloi.core.execution import Execution
from aloi.core.listing import Page
from aloi.core.run import TargetVersion
from aloi.core.spec import JsonObject
from aloi.core.target_record import TargetDetail, TargetRecord


class Administration(Protocol):
    """Looks after targets, members and keys. Errors are those of `Client`.

    Targets go by name or id, members by email or id, keys by name or id.
    """

    async def targets(self, text: str = "", page: int = 1, size: int = 20) -> Page[TargetRecord]:
        """Targets whose name or description has the text, that changed last first."""
        ...

    async def target(self, ref: str) -> TargetDetail:
        """A target with its active version."""
        ...

    async def target_versions(self, ref: str, page: int = 1, size: int = 20) -> Page[TargetVersion]:
        """The versions of a target, newest first."""
        ...

    async def activate(self, ref: str, number: int) -> TargetDetail:
        """Make a version the active one."""
        ...

    async def delete_target(self, ref: str) -> None:
        """Delete a target with its versions; one that runs evaluated is kept (`Conflict`)."""
        ...

    async def invoke(self, ref: str, given: str | JsonObject, version: int | None = None) -> Execution:
        """Put an input to a target's active version, or another one; its failure is in the execution."""
        ...

    async def members(self, page: int = 1, size: int = 20) -> Page[Member]:
        """The workspace's members, newest first."""
        ...

    async def add_member(self, email: str, role: Role, password: str | None = None) -> NewMember:
        """Add a member. Without a password they sign in by the one-time link that comes back."""
        ...

    async def set_role(self, ref: str, role: Role) -> Member:
        """Give a member another role."""
        ...

    async def sign_in_link(self, ref: str) -> NewMember:
        """A fresh one-time link for a member."""
        ...

    async def remove_member(self, ref: str) -> None:
        """Remove a member; they are signed out at once."""
        ...

    async def api_keys(self, page: int = 1, size: int = 20) -> Page[ApiKey]:
        """The workspace's API keys, newest first; never their secrets."""
        ...

    async def create_api_key(self, name: str, role: Role, expires_at: datetime | None = None) -> NewApiKey:
        """Make an API key. Its secret can be read this one time."""
        ...

    async def revoke_api_key(self, ref: str) -> None:
        """End an API key; one that shares its name with others goes by its id."""
        ...

    async def close(self) -> None:
        """Release everything."""
        ...
