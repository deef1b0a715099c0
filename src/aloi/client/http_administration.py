"""Targets, schedules, members and keys of a server: each method is one request, or a few, to its REST API."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import JsonValue

from aloi.client.administration import Administration
from aloi.client.finding import key_of, member_of
from aloi.client.wire import Wire, part
from aloi.core.access import ApiKey, Grants, Member, NewApiKey, NewMember, Role
from aloi.core.case import Case
from aloi.core.errors import NotFound
from aloi.core.execution import Execution, ExecutionEntry, ExecutionStatus, ToCase, WaitingStep
from aloi.core.gate import Gate, GateState, Override
from aloi.core.identity import etag
from aloi.core.listing import Page
from aloi.core.online_result import OnlineResult
from aloi.core.online_rule import OnlineRule
from aloi.core.run import TargetVersion
from aloi.core.schedule import Firing, Preview, Schedule, ScheduleGiven, Timing
from aloi.core.score import Verdict
from aloi.core.spec import JsonObject
from aloi.core.target_record import TargetDetail, TargetRecord

# How many rules are looked through for one of a name, and how much of the name is searched for.
MOST_ALIKE, MOST_SEARCHED = 200, 200


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

    async def activate(self, ref: str, number: int, override: str | None = None) -> TargetDetail:
        path = f"{await self._target(ref)}/versions/{number}/activate"
        body = {"override": None if override is None else {"reason": override}}
        return await self._wire.post(path, TargetDetail, body)

    async def gate(self, ref: str, version: int | None = None) -> GateState:
        return await self._wire.get(f"{await self._target(ref)}/gate", GateState, version=version)

    async def set_gate(self, ref: str, gate: Gate, read: Gate | None = None) -> GateState:
        tag = None if read is None else etag(read)
        return await self._wire.put(f"{await self._target(ref)}/gate", GateState, gate, tag)

    async def overrides(self, ref: str, page: int = 1, size: int = 20) -> Page[Override]:
        return await self._wire.page(f"{await self._target(ref)}/overrides", Override, page, size)

    async def delete_target(self, ref: str) -> None:
        await self._wire.delete(await self._target(ref))

    async def invoke(self, ref: str, given: str | JsonObject, version: int | None = None) -> Execution:
        body = {"input": given, "version": version, "source": "runner"}
        return await self._wire.post(f"{await self._target(ref)}/invoke", Execution, body)

    async def executions(
        self, target: str | None = None, status: ExecutionStatus | None = None, page: int = 1, size: int = 20
    ) -> Page[ExecutionEntry]:
        return await self._wire.page(
            "/api/executions", ExecutionEntry, page, size, target_id=target, status=status and status.value
        )

    async def execution(self, ref: str) -> Execution:
        return await self._wire.get(_execution(ref), Execution)

    async def waiting_steps(self, target: str | None = None, page: int = 1, size: int = 20) -> Page[WaitingStep]:
        return await self._wire.page("/api/executions/waiting", WaitingStep, page, size, target_id=target)

    async def answer(self, ref: str, step: str, answer: JsonValue) -> Execution:
        return await self._wire.post(f"{_execution(ref)}/steps/{part(step)}/answer", Execution, {"answer": answer})

    async def cancel_execution(self, ref: str) -> Execution:
        return await self._wire.post(f"{_execution(ref)}/cancel", Execution)

    async def case_of_execution(self, ref: str, wanted: ToCase) -> Case:
        body = wanted.model_dump(mode="json", exclude_unset=True)
        return await self._wire.post(f"{_execution(ref)}/to-case", Case, body)

    async def online_rules(self, target: str, page: int = 1, size: int = 20) -> Page[OnlineRule]:
        return await self._wire.page(f"{await self._target(target)}/online-rules", OnlineRule, page, size)

    async def online_rule(self, target: str, ref: str) -> OnlineRule:
        return await self._wire.get(await self._rule(target, ref), OnlineRule)

    async def create_online_rule(self, target: str, fields: JsonObject) -> OnlineRule:
        return await self._wire.post(f"{await self._target(target)}/online-rules", OnlineRule, fields)

    async def update_online_rule(self, target: str, ref: str, changes: JsonObject) -> OnlineRule:
        return await self._wire.put(await self._rule(target, ref), OnlineRule, changes)

    async def delete_online_rule(self, target: str, ref: str) -> None:
        await self._wire.delete(await self._rule(target, ref))

    async def online_results(
        self, target: str, ref: str, verdict: Verdict | None = None, page: int = 1, size: int = 20
    ) -> Page[OnlineResult]:
        path = f"{await self._rule(target, ref)}/results"
        return await self._wire.page(path, OnlineResult, page, size, verdict=verdict and verdict.value)

    async def schedules(self, target: str | None = None, page: int = 1, size: int = 20) -> Page[Schedule]:
        return await self._wire.page("/api/eval/schedules", Schedule, page, size, target_id=target)

    async def schedule(self, ref: str) -> Schedule:
        return await self._wire.get(await self._schedule(ref), Schedule)

    async def create_schedule(self, given: ScheduleGiven) -> Schedule:
        return await self._wire.post("/api/eval/schedules", Schedule, given)

    async def preview_schedule(self, timing: Timing) -> Preview:
        return await self._wire.post("/api/eval/schedules/preview", Preview, timing)

    async def pause_schedule(self, ref: str) -> Schedule:
        return await self._wire.post(f"{await self._schedule(ref)}/pause", Schedule)

    async def resume_schedule(self, ref: str) -> Schedule:
        return await self._wire.post(f"{await self._schedule(ref)}/resume", Schedule)

    async def delete_schedule(self, ref: str) -> None:
        await self._wire.delete(await self._schedule(ref))

    async def firings(self, ref: str, page: int = 1, size: int = 20) -> Page[Firing]:
        return await self._wire.page(f"{await self._schedule(ref)}/firings", Firing, page, size)

    async def members(self, page: int = 1, size: int = 20) -> Page[Member]:
        return await self._wire.page("/api/members", Member, page, size)

    async def add_member(
        self, email: str, role: Role, password: str | None = None, targets: Sequence[str] | None = None
    ) -> NewMember:
        named = None if targets is None else list(targets)
        body = {"email": email, "role": role, "password": password, "targets": named}
        return await self._wire.post("/api/members", NewMember, body)

    async def set_role(self, ref: str, role: Role) -> Member:
        member = await member_of(self, ref)
        return await self._wire.put(f"/api/members/{member.id}", Member, {"role": role})

    async def sign_in_link(self, ref: str) -> NewMember:
        member = await member_of(self, ref)
        return await self._wire.post(f"/api/members/{member.id}/link", NewMember)

    async def grants(self, ref: str) -> Grants:
        return await self._wire.get(f"/api/members/{(await member_of(self, ref)).id}/grants", Grants)

    async def set_grants(self, ref: str, targets: Sequence[str] | None) -> Grants:
        body = {"targets": None if targets is None else list(targets)}
        return await self._wire.put(f"/api/members/{(await member_of(self, ref)).id}/grants", Grants, body)

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

    async def _rule(self, target: str, ref: str) -> str:
        """The path of an online rule, by its name or id."""
        rules = f"{await self._target(target)}/online-rules"
        alike = await self._wire.page(rules, OnlineRule, 1, MOST_ALIKE, q=ref[:MOST_SEARCHED])
        named = next((rule for rule in alike.items if rule.name == ref), None)
        if named is None and (not ref or "/" in ref):  # which no id has
            raise NotFound(f"there is no online rule {ref!r}; see `aloi online list`")
        return f"{rules}/{part(ref if named is None else named.id)}"

    async def _schedule(self, ref: str) -> str:
        """The path of a schedule, by its name or id."""
        named = await self._wire.page("/api/eval/schedules", Schedule, 1, 1, name=ref)
        if not named.items and (not ref or "/" in ref):  # which no id has
            raise NotFound(f"there is no schedule {ref!r}; see `aloi schedules list`")
        return f"/api/eval/schedules/{part(named.items[0].id if named.items else ref)}"

    async def close(self) -> None:
        await self._wire.close()


def _execution(ref: str) -> str:
    """The path of an execution, by its id or the beginning of it; a text that is no id finds none."""
    if not ref or "/" in ref:
        raise NotFound(f"there is no execution {ref!r}; see `aloi executions list`")
    return f"/api/executions/{part(ref)}"


def open_http_administration(server: str, token: str | None) -> Administration:
    """Of the server at an address.

    Raises:
        InvalidInput: it is no address.
    """
    return HttpAdministration(Wire(server, token))
