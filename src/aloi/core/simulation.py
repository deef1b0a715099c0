"""Stand-ins for tools and for steps that a person does: what they answer in place of the real thing."""

from typing import Annotated, Literal, NamedTuple, Protocol

from pydantic import Field, JsonValue, field_validator

from aloi.core.condition import Condition
from aloi.core.json_values import answer_fault
from aloi.core.spec import JsonObject, Value
from aloi.core.trace import Provenance


class StaticAnswer(Value):
    """One fixed answer. `when`: it is given only to calls whose arguments meet all of these conditions."""

    output: JsonValue = Field(description="What the call gives.")
    when: tuple[Condition, ...] = Field(default=(), description="Only for calls whose arguments meet all of these.")

    @field_validator("output")
    @classmethod
    def _is_json(cls, output: JsonValue) -> JsonValue:
        if fault := answer_fault(output):
            raise ValueError(f"it {fault}")
        return output


# Built at once, for several values have them in a field, and each would build what is not built for itself.
class StaticSimulation(Value, defer_build=False):
    """Fixed answers. The first one whose conditions the arguments meet is given.

    Several answers with the same conditions (or without any) are given in turn, call by call; the last of them repeats.
    """

    kind: Literal["static"] = Field(description="Fixed answers.")
    answers: tuple[StaticAnswer, ...] = Field(
        description="Given in turn; the last repeats.", json_schema_extra={"minItems": 1}
    )

    # Not by `min_length`, which would tell of a list with one bad answer that it is too short as well.
    @field_validator("answers")
    @classmethod
    def _some(cls, answers: tuple[StaticAnswer, ...]) -> tuple[StaticAnswer, ...]:
        if not answers:
            raise ValueError("it needs at least one answer, e.g. {output: ...}")
        return answers


class GeneratedSimulation(Value, defer_build=False):
    """Answers that a model writes, given the arguments and the path so far; they fit the component's output schema."""

    kind: Literal["generated"] = Field(description="Answers that a model writes.")
    description: str = Field(
        min_length=1, pattern=r"\S", description="How the component answers, in words, for the model that writes."
    )


# The kind has no default, so that it is stored with the rest.
Simulation = Annotated[StaticSimulation | GeneratedSimulation, Field(discriminator="kind")]
# By the name of the component: of a tool, or of a workflow's step.
Simulations = dict[str, Simulation]


def simulations_content(simulations: Simulations) -> JsonObject:
    """What decides how simulations answer, as JSON: what files hold and hashes cover."""
    return {name: simulation.model_dump(mode="json", exclude_defaults=True) for name, simulation in simulations.items()}


def simulations_of_case(dataset: Simulations, case: Simulations) -> Simulations:
    """What stands in while a case runs: its own, and the dataset's for the components that it says nothing of."""
    return {**dataset, **case}


class Simulated(NamedTuple):
    """What a stand-in answered, and how it came by it.

    `misfit`: what of a fixed answer does not fit the component's output schema, which may be meant; null for nothing.
    """

    output: JsonValue
    provenance: Provenance
    misfit: str | None = None


class StandIns(Protocol):
    """The stand-ins of one case's one trial."""

    def covers(self, component: str) -> bool:
        """Whether a component is simulated."""
        ...

    def provenance(self, component: str) -> Provenance:
        """How a simulated component comes by its answers: `static` or `generated`."""
        ...

    async def answer(self, component: str, arguments: JsonValue, output_schema: JsonObject | None) -> Simulated:
        """What a simulated component answers to these arguments.

        Raises:
            StageFailure: no answer is meant for these arguments, or none that fits could be generated (stage `invoke`,
                type `simulation`).
        """
        ...


class _NoStandIns:
    """Nothing is simulated."""

    def covers(self, component: str) -> bool:
        """Never."""
        return False

    def provenance(self, component: str) -> Provenance:
        """What it does itself."""
        return "real"

    async def answer(self, component: str, arguments: JsonValue, output_schema: JsonObject | None) -> Simulated:
        """Not asked, for it covers nothing."""
        raise LookupError(component)


NO_STAND_INS: StandIns = _NoStandIns()
