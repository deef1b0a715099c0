"""One invocation of a target outside of runs: what it needs, and what becomes of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import cast

from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.execution import Execution, ExecutionSource, ExecutionStatus, SpanEnded, span_ended
from aloi.core.outcome import Outcome
from aloi.core.run import TargetVersion
from aloi.core.target import Target
from aloi.core.trace import Span
from aloi.llm.secrets import masked
from aloi.service.context import Context
from aloi.service.target_secrets import secrets_of
from aloi.service.targets import built, check_unchanged
from aloi.store import usage
from aloi.store.connection import Connection
from aloi.store.usage import Source

Follower = Callable[[SpanEnded], None]


@dataclass(frozen=True)
class Invocation:
    """An invocation that may begin, or go on: everything that can be refused was looked at.

    `id`, `created_at`: of its execution. `secrets`: what the target is told of the environment, by the names of the
    variables.
    """

    context: Context
    id: str
    created_at: datetime
    version: TargetVersion
    target: Target
    case: Case
    source: ExecutionSource
    secrets: Mapping[str, str]

    @property
    def is_durable(self) -> bool:
        """Whether it may wait for people, so that how far it is must be stored."""
        return any(component.kind == "human" for component in self.target.components())

    def execution(self, outcome: Outcome, status: ExecutionStatus) -> Execution:
        """Its execution, as it is stored and answered."""
        return Execution(
            id=self.id,
            target_id=self.version.target_id,
            target_name=self.version.target_name,
            target_kind=self.version.kind,
            version=self.version.number,
            source=self.source,
            run_id=None,
            case_key=None,
            created_at=self.created_at,
            status=status,
            input=self.case.input,
            attachments=self.case.attachments,
            outcome=outcome,
        )

    def hidden(self, outcome: Outcome) -> Outcome:
        """The outcome without any secret that the target was told."""
        shown = masked(cast(JsonValue, outcome.model_dump(mode="json")), self.secrets)
        return Outcome.model_validate(shown)

    def masking(self, follow: Follower) -> Callable[[Span], None]:
        """What shows somebody each span when it ends, without any secret."""

        def show(span: Span) -> None:
            follow(SpanEnded.model_validate(masked(span_ended(span).model_dump(mode="json"), self.secrets)))

        return show

    async def count(self, tx: Connection, outcome: Outcome) -> None:
        """Say what it used in all, in place of what was said before."""
        models = self.target.models()
        model, day = models[0].model if models else "", self.created_at.astimezone(UTC).date()
        source = Source(self.id, self.version.target_id)
        await usage.put(tx, source, "target", day, model, outcome.usage)


def invocation_of(
    context: Context, version: TargetVersion, case: Case, source: ExecutionSource, begun: tuple[str, datetime]
) -> Invocation:
    """The invocation of a version.

    Args:
        begun: the id of its execution, and when it began.

    Raises:
        InvalidInput: the definition does not fit any more.
        NotPermitted: the target wants what the operator does not allow.
        Conflict: a module that the version names has changed since.
    """
    target = built(context, version)
    if version.id not in context.in_memory:
        check_unchanged(version, target)
    return Invocation(context, *begun, version, target, case, source, secrets_of(context, target))
