"""Which saved evaluators members who are narrowed to some targets may not change."""

from aloi.core.errors import NotPermitted
from aloi.core.saved_evaluator import SavedEvaluator
from aloi.service.accounts.narrowed import ASK, refuse_change
from aloi.service.context import Context
from aloi.store import datasets, online_rules
from aloi.store.connection import Connection
from aloi.store.narrowing import whole


async def refuse_evaluator_change(context: Context, tx: Connection, evaluator: SavedEvaluator) -> None:
    """Nothing when the caller may change a saved evaluator, or make it: it grades for targets that they are granted.

    Raises:
        NotPermitted: they are narrowed, and it is not of a target of theirs, or what they may not change uses it.
    """
    granted = context.principal.targets
    if granted is None:
        return
    if evaluator.target_id not in granted:
        raise NotPermitted(
            f"the evaluator {evaluator.name!r} is not of a target that you are granted, so you may use it, not change "
            f"it; make one for a target of yours, or {ASK}"
        )
    for dataset in await datasets.binding(whole(tx), evaluator.id):
        await refuse_change(context, tx, dataset)
    used, seen = [await online_rules.names_binding(rx, evaluator.id) for rx in (whole(tx), tx)]
    if used != seen:
        raise NotPermitted(
            f"the evaluator {evaluator.name!r} grades executions of a target that you are not granted, so you may not "
            f"change it; {ASK}"
        )
