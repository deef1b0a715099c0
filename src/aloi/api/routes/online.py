"""Online evaluation: rules that grade the production executions of a target, and what came of it."""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import AwareDatetime, Field

from aloi.api.access import Editor, Viewer
from aloi.api.etags import IfMatch, tag, wanted
from aloi.api.faults import Pointed
from aloi.api.paging import PageOut, Paging, paged
from aloi.api.routes.datasets import WrittenEvaluator
from aloi.core.dataset import MAX_SAMPLES, NAME_LENGTH
from aloi.core.execution import Harvested
from aloi.core.online_result import BucketSize, OnlineDrafts, OnlineRate, OnlineResult
from aloi.core.online_rule import DEFAULT_A_DAY, MOST_A_DAY, MOST_EVALUATORS, OnlineFilters, OnlineRule
from aloi.core.score import Verdict
from aloi.core.spec import Value
from aloi.service.online import drafts, results, rules

router = APIRouter(tags=["online"], dependencies=[Pointed])
RULES = "/targets/{target_id}/online-rules"
RULE = RULES + "/{rule_id}"


class OnlineRuleChanges(Value):
    """What may change of a rule: an absent key leaves the field, null clears it. The evaluators are replaced whole."""

    name: str = Field(default="", min_length=1, max_length=NAME_LENGTH, description="Unique among the target's rules.")
    enabled: bool = Field(default=True, description="False grades nothing.")
    share: float = Field(default=1.0, gt=0, le=1, allow_inf_nan=False, description="1 grades all, 0.1 every tenth.")
    filters: OnlineFilters | None = OnlineFilters()
    evaluators: list[WrittenEvaluator] = Field(
        default=[],
        min_length=1,
        max_length=MOST_EVALUATORS,
        description="Saved ones by `evaluator_id`, or written here; they must grade without anything expected.",
    )
    judge_samples: int = Field(default=1, ge=1, le=MAX_SAMPLES, description="How often each judge call is made.")
    most_per_day: int = Field(
        default=DEFAULT_A_DAY, ge=1, le=MOST_A_DAY, description="Executions graded on a day (UTC)."
    )
    cost_per_day: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="US dollars for judges on a day (UTC); null: no limit."
    )
    drafts_dataset_id: str | None = Field(
        default=None, description="Name or id of the dataset to which failing executions go as draft cases."
    )


class NewOnlineRule(OnlineRuleChanges):
    """What a rule is created from."""

    name: str = Field(min_length=1, max_length=NAME_LENGTH, description="Unique among the target's rules.")
    evaluators: list[WrittenEvaluator] = Field(
        min_length=1,
        max_length=MOST_EVALUATORS,
        description="Saved ones by `evaluator_id`, or written here; they must grade without anything expected.",
    )


@router.post(RULES, status_code=201)
async def create_online_rule(context: Editor, target_id: str, body: NewOnlineRule, response: Response) -> OnlineRule:
    """Create a rule. It grades executions of production that end from now on, as long as a server runs."""
    created = await rules.create(context, target_id, body.model_dump(exclude_unset=True))
    tag(response, created.edited())
    return created


@router.get(RULES)
async def list_online_rules(
    context: Viewer,
    target_id: str,
    paging: Paging,
    q: Annotated[str, Query(max_length=200, description="A text in the name; case is ignored.")] = "",
) -> PageOut[OnlineRule]:
    """List the rules of a target, newest first, each with its last 24 hours and what is used of its budget."""
    return paged(await rules.page(context, target_id, q, paging.page, paging.size))


@router.get(RULE)
async def get_online_rule(context: Viewer, target_id: str, rule_id: str, response: Response) -> OnlineRule:
    """Read a rule, by its id or its name."""
    found = await rules.get(context, target_id, rule_id)
    tag(response, found.edited())
    return found


@router.put(RULE)
async def update_online_rule(
    context: Editor,
    target_id: str,
    rule_id: str,
    body: OnlineRuleChanges,
    response: Response,
    if_match: IfMatch = None,
) -> OnlineRule:
    """Change a rule. What waits is graded by it as it then is; while it is switched off, it waits on."""
    changes = body.model_dump(exclude_unset=True)
    changed = await rules.update(context, target_id, rule_id, changes, wanted(if_match))
    tag(response, changed.edited())
    return changed


@router.delete(RULE, status_code=204)
async def delete_online_rule(context: Editor, target_id: str, rule_id: str, if_match: IfMatch = None) -> None:
    """Delete a rule with its results and its rate over time. What its judges used stays counted."""
    await rules.delete(context, target_id, rule_id, wanted(if_match))


@router.get(RULE + "/results")
async def list_online_results(
    context: Viewer,
    target_id: str,
    rule_id: str,
    paging: Paging,
    verdict: Annotated[Verdict | None, Query(description="Only those of this verdict.")] = None,
    since: Annotated[AwareDatetime | None, Query(description="Only executions from then on.")] = None,
    until: Annotated[AwareDatetime | None, Query(description="Only executions before.")] = None,
) -> PageOut[OnlineResult]:
    """List what a rule said of executions, newest first. `total` is exact up to 10,000; 10,001 stands for more."""
    chosen = results.ResultFilter(verdict, since, until)
    return paged(await results.page(context, target_id, rule_id, chosen, paging.page, paging.size))


@router.get(RULE + "/rate")
async def get_online_rate(
    context: Viewer,
    target_id: str,
    rule_id: str,
    bucket: Annotated[BucketSize, Query(description="How long each stretch of time is.")] = "day",
    since: Annotated[AwareDatetime | None, Query(description="Default: 30 days ago, or 48 hours.")] = None,
    until: Annotated[AwareDatetime | None, Query(description="Default: now.")] = None,
    zone: Annotated[str, Query(max_length=100, description="The IANA time zone of the days.")] = "UTC",
) -> OnlineRate:
    """Read how a rule's pass rate went, each hour or day with its 95 % interval; executions count when they began.

    The figures outlive the executions that they count. Hours and days are whole, at most 2,000 of them.
    """
    return await results.rate(context, target_id, rule_id, bucket, since, until, zone)


@router.post(RULE + "/drafts")
async def draft_online_results(context: Editor, target_id: str, rule_id: str, body: OnlineDrafts) -> Harvested:
    """Add graded executions to a dataset as draft cases: those that are named, or the newest 200 of a verdict."""
    return await drafts.draft(context, target_id, rule_id, body)


@router.get("/executions/{execution_id}/online-results")
async def list_execution_online_results(context: Viewer, execution_id: str) -> list[OnlineResult]:
    """List what online rules said of an execution, by the names of the rules."""
    return await results.of_execution(context, execution_id)
