"""Rules over executions of production, and what they say of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from aloi.core.execution import Execution, Invoke
from aloi.core.online_result import OnlineResult
from aloi.core.online_rule import OnlineRule
from aloi.llm.models import Models
from aloi.llm.retry import RetryPolicy
from aloi.service import invoking, targets
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.online import results, rules
from aloi.service.online.grading import grade_due
from aloi.settings import Settings
from aloi.store.online_results import ResultFilter
from aloi.targets.python import Python

TARGET = "bot"
POLITE = {"kind": "llm_judge", "name": "polite", "rubric": "Be polite."}
HELLO = {"kind": "contains", "text": "hello"}
Json = dict[str, Any]


async def opened(home: Path, address: str | None, judge: str | None = None, judge_url: str | None = None) -> Context:
    """A context whose default judge is that model; it asks once, so that a test does not wait."""
    settings = Settings(home=home, database_url=address, judge_model=judge, base_url=judge_url)
    context = await Context.open(settings, {}, served=True)
    await context.models.close()
    context.models = Models({}, policy=RetryPolicy(attempts=1))
    return context


async def echoing(context: Context) -> None:
    """A target that answers what it is asked, and fails when it is asked to."""

    async def answer(given: Any) -> Any:
        if given == "fail":
            raise ValueError("it was asked to")
        return given

    await targets.save(context, TARGET, Python.of(answer))


async def ruled(context: Context, *evaluators: Json, name: str = "rule", **fields: Any) -> OnlineRule:
    """A rule on the target."""
    given: Json = {"name": name, "evaluators": list(evaluators or (HELLO,)), **fields}
    return await rules.create(context, TARGET, given)


async def asked(context: Context, *inputs: str) -> list[Execution]:
    """Executions of production."""
    found: list[Execution] = []
    for given in inputs:
        invocation = await invoking.prepare(context, TARGET, Invoke(input=given))
        found.append(await invoking.carry_out(invocation))
    return found


async def all_graded(context: Context) -> int:
    """Grade all that is due; how many were claimed."""
    total = 0
    while number := await grade_due(context, now()):
        total += number
    return total


async def said(context: Context, name: str = "rule", **wanted: Any) -> Sequence[OnlineResult]:
    """What a rule said, newest executions first."""
    return (await results.page(context, TARGET, name, ResultFilter(**wanted), 1, 200)).items


async def rule_now(context: Context, name: str = "rule") -> OnlineRule:
    """A rule with what came of it."""
    return await rules.get(context, TARGET, name)
