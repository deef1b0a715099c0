"""What a target is, what it is given, and what it gives back."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from typing import ClassVar, Literal, NamedTuple, Protocol, Self

from pydantic import JsonValue

from aloi.core.attachment import AttachedFile, Attachment, no_files
from aloi.core.chat import ChatModel, ModelSpec
from aloi.core.errors import StageFailure
from aloi.core.keys import NamedKey
from aloi.core.simulation import NO_STAND_INS, StandIns
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

    def traceparent(self) -> str:
        """The W3C `traceparent` of the span that is open: sent along, it makes spans of others join this trace."""
        ...

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


class TargetContext(NamedTuple):
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
        stand_ins: what answers in the place of simulated tools and steps.
        keep: stores how far a target has come that can go on from there; null where nothing is kept.
        mcp_url: where the simulated tools of the case are served by MCP, for a target that runs elsewhere; null where
            nothing is served.
        read_attachment: gives a file of the case with its content.
    """

    chat: Callable[[ModelSpec], ChatModel]
    http: HttpDoor
    recorder: Recorder
    tools: ToolContext
    agent_model: Callable[[ModelSpec], object] = no_agent_model
    cost: Callable[[ModelSpec, int | None, int | None], float | None] = no_cost
    environ: Mapping[str, str] = {}
    interactive: bool = False
    allow_code: bool = False
    stand_ins: StandIns = NO_STAND_INS
    keep: Callable[[JsonObject], Awaitable[None]] | None = None
    mcp_url: str | None = None
    read_attachment: Callable[[Attachment], Awaitable[AttachedFile]] = no_files

    async def files(self, invocation: "Invocation") -> tuple[AttachedFile, ...]:
        """The files of an invocation with their contents.

        Raises:
            StageFailure: one cannot be read (stage `invoke`, type `attachment`).
        """
        return tuple([await self.read_attachment(file) for file in invocation.attachments])


class Invocation(Value):
    """One case as the target sees it: the input with its files, and which case and trial it is.

    `state` and `answers` continue an invocation that parked: what the target gave as its state, and what people
    answered since, by the names of their steps.
    """

    input: str | JsonObject
    case_key: str = ""
    trial: int = 0
    state: JsonObject | None = None
    answers: dict[str, JsonValue] = {}
    attachments: tuple[Attachment, ...] = ()


class Component(Value):
    """A part of a target that can be simulated: a tool, a step of a workflow, or a step that a person does.

    `name`: what the model sees, or the step's name. `output_schema`: what its answer fits; null when that is not said.
    `side_effect`: whether it changes the world, so that a run must simulate it or be allowed not to. `input_schema`:
    what its arguments fit; null when that is not said.
    """

    name: str
    description: str
    kind: Literal["tool", "step", "human"] = "tool"
    output_schema: JsonObject | None = None
    side_effect: bool = False
    input_schema: JsonObject | None = None


class Reply(Value):
    """What came back: the answer, and what it used.

    `shows_tools`: whether the spans recorded meanwhile would show every tool call.
    `latency`: in seconds, where the answer was obtained earlier; null means as long as the invocation took.
    """

    output: JsonValue
    usage: Usage = NO_USAGE
    shows_tools: bool = True
    latency: float | None = None


class PinnedTarget(Value):
    """A version of another target, written into the one that uses it."""

    name: str
    number: int
    definition: JsonObject


class Question(Value):
    """What a person is asked by a step that waits for one.

    `step`: its name in the workflow, unique among those that wait. `answer_schema`: what the answer must fit; null for
    any text.
    """

    step: str
    text: str
    answer_schema: JsonObject | None = None


class Parked(Value):
    """No answer yet: people are asked first. With `state` and their answers the target goes on where it stood."""

    state: JsonObject
    questions: tuple[Question, ...]
    usage: Usage = NO_USAGE


class Target(Spec):
    """Base of all target kinds: typed fields plus one method. A new kind is one file with one subclass.

    `runs_code`: whether the definition names code to run, which an operator must allow. `uses_workspace`: whether each
    case needs a folder of its own. `observed_only`: whether nobody can invoke it, for it is only seen by its traces.
    """

    runs_code: ClassVar[bool] = False
    uses_workspace: ClassVar[bool] = False
    observed_only: ClassVar[bool] = False

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply | Parked:
        """Invoke it once. The caller keeps the deadline and makes a null output an error.

        Raises:
            StageFailure: it gave no answer (stage `invoke`). Any other exception is the target's own failure.
        """
        raise NotImplementedError

    def refuses_attachments(self) -> str | None:
        """Why it takes no files, as the end of a sentence about it; null where they reach it."""
        return f"a target of kind {self.kind} takes none"

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

    def references(self) -> tuple[str, ...]:
        """The targets that the definition names, `NAME` or `NAME@VERSION`, and that are not written into it yet."""
        return ()

    def pinned(self, definitions: Mapping[str, PinnedTarget]) -> Self:
        """The same target with what it names written into it, so that its hash covers them.

        Args:
            definitions: by the names that `references` gave.

        Raises:
            InvalidInput: one of them cannot be used where it is named.
        """
        return self

    def pins(self) -> tuple[PinnedTarget, ...]:
        """The versions of other targets that are written into the definition under their names."""
        return ()

    def portable(self) -> Self:
        """The same target without files of this machine: what they hold stands in the definition.

        Raises:
            InvalidInput: a file cannot be read.
        """
        return self

    def components(self) -> tuple[Component, ...]:
        """The tools and steps that a run of it can be given stand-ins for."""
        return ()

    def knows_components(self) -> bool:
        """Whether `components` gives all there are, so that a simulation of anything else is a mistake."""
        return bool(self.components())

    def elsewhere(self) -> str | None:
        """The host that it runs at, so that simulated tools are served to it by MCP; null when it runs here."""
        return None

    def resolved(self, folder: str) -> Self:
        """The same target with relative file names taken from this folder (of a suite file)."""
        return self

    def span_seconds(self) -> float | None:
        """How long to wait, after its answer, for spans of its own that others sent; null where it sends no trace."""
        return None

    def skipped(self) -> tuple[str, ...]:
        """Names of parts that a run leaves out (connectors that only interactive use has)."""
        return ()
