"""Targets, members and keys of a server: each method is one request, or a few, to its REST API."""

from datetime import datetime

from aloi.client.administration import Administration
from aloi.client.finding import key_of, member_of
from aloi.client.wire import Wire, part
from aloi.core.access import ApiKey, Member, NewApiKey, NewMember, Role
from aloi.core.errors import NotFound
from aloi.core.execution import Execution
from aloi.core.listing import Page
from aloi.core.run import TargetVersion
from aloi.core.spec import JsonObject
from aloi.core.target_record import TargetDetail, TargetRecord


class HttpAdministration:
    """See `Administration`, method by method."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    async def targets(self, text: str = "", page: int = 1, size: int = 20) -> Page[TargetRecord]:
        return await self._wire.page("/api/targets", TargetRecord, page, size, q=text or None)

    async def target(self, ref: str) -> TargetDetail:
        return await self._wire.get(await self._target(ref), TargetDetail)

    async def target_versions(self, ref: str, page: int = 1, size: int = 20) -> Page[TargetVersion]:
        return await self._wire.page(f"{await self._target(ref)}/versions", TargetVersion, page, size)

    async def activate(self, ref: str, number: int) -> TargetDetail:
        path = f"{await self._target(ref)}/versions/{number}/activate"
        return await self._wire.post(path, TargetDetail)

    async def delete_target(self, ref: str) -> None:
        await self._wire.delete(await self._target(ref))

    async def invoke(self, ref: str, given: str | JsonObject, version: int | None = None) -> Execution:
        body = {"input": given, "version": version, "source": "runner"}
        return await self._wire.post(f"{await self._target(ref)}/invoke", Execution, body)

    async def members(self, page: int = 1, size: int = 20) -> Page[Member]:
        return await self._wire.page("/api/members", Member, page, size)

    async def add_member(self, email: str, role: Role, password: str | None = None) -> NewMember:
        body = {"email": email, "role": role, "password": password}
        return await self._wire.post("/api/members", NewMember, body)

    async def set_role(self, ref: str, role: Role) -> Member:
        member = await member_of(self, ref)
        return await self._wire.put(f"/api/members/{member.id}", Member, {"role": role})

    async def sign_in_link(self, ref: str) -> NewMember:
        member = await member_of(self, ref)
        return await self._wire.post(f"/api/members/{member.id}/link", NewMember)

    async def remove_member(self, ref: str) -> None:
        await self._wire.delete(f"/api/members/{(await member_of(self, ref)).id}")

    async def api_keys(self, page: int = 1, size: int = 20) -> Page[ApiKey]:
        return await self._wire.page("/api/auth/api-keys", ApiKey, page, size)

    async def create_api_key(self, name: str, role: Role, expires_at: datetime | None = None) -> NewApiKey:
        body = {"name": name, "role": role, "expires_at": expires_at}
        return await self._wire.post("/api/auth/api-keys", NewApiKey, body)

    async def revoke_api_key(self, ref: str) -> None:
        await self._wire.delete(f"/api/auth/api-keys/{(await key_of(self, ref)).id}")

    async def _target(self, ref: str) -> str:
        """The path of a target, by its name or id."""
        named = await self._wire.page("/api/targets", TargetRecord, 1, 1, name=ref)
        if not named.items and (not ref or "/" in ref):  # which no id has
            raise NotFound(f"there is no target {ref!r}; see `aloi targets list`")
        return f"/api/targets/{part(named.items[0].id if named.items else ref)}"

    async def close(self) -> None:
        await self._wire.close()


def open_http_administration(server: str, token: str | None) -> Administration:
    """Of the server at an address.

    Raises:
        InvalidInput: it is no address.
    """
    return HttpAdministration(Wire(server, token))
