"""Which step waits for which: read off what the steps refer to, need, and are conditioned on."""

from collections.abc import Iterator, Mapping, Sequence

from aloi.core.step import Flow, Path, Step

STEPS = "steps"


def flow_of(steps: Sequence[Step]) -> Flow:
    """The steps with their order. Names of no step are left out here; `checks` tells of them."""
    by_name = {step.name: step for step in steps}
    mentions = {step.name: mentioned(step) for step in steps}
    waits = {name: tuple(other for other in others if other in by_name) for name, others in mentions.items()}
    followers: dict[str, list[str]] = {name: [] for name in waits}
    for name, before in waits.items():
        for other in before:
            followers[other].append(name)
    behind = {name: tuple(found) for name, found in followers.items()}
    return Flow(tuple(steps), by_name, mentions, waits, behind)


def mentioned(step: Step) -> tuple[str, ...]:
    """The names of steps that a step, or what is inside of it, refers to, needs or is conditioned on; each once."""
    return tuple(dict.fromkeys(_mentioned(step)))


def _mentioned(step: Step) -> Iterator[str]:
    yield from (name for reading in step.reads() if (name := step_read(reading.path)) is not None)
    yield from step.needs
    yield from step.when
    inside = step.flow()
    if inside is not None:
        own = {inner.name for inner in inside.steps}
        read = (step_read(reading.path) for reading in step.reads_inside())
        yield from (name for name in read if name is not None and name not in own)
        yield from (name for inner in inside.steps for name in _mentioned(inner) if name not in own)


def step_read(path: Path) -> str | None:
    """The name of the step whose output a path reads; null for a path of something else."""
    name = path[1] if len(path) > 1 and path[0] == STEPS else None
    return name if isinstance(name, str) else None


def in_order(flow: Flow) -> tuple[tuple[Step, ...], tuple[str, ...]]:
    """The steps so that each stands behind those it waits for, and the names on a circle if there is one.

    Steps on or behind a circle are left out of the first; the names begin and end with the same step.
    """
    left = {name: len(before) for name, before in flow.waits.items()}
    ready = [step.name for step in flow.steps if not left[step.name]]
    ordered: list[Step] = []
    for name in ready:  # which grows
        ordered.append(flow.by_name[name])
        for follower in flow.followers[name]:
            left[follower] -= 1
            if not left[follower]:
                ready.append(follower)
    return tuple(ordered), () if len(ordered) == len(flow.steps) else _circle(flow.waits, set(left) - set(ready))


def _circle(waits: Mapping[str, tuple[str, ...]], stuck: set[str]) -> tuple[str, ...]:
    """One circle, in the order in which its steps wait: a waits for b, b for c, c for a."""
    name = min(stuck)
    walked: list[str] = []
    while name not in walked:
        walked.append(name)
        name = next(other for other in waits[name] if other in stuck)
    return (*walked[walked.index(name) :], name)


def every_step(steps: Sequence[Step]) -> Iterator[Step]:
    """All steps, those inside of others too."""
    for step in steps:
        yield step
        inside = step.flow()
        if inside is not None:
            yield from every_step(inside.steps)
