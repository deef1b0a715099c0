"""What a run used of models, for the workspace's usage: the target's side, and the judges' with simulated answers."""

from aloi.core.errors import AloiError
from aloi.core.result import ResultRow
from aloi.core.run import Run, TargetVersion
from aloi.core.usage import NO_USAGE
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.targets import built
from aloi.store import outcomes, targets, usage
from aloi.store.connection import Connection
from aloi.store.usage import Source


class Spending:
    """Adds up what a run itself used: not what it took over, and of a run that only grades, the judges' alone."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.target = NO_USAGE
        self.judge = NO_USAGE

    def add(self, row: ResultRow) -> None:
        """Count one result."""
        if row.carried_over:
            return
        self.judge += row.judge_usage
        if not self._run.spec.regrades:
            self.target += row.usage
            self.judge += row.simulation_usage

    async def add_waiting(self, rx: Connection) -> None:
        """Count what was invoked and is not graded yet."""
        for outcome in await outcomes.used_waiting(rx, self._run.id):
            self.target += outcome.usage
            self.judge += outcome.simulation_usage

    async def record(self, context: Context, tx: Connection) -> None:
        """Write it down, in place of what was written before of the run."""
        spec, day = self._run.spec, now().date()
        version = await targets.version_by_id(tx, spec.target_version_id)
        source = Source(self._run.id, version.target_id)
        await usage.put(tx, source, "target", day, _model_of(context, version), self.target)
        await usage.put(tx, source, "judge", day, spec.judge.model if spec.judge else "", self.judge)


def _model_of(context: Context, version: TargetVersion) -> str:
    """The model of a target, `provider:model`; an empty text where it has none, or several."""
    try:
        models = built(context, version).models()
    except AloiError:  # it cannot be built here any more, but was used
        return ""
    return models[0].model if len(models) == 1 else ""
