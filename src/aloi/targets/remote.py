"""`remote`: an agent that runs elsewhere and is only observed, by the traces that it sends."""

from typing import ClassVar

from pydantic import Field

from aloi.core.errors import StageFailure
from aloi.core.target import Invocation, Reply, Target, TargetContext


class Remote(Target):
    """An agent that runs elsewhere: its executions are what its traces tell. Aloi cannot invoke it.

    Traces become executions of the target whose name is their attribute `aloi.target`, else their `service.name`; one
    that is not there yet is made, of this kind.
    """

    kind: ClassVar[str] = "remote"
    observed_only: ClassVar[bool] = True

    note: str = Field(default="", max_length=1000, description="Where it runs, for people.")

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        """Refuse.

        Raises:
            StageFailure: always (stage `invoke`, type `not_supported`).
        """
        raise StageFailure(
            "invoke",
            "not_supported",
            "this target runs elsewhere and is only observed by its traces; to invoke it, make a target of kind "
            "`http` or `openai` with its address",
        )
