"""A workspace with something on every screen, and the addresses of the screens."""

from collections.abc import Mapping

from playwright.sync_api import BrowserContext

from tests.e2e.browser.making import RUNS, Json, Making, containing, judge
from tests.e2e.browser.site import Site
from tests.e2e.command import until

LONG = (
    "A question that goes on and on, as pasted ones do, about_an_identifier_without_any_place_to_break_it_" + "x" * 80
)
CASES: tuple[Json, ...] = (
    {
        "key": "refund",
        "name": "Refund",
        "prompt": "How long does a refund take?",
        "expected_behavior": "Says how long.",
        "assertions": ["Names 30 days", "Is polite"],
        "tags": ["money"],
    },
    {"key": "exact", "prompt": "Say yes", "expected_output": "Yes", "evaluators": [{"kind": "exact_match"}]},
    {"key": "long", "prompt": LONG, "evaluators": containing("on and on")},
    {"key": "unwritten", "prompt": "Not written yet", "status": "draft"},
)


def fill(context: BrowserContext, site: Site, models: str) -> Mapping[str, str]:
    """Make two versions of an agent, a dataset, evaluators, three runs and what else the screens show.

    Returns:
        The ids by what they are of: `agent`, `dataset`, `evaluator`, `first`, `second` and `broken` (runs), `case`,
        `execution`.
    """
    making = Making(context, site)
    agent = making.agent("Assistant", models, instructions="You help the customers of a shop.")
    dataset = making.dataset("Questions of customers", CASES, description="What they really ask.", target_id=agent)
    evaluator = making.post(
        "/api/eval/evaluators",
        {"name": "Polite", "description": "No rude word.", "spec": {"kind": "llm_judge", "rubric": "It is polite."}},
    )["id"]
    first = making.run(agent, dataset, judge=judge(models, "judge-alternate"))
    making.post(
        f"/api/targets/{agent}/versions",
        {"definition": {"model": "openai:fixed:Yes", "base_url": models}, "note": "Says yes"},
    )
    making.post(f"/api/targets/{agent}/versions/2/activate", {})
    second = making.run(agent, dataset, judge=judge(models), trials=2)
    broken = making.run(making.agent("Broken", models, "status:400"), dataset, judge=judge(models))
    execution = making.post(f"/api/targets/{agent}/invoke", {"input": "Hello", "source": "runner"})["id"]
    making.post("/api/auth/api-keys", {"name": "CI", "role": "editor"})
    making.post("/api/members", {"email": "colleague@example.org", "role": "viewer"})
    for run in (first, second, broken):
        until(lambda run=run: making.get(f"{RUNS}/{run}")["status"] == "completed")
    case = making.get(f"{RUNS}/{first}/results")["items"][0]["case_id"]
    return {
        "agent": agent,
        "dataset": dataset,
        "evaluator": evaluator,
        "first": first,
        "second": second,
        "broken": broken,
        "case": case,
        "execution": execution,
    }


# By the module that draws it, as `web/src/app/screens.ts` names it; `{...}` stands for an id.
SCREENS: Mapping[str, str] = {
    "sign-in/SignIn": "/sign-in",
    "datasets/Datasets": "/datasets",
    "datasets/cases/Cases": "/datasets/{dataset}",
    "datasets/DatasetEvaluators": "/datasets/{dataset}/evaluators",
    "datasets/DatasetRuns": "/datasets/{dataset}/runs",
    "datasets/ImportCases": "/datasets/{dataset}/import",
    "datasets/DatasetSettings": "/datasets/{dataset}/settings",
    "evaluators/Evaluators": "/evaluators",
    "evaluators/NewEvaluator": "/evaluators/new",
    "evaluators/Evaluator": "/evaluators/{evaluator}",
    "help/CasesGuide": "/help/cases",
    "runs/Runs": "/runs",
    "runs/Run": "/runs/{first}",
    "runs/result/CaseResult": "/runs/{first}/results/{case}",
    "compare/Compare": "/compare?a={first}&b={second}",
    "agents/Targets": "/agents",
    "agents/NewTarget": "/agents/new?kind=agent",
    "agents/Overview": "/agents/{agent}",
    "agents/NewVersion": "/agents/{agent}/versions/new",
    "agents/Version": "/agents/{agent}/versions/2",
    "agents/runner/Runner": "/agents/{agent}/runner",
    "agents/TargetExecutions": "/agents/{agent}/executions",
    "agents/TargetDatasets": "/agents/{agent}/evaluations",
    "agents/TargetEvaluators": "/agents/{agent}/evaluations/evaluators",
    "agents/TargetRuns": "/agents/{agent}/evaluations/runs",
    "executions/Executions": "/executions",
    "executions/Execution": "/executions/{execution}",
    "usage/Usage": "/usage",
    "settings/Profile": "/settings/profile",
    "settings/Members": "/settings/members",
    "settings/ApiKeys": "/settings/api-keys",
    "settings/Models": "/settings/models",
    "settings/Audit": "/settings/audit",
}
# What stands round those or leads to them.
FRAMES = frozenset({"datasets/Dataset", "agents/Target", "settings/Settings", "settings/ToProfile"})
# Other things to see on them: dialogs, forms beside a list, errors.
MORE: Mapping[str, str] = {
    "a new case": "/datasets/{dataset}?case=new",
    "a new run": "/runs?new=1",
    "a run with errors": "/runs/{broken}",
    "a run with trials": "/runs/{second}",
    "nothing chosen to compare": "/compare",
    "kinds of targets": "/agents/new",
    "nothing found": "/datasets?q=nothing",
    "no such run": "/runs/none",
    "no such page": "/none",
}
EMPTY = ("/datasets", "/evaluators", "/runs", "/compare", "/agents", "/executions", "/usage", "/settings/api-keys")
