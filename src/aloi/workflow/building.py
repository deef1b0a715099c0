"""Steps out of what a definition says of them, with the place of everything that does not fit."""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from aloi.core.errors import InvalidInput
from aloi.core.spec import JsonObject, fault_text
from aloi.core.step import Fault, Step
from aloi.core.target import Component, PinnedTarget
from aloi.plugins import build

STEPS = "steps"


def built(specs: Sequence[JsonObject]) -> tuple[Step, ...]:
    """The steps that specs describe.

    Raises:
        ValidationError: a kind that there is not, or fields that do not fit; the places begin with "steps".
    """
    steps: list[Step] = []
    faults: list[Fault] = []
    for index, spec in enumerate(specs):
        try:
            steps.append(build(STEPS, spec, Step))
        except InvalidInput as error:
            faults.extend(_faults(error, spec, index))
    refuse(faults)
    return tuple(steps)


def _faults(error: InvalidInput, spec: JsonObject, index: int) -> Iterable[Fault]:
    name = spec.get("name")
    which = f"step {name}: " if isinstance(name, str) else f"step {index + 1}: "
    cause = error.__cause__
    if not isinstance(cause, ValidationError):
        return [Fault((STEPS, index, "kind"), f"{which}{error}")]
    return [
        Fault((STEPS, index, *fault["loc"]), which + fault_text(fault).removeprefix(which))
        for fault in cause.errors(include_url=False)
    ]


def refuse(faults: Iterable[Fault]) -> None:
    """Nothing when there are no faults.

    Raises:
        ValidationError: there are some, each with its place.
    """
    details = [
        InitErrorDetails(
            type=PydanticCustomError("workflow", "{reason}", {"reason": fault.reason}), loc=fault.at, input=None
        )
        for fault in faults
    ]
    if details:
        raise ValidationError.from_exception_data("workflow", details)


def pinned(
    specs: Sequence[JsonObject], steps: Sequence[Step], definitions: Mapping[str, PinnedTarget]
) -> tuple[JsonObject, ...]:
    """The specs with the targets that they name written into them.

    Args:
        steps: what the specs describe, in their order.

    Raises:
        InvalidInput: a target cannot be used where it is named.
    """
    changed = [step.pinned(definitions) if step.references() else step for step in steps]
    return tuple(spec if new is old else new.to_spec() for spec, old, new in zip(specs, steps, changed, strict=True))


def components(steps: Iterable[Step]) -> tuple[Component, ...]:
    """What of the steps can be simulated, each name once.

    Agents may have the same tools, and a step may bear a tool's name: whichever changes the world, or asks a person,
    stands for all of that name, so that a run looks for its stand-in.
    """
    found: dict[str, Component] = {}
    for component in (component for step in steps for component in step.components()):
        known = found.get(component.name)
        if known is None or _weight(component) > _weight(known):
            found[component.name] = component
    return tuple(found.values())


def span_seconds(steps: Iterable[Step]) -> float | None:
    """How long a run waits for spans of the services that the steps ask: the longest. Null where none is told."""
    known = (step.span_seconds() for step in steps)
    return max((seconds for seconds in known if seconds is not None), default=None)


def _weight(component: Component) -> tuple[bool, bool]:
    return component.kind == "human", component.side_effect
