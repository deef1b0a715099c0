"""What a target did with one case."""

from pydantic import JsonValue

from aloi.core.errors import Stage
from aloi.core.spec import Value
from aloi.core.trace import Trace
from aloi.core.usage import NO_USAGE, Usage


class Failure(Value):
    """What went wrong, as a value: the stage, a short stable type, and a message for people."""

    stage: Stage
    type: str
    message: str


class Outcome(Value):
    """The answer, or why there is none, with what it took.

    `output` is text or a JSON value; null exactly when `failure` is set, or while people are still asked (see
    `Execution`). `latency` in seconds, retries included.
    `trace` is null where the target gives no evidence of its path. `simulation_usage`: what a model used to write the
    generated answers of simulated tools and steps; it is on the judge's side of a run, and no part of `usage`.
    """

    output: JsonValue = None
    failure: Failure | None = None
    usage: Usage = NO_USAGE
    simulation_usage: Usage = NO_USAGE
    latency: float = 0.0
    trace: Trace | None = None
