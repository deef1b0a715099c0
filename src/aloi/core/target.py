"""What a target is, what it is given, and what it gives back."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, Self

from pydantic import JsonValue

from aloi.core.chat import ChatModel, ModelSpec
from aloi.core.errors import StageFailure
from aloi.core.keys import NamedKey
from aloi.core.spec import JsonObject, Spec, Value
from aloi.core.tool import ToolContext
from aloi.core.usage import NO_USAGE, Usage


class OpenSpan(Protocol):
    """A span that is still going on."""

    def set(self, attributes: JsonObject) -> None:
        """Add attributes."""
        ...

    def fail(self, error: str) -> None:
        """Mark it as failed though no exception leaves its block."""
        ...


class Recorder(Protocol):
    """Writes down the spans of one execution. Spans nest by where they are opened."""

    def span(self, name: str, attributes: JsonObject | None = None) -> AbstractContextManager[OpenSpan]:
        """A span around a block; an exception that leaves the block is its error."""
        ...


class HttpRequest(Value):
    """One request of an `http` target; an answer over `max_bytes` is a failure."""

    method: str
    url: str
    headers: dict[str, str] = {}
    body: bytes | None = None
    max_bytes: int


class HttpReply(Value):
    """Its answer: status, headers with lower-case names, body."""

    status: int
    headers: dict[str, str]
    body: bytes


class HttpDoor(Protocol):
    """Sends requests through one pool per endpoint, at the endpoint's pace, again when it is told to come back."""

    async def send(self, request: HttpRequest) -> HttpReply:
        """Send it.

        Raises:
            StageFailure: no usable answer (stage `invoke`).
        """
        ...


def no_agent_model(spec: ModelSpec) -> object:
    """Where no agent can be run: refuses.

    Raises:
        StageFailure: always (stage `invoke`, type `not_supported`).
    """
    raise StageFailure("invoke", "not_supported", f"no agent engine is set up here, so {spec.model} cannot run one")


def no_cost(spec: ModelSpec, input_tokens: int | None, output_tokens: int | None) -> float | None:
    """Where no prices are at hand: null."""
    return None


@dataclass(frozen=True)
class TargetContext:
    """What a target may use while it is invoked.

    Args:
        chat: gives the `ChatModel` of a spec (one per endpoint, shared by every run in the process).
        http: the same for plain HTTP.
        recorder: where spans go.
        tools: what the agent's tools may use.
        agent_model: gives the model of a spec as the agent engine wants it (a pydantic-ai `Model`, with the same
            connections and pace as `chat`). Calling it imports that engine.
        cost: the price in US dollars of a call of a model, by input and output tokens; null when it is not known.
        environ: environment variables, for keys and headers that a definition names.
        interactive: true when a person tries the target; false in a run.
        allow_code: whether `python` targets and evaluators may run.
    """

    chat: Callable[[ModelSpec], ChatModel]
    http: HttpDoor
    recorder: Recorder
    tools: ToolContext
    agent_model: Callable[[ModelSpec], object] = no_agent_model
    cost: Callable[[ModelSpec, int | None, int | None], float | None] = no_cost
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    interactive: bool = False
    allow_code: bool = False


class Invocation(Value):
    """One case as the target sees it: the input, and which case and trial it is."""

    input: str | JsonObject
    case_key: str = ""
    trial: int = 0


class Component(Value):
    """A part of a target that it may call: the name that the model sees, and what it does."""

    name: str
    description: str


class Reply(Value):
    """What came back: the answer, and what it used.

    `shows_tools`: whether the spans recorded meanwhile would show every tool call.
    `latency`: in seconds, where the answer was obtained earlier; null means as long as the invocation took.
    """

    output: JsonValue
    usage: Usage = NO_USAGE
    shows_tools: bool = True
    latency: float | None = None


class Target(Spec):
    """Base of all target kinds: typed fields plus one method. A new kind is one file with one subclass.

    `runs_code`: whether the definition names code to run, which an operator must allow. `uses_workspace`: whether each
    case needs a folder of its own.
    """

    runs_code: ClassVar[bool] = False
    uses_workspace: ClassVar[bool] = False

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        """Invoke it once. The caller keeps the deadline and makes a null output an error.

        Raises:
            StageFailure: it gave no answer (stage `invoke`). Any other exception is the target's own failure.
        """
        raise NotImplementedError

    def fingerprint(self) -> JsonObject:
        """What else than the definition decides how it behaves (a module's source hash, say); part of its hash."""
        return {}

    def models(self) -> tuple[ModelSpec, ...]:
        """The models that it asks: what would make every call fail, a missing key say, is looked for before a run."""
        return ()

    def named_keys(self) -> tuple[NamedKey, ...]:
        """The environment variables that the definition names, beside the keys of `models`."""
        return ()

    def files(self) -> tuple[str, ...]:
        """The files of this machine that it reads; a server takes no definition that names any."""
        return ()

    def portable(self) -> Self:
        """The same target without files of this machine: what they hold stands in the definition.

        Raises:
            InvalidInput: a file cannot be read.
        """
        return self

    def components(self) -> tuple[Component, ...]:
        """The tools that it may call in a run."""
        return ()

    def resolved(self, folder: str) -> Self:
        """The same target with relative file names taken from this folder (of a suite file)."""
        return self

    def skipped(self) -> tuple[str, ...]:
        """Names of parts that a run leaves out (connectors that only interactive use has)."""
        return ()
