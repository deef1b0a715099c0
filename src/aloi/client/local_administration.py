"""Targets, schedules, members and keys of the database that this process works on itself. It only hands on."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from pydantic import JsonValue

from aloi.client.administration import Administration
from aloi.client.finding import key_of, member_of
from aloi.core.access import ApiKey, Grants, Member, NewApiKey, NewMember, Role
from aloi.core.case import Case
from aloi.core.execution import (
    Execution,
    ExecutionEntry,
    ExecutionFilter,
    ExecutionStatus,
    Invoke,
    ToCase,
    WaitingStep,
)
from aloi.core.gate import Gate, GateState, Override, OverrideReason
from aloi.core.identity import etag
from aloi.core.listing import Page
from aloi.core.online_result import OnlineResult
from aloi.core.online_rule import OnlineRule
from aloi.core.run import TargetVersion
from aloi.core.schedule import Firing, Preview, Schedule, ScheduleGiven, Timing
from aloi.core.score import Verdict
from aloi.core.spec import JsonObject, valid
from aloi.core.target_record import TargetDetail, TargetFilter, TargetRecord
from aloi.service import executions, gates, harvesting, invoking, targets, versions, waiting
from aloi.service.accounts import api_keys, grants, members
from aloi.service.context import Context
from aloi.service.online import results, rules
from aloi.service.scheduling import schedules
from aloi.settings import Settings


class LocalAdministration:
    """See `Administration`, method by method."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def targets(self, text: str = "", page: int = 1, size: int = 20) -> Page[TargetRecord]:
        return await targets.listing(self._context, page, size, TargetFilter(text=text))

    async def target(self, ref: str) -> TargetDetail:
        return await targets.get(self._context, ref)

    async def target_versions(self, ref: str, page: int = 1, size: int = 20) -> Page[TargetVersion]:
        return await versions.listing(self._context, ref, page, size)

    async def activate(self, ref: str, number: int, override: str | None = None) -> TargetDetail:
        reason = None if override is None else valid(OverrideReason, {"reason": override}, "the override")
        return await versions.activate(self._context, ref, number, override=reason)

    async def gate(self, ref: str, version: int | None = None) -> GateState:
        return await gates.get(self._context, ref, version)

    async def set_gate(self, ref: str, gate: Gate, read: Gate | None = None) -> GateState:
        return await gates.replace(self._context, ref, gate, None if read is None else etag(read))

    async def overrides(self, ref: str, page: int = 1, size: int = 20) -> Page[Override]:
        return await gates.overrides_of(self._context, ref, page, size)

    async def delete_target(self, ref: str) -> None:
        await targets.delete(self._context, ref)

    async def invoke(self, ref: str, given: str | JsonObject, version: int | None = None) -> Execution:
        wanted = valid(Invoke, {"input": given, "version": version, "source": "runner"}, "the invocation")
        return await invoking.carry_out(await invoking.prepare(self._context, ref, wanted))

    async def executions(
        self, target: str | None = None, status: ExecutionStatus | None = None, page: int = 1, size: int = 20
    ) -> Page[ExecutionEntry]:
        wanted = ExecutionFilter(target_id=target, status=status)
        return await executions.listing(self._context, page, size, wanted)

    async def execution(self, ref: str) -> Execution:
        return await executions.get(self._context, ref)

    async def waiting_steps(self, target: str | None = None, page: int = 1, size: int = 20) -> Page[WaitingStep]:
        return await waiting.listing(self._context, page, size, target)

    async def answer(self, ref: str, step: str, answer: JsonValue) -> Execution:
        return await waiting.answer(self._context, ref, step, answer)

    async def cancel_execution(self, ref: str) -> Execution:
        return await waiting.cancel(self._context, ref)

    async def case_of_execution(self, ref: str, wanted: ToCase) -> Case:
        return await harvesting.to_case(self._context, ref, wanted)

    async def online_rules(self, target: str, page: int = 1, size: int = 20) -> Page[OnlineRule]:
        return await rules.page(self._context, target, "", page, size)

    async def online_rule(self, target: str, ref: str) -> OnlineRule:
        return await rules.get(self._context, target, ref)

    async def create_online_rule(self, target: str, fields: JsonObject) -> OnlineRule:
        return await rules.create(self._context, target, fields)

    async def update_online_rule(self, target: str, ref: str, changes: JsonObject) -> OnlineRule:
        return await rules.update(self._context, target, ref, changes)

    async def delete_online_rule(self, target: str, ref: str) -> None:
        await rules.delete(self._context, target, ref)

    async def online_results(
        self, target: str, ref: str, verdict: Verdict | None = None, page: int = 1, size: int = 20
    ) -> Page[OnlineResult]:
        return await results.page(self._context, target, ref, results.ResultFilter(verdict), page, size)

    async def schedules(self, target: str | None = None, page: int = 1, size: int = 20) -> Page[Schedule]:
        return await schedules.page(self._context, schedules.ScheduleFilter(target), page, size)

    async def schedule(self, ref: str) -> Schedule:
        return await schedules.get(self._context, ref)

    async def create_schedule(self, given: ScheduleGiven) -> Schedule:
        return await schedules.create(self._context, given.model_dump())

    async def preview_schedule(self, timing: Timing) -> Preview:
        return await schedules.preview(self._context, timing)

    async def pause_schedule(self, ref: str) -> Schedule:
        return await schedules.pause(self._context, ref)

    async def resume_schedule(self, ref: str) -> Schedule:
        return await schedules.resume(self._context, ref)

    async def delete_schedule(self, ref: str) -> None:
        await schedules.delete(self._context, ref)

    async def firings(self, ref: str, page: int = 1, size: int = 20) -> Page[Firing]:
        return await schedules.firings_of(self._context, ref, page, size)

    async def members(self, page: int = 1, size: int = 20) -> Page[Member]:
        return await members.listing(self._context, page, size)

    async def add_member(
        self, email: str, role: Role, password: str | None = None, targets: Sequence[str] | None = None
    ) -> NewMember:
        return await members.add(self._context, email, role, password, targets)

    async def set_role(self, ref: str, role: Role) -> Member:
        return await members.change(self._context, (await member_of(self, ref)).id, role=role)

    async def sign_in_link(self, ref: str) -> NewMember:
        return await members.link(self._context, (await member_of(self, ref)).id)

    async def grants(self, ref: str) -> Grants:
        return await grants.get(self._context, (await member_of(self, ref)).id)

    async def set_grants(self, ref: str, targets: Sequence[str] | None) -> Grants:
        return await grants.replace(self._context, (await member_of(self, ref)).id, targets)

    async def remove_member(self, ref: str) -> None:
        await members.remove(self._context, (await member_of(self, ref)).id)

    async def api_keys(self, page: int = 1, size: int = 20) -> Page[ApiKey]:
        return await api_keys.listing(self._context, page, size)

    async def create_api_key(self, name: str, role: Role, expires_at: datetime | None = None) -> NewApiKey:
        return await api_keys.create(self._context, name, role, expires_at)

    async def revoke_api_key(self, ref: str) -> None:
        await api_keys.revoke(self._context, (await key_of(self, ref)).id)

    async def close(self) -> None:
        await self._context.close()


async def open_local_administration(settings: Settings, environ: Mapping[str, str]) -> Administration:
    """Over the database that the settings name.

    Raises:
        StoreUnavailable: it cannot be opened.
    """
    return LocalAdministration(await Context.open(settings, environ))
