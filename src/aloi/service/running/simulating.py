"""What a run needs of simulations before it starts: a stand-in for all that would change the world, and no other."""

from collections.abc import Iterable

from aloi.core.case import Case
from aloi.core.errors import InvalidInput
from aloi.core.judge import SET_A_JUDGE
from aloi.core.simulation import GeneratedSimulation, Simulations, simulations_of_case
from aloi.core.target import Target
from aloi.core.wording import count
from aloi.service.evaluators import NAMED
from aloi.simulation.generated import prompt_hash

# Under this name the hash of the prompt of generated answers stands among those of the judges.
PROMPT = "simulation"


class SimulationCheck:
    """Looks at every case before a run starts, so that nothing acts for real that nobody wanted to.

    `generates`: whether a model writes answers; `serves`: whether tools are served to a target elsewhere.

    Args:
        target: what runs.
        simulations: the dataset's, or those given for the run in their place.
        allow_side_effects: whether components may change the world; a person is asked in no run.
    """

    def __init__(self, target: Target, simulations: Simulations, allow_side_effects: bool) -> None:
        components = target.components()
        self.target = target
        self._simulations = simulations
        self._known = {component.name for component in components} if target.knows_components() else None
        self._people = [component.name for component in components if component.kind == "human"]
        self._effects = [
            component.name
            for component in components
            if component.side_effect and component.kind != "human" and not allow_side_effects
        ]
        self._unasked = _Places()
        self._unseen = _Places()
        self._strange = _Places()
        for name in self._strangers(simulations):
            self._strange.add(name, "the dataset or the run")
        self._served = {component.name for component in components} if target.elsewhere() else set[str]()
        self.generates = False
        self.serves = False

    def look_at(self, case: Case) -> None:
        """Take one case in."""
        simulated = simulations_of_case(self._simulations, case.simulations)
        for name in self._people:
            if name not in simulated:
                self._unasked.add(name, f"case {case.key}")
        for name in self._effects:
            if name not in simulated:
                self._unseen.add(name, f"case {case.key}")
        for name in self._strangers(case.simulations):
            self._strange.add(name, f"case {case.key}")
        self.serves |= not self._served.isdisjoint(simulated)
        self.generates |= any(isinstance(simulation, GeneratedSimulation) for simulation in simulated.values())

    def _strangers(self, simulations: Simulations) -> Iterable[str]:
        return () if self._known is None else (name for name in simulations if name not in self._known)

    def conclude(self, has_model: bool) -> None:
        """Refuse what cannot be run so.

        Raises:
            InvalidInput: a simulation of what the target has not, a person or a side effect without one (up to 20 are
                named, each with its case), or a generated one and no model to write it.
        """
        if self._strange:
            known = ", ".join(sorted(self._known or ())) or "none"
            raise InvalidInput(
                f"there are simulations of what the target has not: {self._strange}; its tools and steps are: {known}"
            )
        if self._unasked:
            raise InvalidInput(
                f"a run asks no person, and these steps are not simulated: {self._unasked}; simulate them on the "
                "dataset or on the case"
            )
        if self._unseen:
            raise InvalidInput(
                f"what changes the world is not simulated: {self._unseen}; simulate it on the dataset or on the case, "
                "or allow it (allow_side_effects, --allow-side-effects)"
            )
        if self.generates and not has_model:
            raise InvalidInput(
                f"there are generated simulations, which the judge's model writes, and none is set; {SET_A_JUDGE}, or "
                "in a suite by `judge:`"
            )

    @property
    def prompts(self) -> dict[str, str]:
        """The hash of the prompt of generated answers, where there are any."""
        return {PROMPT: prompt_hash()} if self.generates else {}


class _Places:
    """Names of components with where they stand: the first few, and how many in all."""

    def __init__(self) -> None:
        self._first: list[str] = []
        self._number = 0

    def add(self, name: str, place: str) -> None:
        self._number += 1
        if self._number <= NAMED:
            self._first.append(f"{name} ({place})")

    def __bool__(self) -> bool:
        return self._number > 0

    def __str__(self) -> str:
        more = self._number - len(self._first)
        return ", ".join(self._first) + (f" and {count(more, 'other')}" if more else "")
