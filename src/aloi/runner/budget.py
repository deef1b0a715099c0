"""What a run may spend, target and judge together."""

from aloi.core.run import RunLimits
from aloi.core.usage import NO_USAGE, Usage
from aloi.runner.task import CaseEvent, Completed, Invoked


class Budget:
    """Adds up usage and says when it is enough. `spent` is what earlier parts of the run used."""

    def __init__(self, limits: RunLimits, spent: Usage = NO_USAGE) -> None:
        self._limits = limits
        self._spent = spent

    def add(self, event: CaseEvent) -> None:
        """Count what an event says was used: the target's and its stand-ins' when it was invoked, what spans of
        others added, the judge's when it was graded."""
        if isinstance(event, Invoked):
            self._add(event.outcome.usage)
            self._add(event.outcome.simulation_usage)
        elif isinstance(event, Completed):
            self._add(event.added)
        else:
            for score in event.result.scores:
                self._add(score.usage)

    def _add(self, usage: Usage) -> None:
        if usage.calls:
            self._spent += usage

    @property
    def exceeded(self) -> str | None:
        """Which budget is used up, in words; null while there is some left."""
        limits, spent = self._limits, self._spent
        if limits.max_cost is not None and (spent.cost or 0) >= limits.max_cost:
            return f"the cost budget of ${limits.max_cost:.2f} is used up (${spent.cost:.2f})"
        if limits.max_tokens is not None and (spent.tokens or 0) >= limits.max_tokens:
            return f"the token budget of {limits.max_tokens} is used up ({spent.tokens})"
        return None
