"""Fixed answers: chosen by conditions on the arguments, given in turn."""

from collections import Counter
from typing import NamedTuple

from pydantic import JsonValue

from aloi.core.errors import StageFailure
from aloi.core.identity import canonical_json
from aloi.core.json_values import shortened
from aloi.core.simulation import StaticAnswer, StaticSimulation


class Choice(NamedTuple):
    """The answers that take turns at some arguments, and a key of their own in the simulation that they are of."""

    answers: tuple[StaticAnswer, ...]
    key: str

    def at(self, turn: int) -> JsonValue:
        """What is answered after they were chosen so many times before; the last repeats."""
        return self.answers[min(turn, len(self.answers) - 1)].output


class Turns:
    """Which answers of one trial's static simulations come next; each component has turns of its own."""

    def __init__(self) -> None:
        self._taken = Counter[tuple[str, str]]()

    def answer(self, component: str, simulation: StaticSimulation, arguments: JsonValue) -> JsonValue:
        """What is answered to these arguments.

        Raises:
            StageFailure: as `choice`.
        """
        chosen = choice(component, simulation, arguments)
        place = (component, chosen.key)
        self._taken[place] += 1
        return chosen.at(self._taken[place] - 1)


def choice(component: str, simulation: StaticSimulation, arguments: JsonValue) -> Choice:
    """The first answer whose conditions the arguments meet, and those with the same conditions.

    Raises:
        StageFailure: no answer is meant for them, or a condition takes too long on them.
    """
    key = _conditions(_chosen(component, simulation, arguments))
    return Choice(tuple(answer for answer in simulation.answers if _conditions(answer) == key), key)


def _chosen(component: str, simulation: StaticSimulation, arguments: JsonValue) -> StaticAnswer:
    try:
        for answer in simulation.answers:
            if all(condition.holds(arguments) for condition in answer.when):
                return answer
    except StageFailure as failure:
        message = f"a condition of the simulation of {component} cannot be looked at: {failure.message}"
        raise StageFailure("invoke", "simulation", message) from failure
    message = (
        f"no answer of the simulation of {component} is meant for the arguments {shortened(arguments)}; "
        "add one, or a last one without conditions"
    )
    raise StageFailure("invoke", "simulation", message)


def _conditions(answer: StaticAnswer) -> str:
    return canonical_json([condition.model_dump(mode="json") for condition in answer.when])
