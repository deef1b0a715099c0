"""What is wrong with the steps of a workflow, found before anything runs; each fault has its place and its step."""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aloi.core.flow.graph import STEPS, every_step, in_order, step_read
from aloi.core.flow.schemas import ANY, NoSuchMember, member, misfit
from aloi.core.spec import JsonObject
from aloi.core.step import Fault, Flow, Path, Reading, Step

MOST_STEPS = 500  # of a workflow, those inside of maps counted
DEEPEST_MAP = 3
INPUT = "input"


@dataclass
class Scope:
    """What steps see, as far as it is known: the `Types` of one flow.

    Args:
        input_schema: of the workflow's input; null for anything.
        outputs: the schemas of the steps' outputs by name, of those around the flow too; null for anything.
        more: the schemas of what only this flow sees, by name (`item`, `index`).
        branches: the ways of every branch in sight, by its name.
        homes: for every step of the workflow, the map in which it stands; null outside of maps.
    """

    input_schema: JsonObject | None
    outputs: dict[str, JsonObject | None] = field(default_factory=dict[str, JsonObject | None])
    more: JsonObject = field(default_factory=JsonObject)
    branches: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    homes: dict[str, str | None] = field(default_factory=dict[str, str | None])

    def of(self, path: Path) -> JsonObject | None:
        """The schema of what a path reads; null when nothing is known of it."""
        try:
            return self.follow(path) or None
        except NoSuchMember:
            return None

    def follow(self, path: Path) -> JsonObject:
        """The schema of what a path reads; `ANY` when nothing is known of it.

        Raises:
            NoSuchMember: there can be no such thing.
        """
        root, rest = self._root(path)
        schema = root or ANY
        for segment in rest:
            schema = member(schema, segment)
        return schema

    def _root(self, path: Path) -> tuple[JsonObject | None, Path]:
        name = step_read(path)
        if name is not None:
            return self.outputs.get(name), path[2:]
        if path[0] == INPUT:
            return self.input_schema, path[1:]
        known = self.more.get(str(path[0]))
        return known if isinstance(known, dict) else None, path[1:]

    def names(self) -> list[str]:
        """What an expression may begin with."""
        return [INPUT, STEPS, *self.more]


def faults_of(flow: Flow, scope: Scope, output: Sequence[Reading] = ()) -> list[Fault]:
    """Every fault of a workflow's steps, and of what its output reads, in the order of the definition.

    It fills the scope with the steps' outputs. The place of a fault is in the definition: ("steps", 2, "arguments",
    "expression").
    """
    number = sum(1 for _ in every_step(flow.steps))
    if number > MOST_STEPS:
        return [Fault((STEPS,), f"there are {number:,} steps, and {MOST_STEPS} may be; split the workflow")]
    if twice := list(_name_faults(flow, (), set())):
        return twice  # what refers to such a name cannot be told apart
    scope.homes.update(_homes(flow.steps, None))
    faults = sorted(_flow_faults(flow, scope, (), 0), key=lambda fault: [(isinstance(at, str), at) for at in fault.at])
    of_output = (Fault(fault.at, f"the output: {fault.reason}") for fault in _reading_faults(output, None, scope))
    return [*faults, *of_output]


def _homes(steps: Sequence[Step], home: str | None) -> Iterator[tuple[str, str | None]]:
    for step in steps:
        yield step.name, home
        inside = step.flow()
        if inside is not None:
            yield from _homes(inside.steps, step.name)


def _name_faults(flow: Flow, at: Path, seen: set[str]) -> Iterator[Fault]:
    for index, step in enumerate(flow.steps):
        place = (*at, STEPS, index)
        if step.name in seen:
            yield Fault((*place, "name"), f"two steps are named {step.name}; give each its own name")
        seen.add(step.name)
        inside = step.flow()
        if inside is not None:
            yield from _name_faults(inside, place, seen)


def _flow_faults(flow: Flow, scope: Scope, at: Path, depth: int) -> Iterator[Fault]:
    places = {step.name: (*at, STEPS, index) for index, step in enumerate(flow.steps)}
    ordered, circle = in_order(flow)
    scope.branches.update((step.name, step.ways()) for step in flow.steps if step.ways())
    scope.outputs.update(dict.fromkeys(places))
    if len(circle) > 2:  # one that waits for itself is told of by its reference
        reason = f"the steps wait for each other: {' → '.join(circle)}; take one of these references away"
        yield Fault(places[circle[0]], f"step {circle[0]}: {reason}")
    behind = [step for step in flow.steps if step not in ordered]
    for step in (*ordered, *behind):
        place = places[step.name]
        for fault in _step_faults(step, scope):
            yield Fault((*place, *fault.at), f"step {step.name}: {fault.reason}")
        inner = scope
        if inside := step.flow():
            inner = _scope_inside(step, scope)
            yield from _inside_faults(step, inside, inner, place, depth + 1)
        scope.outputs[step.name] = step.answer_schema(inner)


