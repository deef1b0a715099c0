"""What can be done besides evaluating: keep targets, try them, schedule their runs, grade what they do in production,
and say who may do what.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol, cast

from pydantic import JsonValue

from aloi.client import saved_token
from aloi.core.access import ApiKey, Grants, Member, NewApiKey, NewMember, Role
from aloi.core.case import Case
from aloi.core.execution import Execution, ExecutionEntry, ExecutionStatus, ToCase, WaitingStep
from aloi.core.gate import Gate, GateState, Override
from aloi.core.listing import Page
from aloi.core.online_result import OnlineResult
from aloi.core.online_rule import OnlineRule
from aloi.core.run import TargetVersion
from aloi.core.schedule import Firing, Preview, Schedule, ScheduleGiven, Timing
from aloi.core.score import Verdict
from aloi.core.spec import JsonObject
from aloi.core.target_record import TargetDetail, TargetRecord
from aloi.plugins import module
from aloi.settings import Settings


class Administration(Protocol):
    """Looks after targets, schedules, members and keys. Errors are those of `Client`.

    Targets, schedules and online rules go by name or id, executions by id or its beginning, members by email or id,
    keys by name or id.
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

    async def activate(self, ref: str, number: int, override: str | None = None) -> TargetDetail:
        """Make a version the active one, if the gate allows it (`ActivationRefused`).

        `override` is an owner's reason to do so although it does not.
        """
        ...

    async def gate(self, ref: str, version: int | None = None) -> GateState:
        """What a target's gate says of a version, by default the newest."""
        ...

    async def set_gate(self, ref: str, gate: Gate, read: Gate | None = None) -> GateState:
        """Set all policies of a target; datasets go by name or id. Its newest version is told of.

        Only if they still are as they were read (`Stale`), where that is given.
        """
        ...

    async def overrides(self, ref: str, page: int = 1, size: int = 20) -> Page[Override]:
        """The versions of a target that owners let pass against its gate, newest first."""
        ...

    async def delete_target(self, ref: str) -> None:
        """Delete a target with its versions; one that runs evaluated is kept (`Conflict`)."""
        ...

    async def invoke(self, ref: str, given: str | JsonObject, version: int | None = None) -> Execution:
        """Put an input to a target's active version, or another one; its failure is in the execution."""
        ...

    async def executions(
        self, target: str | None = None, status: ExecutionStatus | None = None, page: int = 1, size: int = 20
    ) -> Page[ExecutionEntry]:
        """Executions of one target or of all, in one state or in any, newest first."""
        ...

    async def execution(self, ref: str) -> Execution:
        """An execution with its trace."""
        ...

    async def waiting_steps(self, target: str | None = None, page: int = 1, size: int = 20) -> Page[WaitingStep]:
        """The steps that wait for people, of one target or of all, oldest first."""
        ...

    async def answer(self, ref: str, step: str, answer: JsonValue) -> Execution:
        """Answer a step that waits. The execution goes on in the background, as long as this client is open."""
        ...

    async def cancel_execution(self, ref: str) -> Execution:
        """Give up an execution that waits or runs: it fails as `cancelled`."""
        ...

    async def case_of_execution(self, ref: str, wanted: ToCase) -> Case:
        """Make an execution a case of a dataset; its output is what is expected, unless another is given."""
        ...

    async def online_rules(self, target: str, page: int = 1, size: int = 20) -> Page[OnlineRule]:
        """The rules that grade a target's production executions, newest first, each with its last 24 hours."""
        ...

    async def online_rule(self, target: str, ref: str) -> OnlineRule:
        """A rule of a target."""
        ...

    async def create_online_rule(self, target: str, fields: JsonObject) -> OnlineRule:
        """Create a rule of the fields of `OnlineRuleGiven`, those that are left out by default.

        An evaluator is `{"kind": ..., its own fields}`, or `{"evaluator_id": ...}` of a saved one. It grades while a
        server runs.
        """
        ...

    async def update_online_rule(self, target: str, ref: str, changes: JsonObject) -> OnlineRule:
        """Change some fields of a rule; null clears one."""
        ...

    async def delete_online_rule(self, target: str, ref: str) -> None:
        """Delete a rule with its results."""
        ...

    async def online_results(
        self, target: str, ref: str, verdict: Verdict | None = None, page: int = 1, size: int = 20
    ) -> Page[OnlineResult]:
        """What a rule said of executions, of one verdict or of any, newest first."""
        ...

    async def schedules(self, target: str | None = None, page: int = 1, size: int = 20) -> Page[Schedule]:
        """Schedules of one target or of all, newest first, each with its last firing."""
        ...

    async def schedule(self, ref: str) -> Schedule:
        """A schedule with its last firing."""
        ...

    async def create_schedule(self, given: ScheduleGiven) -> Schedule:
        """Create a schedule. It fires while a server runs."""
        ...

    async def preview_schedule(self, timing: Timing) -> Preview:
        """What a recurrence means in words, and its next five firings."""
        ...

    async def pause_schedule(self, ref: str) -> Schedule:
        """Let a schedule not fire until it is resumed."""
        ...

    async def resume_schedule(self, ref: str) -> Schedule:
        """Let a paused schedule fire again; what it missed does not fire any more. One that is over is a `Conflict`."""
        ...

    async def delete_schedule(self, ref: str) -> None:
        """Delete a schedule; its runs stay."""
        ...

    async def firings(self, ref: str, page: int = 1, size: int = 20) -> Page[Firing]:
        """What came of each firing of a schedule, newest first."""
        ...

    async def members(self, page: int = 1, size: int = 20) -> Page[Member]:
        """The workspace's members, newest first."""
        ...

    async def add_member(
        self, email: str, role: Role, password: str | None = None, targets: Sequence[str] | None = None
    ) -> NewMember:
        """Add a member. Without a password they sign in by the one-time link that comes back.

        Args:
            targets: those that they are narrowed to, by name or id; null for all. Owners see all (`Conflict`).
        """
        ...

    async def set_role(self, ref: str, role: Role) -> Member:
        """Give a member another role."""
        ...

    async def sign_in_link(self, ref: str) -> NewMember:
        """A fresh one-time link for a member."""
        ...

    async def grants(self, ref: str) -> Grants:
        """The targets that a member is narrowed to; null for all."""
        ...

    async def set_grants(self, ref: str, targets: Sequence[str] | None) -> Grants:
        """Narrow a member to some targets, by name or id, and no others; null lets them see all again.

        Owners cannot be narrowed (`Conflict`).
        """
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


class _Local(Protocol):
    async def open_local_administration(self, settings: Settings, environ: Mapping[str, str]) -> Administration: ...


class _Http(Protocol):
    def open_http_administration(self, server: str, token: str | None) -> Administration: ...


async def administer(settings: Settings, environ: Mapping[str, str]) -> Administration:
    """As `aloi.client.connect`, for targets, members and keys."""
    if settings.server is not None:
        http = cast(_Http, module("aloi.client.http_administration"))
        return http.open_http_administration(settings.server, saved_token(settings))
    local = cast(_Local, module("aloi.client.local_administration"))
    return await local.open_local_administration(settings, environ)
