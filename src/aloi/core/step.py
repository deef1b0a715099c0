"""What a step of a workflow is, what it is given, and what it gives back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, NamedTuple, Protocol, Self

from pydantic import Field, JsonValue

from aloi.core.chat import ModelSpec
from aloi.core.keys import NamedKey
from aloi.core.spec import JsonObject, Spec
from aloi.core.target import Component, Invocation, PinnedTarget, Question, TargetContext
from aloi.core.usage import Usage

# Where in a definition something stands: names of fields and indices of lists.
Place = tuple[str | int, ...]
# What of the document an expression reads: ("steps", "classify", "amount").
Path = tuple[str | int, ...]
StepName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=100)]
MOST_RETRIES = 10
LONGEST_SECONDS = 7 * 86_400


class Reading(NamedTuple):
    """One place where a step reads the document.

    `at`: where in the step's definition, e.g. ("arguments", "expression"). `path`: what it reads, as far as that is
    fixed: ("input", "question") or ("steps", "fetch", 0, "title"). `wanted`: a JSON schema that the value must fit;
    null for any. `maybe`: whether it may be absent, so that a property which no schema knows is no fault.
    """

    at: Place
    path: Path
    wanted: JsonObject | None = None
    maybe: bool = False


class Fault(NamedTuple):
    """Something of a step that cannot work: where in its definition, and why, with the mend."""

    at: Place
    reason: str


class Types(Protocol):
    """What is known of the document before anything runs."""

    def of(self, path: Path) -> JsonObject | None:
        """The JSON schema of what a path reads; null when nothing is known of it."""
        ...


class _NothingKnown:
    """Before anything is known of a document."""

    def of(self, path: Path) -> JsonObject | None:
        """Null."""
        return None


NOTHING_KNOWN: Types = _NothingKnown()


class Waiting(NamedTuple):
    """A step that cannot go on before people have answered these questions."""

    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Flow:
    """Steps that run together: those of a workflow, or those inside of a map.

    `by_name`: the steps by their names. `mentions`: for each the names of all steps that it refers to, needs or is
    conditioned on. `waits`: those of them that stand in this flow, and so must be over first. `followers`: the reverse.
    """

    steps: tuple["Step", ...]
    by_name: Mapping[str, "Step"]
    mentions: Mapping[str, tuple[str, ...]]
    waits: Mapping[str, tuple[str, ...]]
    followers: Mapping[str, tuple[str, ...]]


class Inside(Protocol):
    """Runs the steps inside of a step (a map's body), by the same rules as those of the workflow."""

    async def __call__(
        self, flow: Flow, more: JsonObject, at: str, output: Callable[[JsonObject], JsonValue]
    ) -> JsonValue | Waiting:
        """Run them once, or go on where they stood.

        Args:
            more: what their document has beside that of the step itself, e.g. `{"item": ..., "index": 2}`.
            at: what their paths begin with, e.g. `each[2]`.
            output: makes the result, of the document in which all of them stand.
        """
        ...


class Evidence(Protocol):
    """What a trace holds of the values of one invocation."""

    def shown(self, value: JsonValue) -> JsonValue:
        """The value, or the beginning of its text with a note of the cut, where it is too large for a trace."""
        ...


@dataclass(frozen=True)
class StepContext:
    """What a step may use while it runs.

    Args:
        target: what the workflow itself may use: models, HTTP, the recorder, tools' settings, stand-ins.
        invocation: the invocation that the step is part of (which case, which trial).
        path: the step's path: its name, or `each[2].inner` inside of a map. What a `Question` is named after.
        document: what expressions see: `{"input": ..., "steps": {name: output}}`, and `item` and `index` in a map.
        answers: what people answered, by the paths of their steps.
        evidence: makes of inputs and outputs what a span holds of them.
        spend: call it with the usage of every reply of a model or an agent, also of one that is then thrown away.
        inside: runs the steps that stand inside of this one.
    """

    target: TargetContext
    invocation: Invocation
    path: str
    document: JsonObject
    answers: Mapping[str, JsonValue]
    evidence: Evidence
    spend: Callable[[Usage], None]
    inside: Inside


class Step(Spec):
    """Base of all kinds of steps: typed fields plus two methods. A new kind is one file with one subclass.

    The engine does the rest: it waits for what the step refers to, opens the span `step NAME` round it (with what
    `arguments` gave as its input), keeps the deadline, tries again, and asks a stand-in where the step is simulated.
    A subclass gives `arguments` and `run`, `reads` (nothing is read but what it tells), and what else applies.
    """

    # As what it can be simulated; null for a step that only rearranges what others gave.
    component: ClassVar[Literal["tool", "step", "human"] | None] = None

    name: StepName = Field(description="Unique in the workflow; others refer to it as {{ steps.NAME }}.")
    description: str = Field(default="", description="What it is there for, for people.")
    needs: tuple[str, ...] = Field(default=(), description="Steps that must be over first, beside those it refers to.")
    when: dict[str, str | tuple[str, ...]] = Field(
        default={}, description="Only when these branches took this way, or one of these: {route: refund}."
    )
    retries: int = Field(default=0, ge=0, le=MOST_RETRIES, description="How often it is tried again when it fails.")
    seconds: float | None = Field(
        default=None, gt=0, le=LONGEST_SECONDS, description="Deadline of one try; null for that of the case alone."
    )

    def reads(self) -> Sequence[Reading]:
        """Every place where it reads the document; the order of the steps and the checks follow from it."""
        return ()

    def arguments(self, document: JsonObject) -> JsonValue:
        """What it works on, rendered: the input of its span, what a stand-in is asked with, and what `run` gets.

        Raises:
            StageFailure: an expression cannot be evaluated (stage `invoke`). It is not tried again.
        """
        return None

    async def run(self, arguments: JsonValue, ctx: StepContext) -> JsonValue | Waiting:
        """Do the work once and give the output, which may be null; or say that people must answer first.

        Args:
            arguments: what `arguments` gave for the document.

        Raises:
            StageFailure: it could not be done (stage `invoke`; the engine adds the step's name to the message). Any
                other exception is the step's failure too.
        """
        raise NotImplementedError

    def answer_schema(self, types: Types) -> JsonObject | None:
        """The JSON schema of its output, where it is known; null for anything.

        Args:
            types: what is known of the document; for a step with others inside, of the document that those see.
        """
        return None

    def faults(self, types: Types) -> Iterator[Fault]:
        """What cannot work given what is known of the document, beside what `reads` lets the engine check."""
        yield from ()

    def tool_name(self) -> str | None:
        """The tool whose call the step is; null for a step that is no call of one tool.

        The engine records the call (an `execute_tool` span with `arguments` and the output) round `run` or its
        stand-in; `run` records none.
        """
        return None

    def side_effect(self) -> bool:
        """Whether it changes the world, so that a run must simulate it or be allowed not to."""
        return self.component == "human"

    def components(self) -> tuple[Component, ...]:
        """What of it can be simulated: itself, by its name; or the parts of it (an agent's tools, the steps inside)."""
        if self.component is None:
            return ()
        return (
            Component(
                name=self.name,
                description=self.description,
                kind=self.component,
                output_schema=self.answer_schema(NOTHING_KNOWN),
                side_effect=self.side_effect(),
            ),
        )

    def ways(self) -> tuple[str, ...]:
        """The ways that a branch can take, of which its output is one; empty for what is no branch."""
        return ()

    def flow(self) -> Flow | None:
        """The steps inside of it (a map's body); null for a step that stands by itself."""
        return None

    def reads_inside(self) -> Sequence[Reading]:
        """Every place where it reads the document of the steps inside of it, when they are over."""
        return ()

    def known_inside(self, types: Types) -> JsonObject:
        """The JSON schemas of what only the steps inside see: `{"item": {...}, "index": {...}}`."""
        return {}

    def models(self) -> tuple[ModelSpec, ...]:
        """The models that it asks."""
        return ()

    def named_keys(self) -> tuple[NamedKey, ...]:
        """The environment variables that it names, beside the keys of `models`."""
        return ()

    def files(self) -> tuple[str, ...]:
        """The files of this machine that it reads."""
        return ()

    def runs_code(self) -> bool:
        """Whether it names code to run, which an operator must allow."""
        return False

    def uses_workspace(self) -> bool:
        """Whether each case needs a folder of its own for it."""
        return False

    def takes_attachments(self) -> bool:
        """Whether the files of a case reach it."""
        return False

    def span_seconds(self) -> float | None:
        """How long a run waits for spans of the services that it asks; null where it tells none of the trace."""
        return None

    def references(self) -> tuple[str, ...]:
        """The targets that it names, `NAME` or `NAME@VERSION`, and that are not written into it yet."""
        return ()

    def pinned(self, definitions: Mapping[str, PinnedTarget]) -> Self:
        """The same step with what it names written into it.

        Raises:
            InvalidInput: one of them cannot be used where it is named.
        """
        return self

    def pins(self) -> tuple[PinnedTarget, ...]:
        """The versions of other targets that are written into it under their names."""
        return ()

    def skipped(self) -> tuple[str, ...]:
        """Names of parts that a run leaves out."""
        return ()