def _scope_inside(step: Step, scope: Scope) -> Scope:
    more = {**scope.more, **step.known_inside(scope)}
    return Scope(scope.input_schema, dict(scope.outputs), more, dict(scope.branches), scope.homes)


def _inside_faults(step: Step, inside: Flow, inner: Scope, place: Path, depth: int) -> Iterator[Fault]:
    if depth > DEEPEST_MAP:
        reason = f"maps stand in maps more than {DEEPEST_MAP} deep; flatten the list in a step before"
        yield Fault(place, f"step {step.name}: {reason}")
        return
    yield from _flow_faults(inside, inner, place, depth)
    for fault in _reading_faults(step.reads_inside(), step.name, inner):
        yield Fault((*place, *fault.at), f"step {step.name}: {fault.reason}")


def _step_faults(step: Step, scope: Scope) -> Iterator[Fault]:
    yield from _reading_faults(step.reads(), step.name, scope)
    for index, name in enumerate(step.needs):
        if reason := _name_fault(name, step.name, scope):
            yield Fault(("needs", index), reason)
    yield from _when_faults(step, scope)
    yield from step.faults(scope)


def _when_faults(step: Step, scope: Scope) -> Iterator[Fault]:
    for name, wanted in step.when.items():
        reason = _name_fault(name, step.name, scope)
        if reason is None and name not in scope.branches:
            reason = f"the step {name} is no branch; name one of kind branch"
        if reason:
            yield Fault(("when", name), reason)
            continue
        ways = scope.branches[name]
        for way in (wanted,) if isinstance(wanted, str) else wanted:
            if way not in ways:
                yield Fault(("when", name), f"the branch {name} has no way {way!r}; its ways are: {', '.join(ways)}")


def _reading_faults(readings: Sequence[Reading], own: str | None, scope: Scope) -> Iterator[Fault]:
    for reading in readings:
        reason = _reference_fault(reading.path, own, scope) or _type_fault(reading, scope)
        if reason:
            yield Fault(reading.at, reason)


def _reference_fault(path: Path, own: str | None, scope: Scope) -> str | None:
    """Why there is nothing of that name; null if there is."""
    if not path:
        return "a path begins with $.input or $.steps.NAME, and reads one of them alone"
    root = str(path[0])
    if root == STEPS:
        name = step_read(path)
        if name is None:
            return "steps alone is nothing that can be waited for; name the step, as in steps.NAME"
        return _name_fault(name, own, scope)
    if root in scope.names():
        return None
    if root in ("item", "index"):
        return f"{root} is there inside of a map alone"
    mend = f"; write steps.{root}" if root in scope.outputs else ""
    return f"there is no {root!r}: expressions begin with {' or '.join(scope.names())}{mend}"


def _name_fault(name: str, own: str | None, scope: Scope) -> str | None:
    if name == own:
        return "it refers to itself; refer to other steps"
    if own is not None and name in _around(own, scope.homes):
        return f"it stands inside of {name}, which is over only after it; refer to item, or to steps before {name}"
    if name in scope.outputs:
        return None
    home = scope.homes.get(name)
    if home is not None:
        return f"the step {name} stands inside of {home}; refer to steps.{home}"
    near = difflib.get_close_matches(name, sorted(scope.outputs), 1)
    mend = f"did you mean {near[0]}?" if near else f"the steps are: {', '.join(sorted(scope.outputs))}"
    return f"there is no step {name!r}; {mend}"


def _around(name: str, homes: Mapping[str, str | None]) -> Iterator[str]:
    """The maps in which a step stands, the innermost first."""
    home = homes.get(name)
    while home is not None:
        yield home
        home = homes.get(home)


def _type_fault(reading: Reading, scope: Scope) -> str | None:
    """Why what is read cannot be there, or cannot be of the type that is wanted; null if it may."""
    path = reading.path
    for length in range(1, len(path) + 1):
        try:
            scope.follow(path[:length])
        except NoSuchMember as error:
            return None if reading.maybe else f"{written(path[:length])} cannot be there: {error}"
    reason = misfit(scope.follow(path), reading.wanted)
    return f"{written(path)} {reason}" if reason else None


def written(path: Path) -> str:
    """A path as it is written in an expression: `steps.fetch[0].title`."""
    first, *rest = path
    return str(first) + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in rest)
