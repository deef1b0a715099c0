"""Graded executions that become draft cases of a dataset: as they fail, or when somebody asks for it."""

import logging
from itertools import groupby

from aloi.core.errors import AloiError, InvalidInput, StoreUnavailable
from aloi.core.execution import MOST_HARVESTED, Harvested
from aloi.core.identity import as_written
from aloi.core.online_result import OnlineDrafts
from aloi.core.score import Verdict
from aloi.service import harvesting
from aloi.service.context import Context
from aloi.store import online_results, online_rules, targets
from aloi.store.online_results import ResultFilter, ToDraft

log = logging.getLogger("aloi.service")


async def draft(context: Context, target: str, ref: str, wanted: OnlineDrafts) -> Harvested:
    """Add graded executions to a dataset as draft cases; one that is in it already is skipped and counted.

    What did not pass is not expected of anybody: such a draft has no expected output.

    Raises:
        NotFound: there is no such rule, or no such dataset.
        InvalidInput: an execution was not graded by the rule.
    """
    async with context.database.read() as rx:
        rule = await online_rules.get(rx, (await targets.get(rx, target)).id, ref)
        if wanted.execution_ids is None:
            chosen = ResultFilter(verdict=wanted.verdict)
            newest = await online_results.page(rx, rule.id, chosen, 0, MOST_HARVESTED)
            found = {result.execution_id: result.verdict for result in newest}
        else:
            ids = [as_written(given) for given in wanted.execution_ids]
            found = await online_results.graded_among(rx, rule.id, ids)
            absent = next((given for given in ids if given not in found), None)
            if absent is not None:
                raise InvalidInput(f"the rule {rule.name!r} has no result of execution {absent!r:.100}; leave it out")
    refuted = {execution_id for execution_id, verdict in found.items() if verdict is not Verdict.PASS}
    return await harvesting.add_drafts(context, wanted.dataset_id, list(found), refuted)


async def draft_due(context: Context) -> None:
    """Add executions that failed by rules which name a dataset, of all workspaces, to those datasets.

    They are taken off in a transaction of their own: done twice, the second time they are there already.

    Raises:
        StoreUnavailable: the database cannot be used.
    """
    async with context.database.read() as rx:
        due = await online_results.to_draft(rx, MOST_HARVESTED)
    for _, group in groupby(due, key=lambda one: one.rule_id):
        await _draft(context, list(group))


async def _draft(context: Context, due: list[ToDraft]) -> None:
    first = due[0]
    own = context.in_workspace(first.workspace_id, f"online rule {first.rule_name}")
    try:
        if first.dataset_id is not None:
            failing = [one.execution_id for one in due]
            await harvesting.add_drafts(own, first.dataset_id, failing, refuted=failing)
    except StoreUnavailable:
        raise
    except AloiError as error:  # the dataset was deleted just now
        log.warning("executions do not become drafts by the online rule %r: %s", first.rule_name, error)
    async with own.database.transaction() as tx:
        await online_results.drafted(tx, due)
