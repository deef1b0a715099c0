"""The stand-ins of a run: for each trial of a case its own, over answers that they share."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.errors import StageFailure
from aloi.core.judge import SET_A_JUDGE
from aloi.core.path_text import path_text
from aloi.core.simulation import Simulated, Simulation, Simulations, StaticSimulation, simulations_of_case
from aloi.core.spec import JsonObject
from aloi.core.trace import Provenance, Span, Trace
from aloi.core.trajectory import trajectory
from aloi.core.usage import NO_USAGE, Usage
from aloi.llm.schema_fit import told_misfit
from aloi.simulation.generated import AnswerWriter, Call
from aloi.simulation.static import Turns
from aloi.tracing.recorder import UNFINISHED

PATH_LIMIT = 50_000


@dataclass(frozen=True)
class Simulator:
    """Makes the stand-ins of each trial of a case.

    Args:
        simulations: the dataset's; a case's own replace them, component by component.
        writer: writes generated answers; null where no model is at hand.
    """

    simulations: Simulations = field(default_factory=dict[str, Simulation])
    writer: AnswerWriter | None = None

    def stand_ins(self, case: Case, spans: Callable[[], Iterable[Span]]) -> "TrialStandIns":
        """The stand-ins of one trial; `spans` gives what was recorded of it until now."""
        return TrialStandIns(simulations_of_case(self.simulations, case.simulations), self.writer, spans)


class TrialStandIns:
    """The `StandIns` of one trial of a case. `usage`: what writing its generated answers used until now."""

    def __init__(
        self, simulations: Simulations, writer: AnswerWriter | None, spans: Callable[[], Iterable[Span]]
    ) -> None:
        self._simulations = simulations
        self._writer = writer
        self._spans = spans
        self._turns = Turns()
        self.usage = NO_USAGE

    def covers(self, component: str) -> bool:
        """See `StandIns.covers`."""
        return component in self._simulations

    def provenance(self, component: str) -> Provenance:
        """See `StandIns.provenance`."""
        return self._simulations[component].kind

    async def answer(self, component: str, arguments: JsonValue, output_schema: JsonObject | None) -> Simulated:
        """See `StandIns.answer`."""
        simulation = self._simulations[component]
        if isinstance(simulation, StaticSimulation):
            output = self._turns.answer(component, simulation, arguments)
            return Simulated(output, "static", await told_misfit(output_schema, output))
        if self._writer is None:
            message = f"the simulation of {component} is generated, and no model is set; {SET_A_JUDGE}"
            raise StageFailure("invoke", "simulation", message)
        call = Call(component, simulation.description, arguments, self._path(), output_schema)
        return Simulated(await self._writer.answer(call, self._spend), "generated")

    def _spend(self, usage: Usage) -> None:
        self.usage += usage

    def _path(self) -> str:
        """What was done until now; calls that are still going on, as the one that is answered, have no result yet."""
        ended = tuple(span for span in self._spans() if span.error != UNFINISHED)
        return path_text(trajectory(Trace(trace_id="", spans=ended)), PATH_LIMIT)
