"""A workspace with something on every screen, and the addresses of the screens."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from playwright.sync_api import BrowserContext

from tests.e2e.browser.making import RUNS, SCHEDULES, Json, Making, containing, judge
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
    """Make three versions of an agent, a dataset, evaluators, three runs and what else the screens show.

    Returns:
        The ids by what they are of: `agent`, `remote` (a target that runs elsewhere), `dataset`, `evaluator`, `first`,
        `second` and `broken` (runs), `case`, `execution`, and those of `workflows`, `schedules` and
        `online`.
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
    remote = making.post("/api/targets", {"name": "Elsewhere", "definition": {"kind": "remote"}})["id"]
    execution = making.post(f"/api/targets/{agent}/invoke", {"input": "Hello", "source": "runner"})["id"]
    making.upload("/api/eval/attachments", {"name": "note.txt", "mimeType": "text/plain", "buffer": b"words"})
    making.post("/api/auth/api-keys", {"name": "CI", "role": "editor"})
    making.post("/api/members", {"email": "colleague@example.org", "role": "viewer"})
    for run in (first, second, broken):
        until(lambda run=run: making.get(f"{RUNS}/{run}")["status"] == "completed")
    override(making, agent, dataset, models)
    case = label(making, first)
    return {
        **workflows(making, models),
        **schedules(making, agent, dataset),
        **online(making, agent),
        "agent": agent,
        "remote": remote,
        "dataset": dataset,
        "evaluator": evaluator,
        "first": first,
        "second": second,
        "broken": broken,
        "case": case,
        "execution": execution,
    }


def override(making: Making, agent: str, dataset: str, models: str) -> None:
    """Set a gate, and let a third version pass against it."""
    gate = {"policies": [{"dataset_id": dataset, "threshold": 0.9, "enabled": True}]}
    making.put(f"/api/targets/{agent}/gate", gate)
    making.post(
        f"/api/targets/{agent}/versions",
        {"definition": {"model": "openai:fixed:No", "base_url": models}, "note": "Says no"},
    )
    making.post(f"/api/targets/{agent}/versions/3/activate", {"override": {"reason": "The customers ask for it."}})


def label(making: Making, run: str) -> str:
    """Label the first two results of a run, one so and one so; the id of the first case."""
    results = making.get(f"{RUNS}/{run}/results")["items"]
    for result, verdict in zip(results, ("pass", "fail"), strict=False):
        body = {"verdict": verdict, "note": "By hand."}
        making.put(f"{RUNS}/{run}/results/{result['case_id']}/label?blind=true", body)
    return results[0]["case_id"]


def schedules(making: Making, agent: str, dataset: str) -> Mapping[str, str]:
    """A schedule whose run passed, and one that could not start for want of a judge, of which there is a notice.

    Returns:
        The id of the first, `schedule`.
    """
    start = datetime.now(UTC) + timedelta(seconds=3)
    often = {"start": start.isoformat(), "recurrence": {"kind": "every", "n": 1, "unit": "days"}}
    often |= {"target_id": agent, "zone": "America/New_York"}
    quick = making.dataset("Quick ones", [{"prompt": "Say no", "evaluators": containing("No")}], target_id=agent)
    good = making.post(SCHEDULES, {"name": "Night watch", "dataset_id": quick, **often})["id"]
    making.post(SCHEDULES, {"name": "Unlucky", "dataset_id": dataset, **often})
    off = {"name": "Resting", "dataset_id": quick, **often, "paused": True}
    making.post(SCHEDULES, off | {"recurrence": {"kind": "cron", "expression": "0 7 * * 1-5"}})
    until(lambda: making.get(f"{RUNS}?schedule_id={good}&status=completed")["total"] == 1)
    until(lambda: making.get("/api/notices")["unread"] > 0)
    return {"schedule": good}


def online(making: Making, agent: str) -> Mapping[str, str]:
    """A rule with an execution that passed, one that failed, and one that its budget left out; and a rule that is off.

    Returns:
        The id of the first, `rule`.
    """
    rules = f"/api/targets/{agent}/online-rules"
    own = {"name": "Says yes", "evaluators": containing("Yes"), "most_per_day": 2}
    rule = making.post(rules, own)["id"]
    making.post(rules, {"name": "Resting", "evaluators": containing("No"), "enabled": False})
    for version in (1, 2, 2):
        making.post(f"/api/targets/{agent}/invoke", {"input": "May I?", "version": version})
    until(lambda: making.get(f"{rules}/{rule}")["today"] == {"graded": 2, "skipped": 1, "cost": None})
    until(lambda: making.get(f"{rules}/{rule}/results")["total"] == 2)
    return {"rule": rule}


def workflows(making: Making, models: str) -> Mapping[str, str]:
    """Two versions of a workflow, an execution that waits for a person, and one that is over.

    Returns:
        The ids of `workflow`, `waiting` and `answered`.
    """
    asking = {"kind": "prompt", "model": "openai:echo", "base_url": models}
    steps: list[Json] = [
        {"name": "draft", "description": "A first text.", "prompt": "Reply to {{ input.message }}", **asking},
        {"name": "each", "kind": "map", "items": ["polite", "short"], "steps": [{"name": "check", **asking}]},
        {"name": "approve", "kind": "human", "question": "May it go out? {{ steps.draft }}"},
        {"name": "decide", "kind": "branch", "ways": [], "otherwise": "send"},
        {"name": "sent", "kind": "transform", "when": {"decide": "send"}, "value": "{{ steps.draft }}"},
    ]
    steps[1]["steps"][0]["prompt"] = "Is it {{ item }}? {{ steps.draft }}"
    steps[2]["output_schema"] = {"type": "object", "properties": {"yes": {"type": "boolean"}}, "required": ["yes"]}
    steps[3]["ways"] = [{"name": "drop", "if": [{"path": "$.steps.approve.yes", "equals": False}]}]
    asked = {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}
    definition: Json = {"kind": "workflow", "input_schema": asked, "steps": steps}
    target = making.post("/api/targets", {"name": "Replies", "definition": definition})["id"]
    quick = {"definition": {**definition, "steps": [steps[0]]}, "note": "Asks nobody"}
    making.post(f"/api/targets/{target}/versions", quick)
    body = {"input": {"message": "Where is my parcel?"}, "source": "runner"}
    waiting, answered = (making.post(f"/api/targets/{target}/invoke", body)["id"] for _ in range(2))
    making.post(f"/api/executions/{answered}/steps/approve/answer", {"answer": {"yes": True}})
    until(lambda: making.get(f"/api/executions/{answered}")["status"] == "ok")
    return {"workflow": target, "waiting": waiting, "answered": answered}


# By the module that draws it, as `web/src/app/screens.ts` names it; `{...}` stands for an id.
SCREENS: Mapping[str, str] = {
    "sign-in/SignIn": "/sign-in",
    "datasets/Datasets": "/datasets",
    "datasets/cases/Cases": "/datasets/{dataset}",
    "datasets/DatasetEvaluators": "/datasets/{dataset}/evaluators",
    "datasets/DatasetSimulations": "/datasets/{dataset}/simulations?target={workflow}",
    "datasets/DatasetRuns": "/datasets/{dataset}/runs",
    "datasets/ImportCases": "/datasets/{dataset}/import",
    "datasets/DatasetSettings": "/datasets/{dataset}/settings",
    "attachments/Attachments": "/attachments",
    "evaluators/Evaluators": "/evaluators",
    "evaluators/NewEvaluator": "/evaluators/new",
    "evaluators/Evaluator": "/evaluators/{evaluator}",
    "evaluators/EvaluatorHistory": "/evaluators/{evaluator}/history",
    "help/CasesGuide": "/help/cases",
    "runs/Runs": "/runs",
    "runs/Run": "/runs/{first}",
    "runs/result/CaseResult": "/runs/{first}/results/{case}",
    "labels/Labelling": "/runs/{first}/labelling",
    "calibration/Calibration": "/calibration",
    "compare/Compare": "/compare?a={first}&b={second}",
    "agents/Targets": "/agents",
    "agents/NewTarget": "/agents/new?kind=agent",
    "agents/Overview": "/agents/{agent}",
    "agents/NewVersion": "/agents/{agent}/versions/new",
    "agents/Version": "/agents/{agent}/versions/2",
    "agents/versions/CompareVersions": "/agents/{agent}/versions/compare?a=1&b=2",
    "agents/runner/Runner": "/agents/{agent}/runner",
    "agents/TargetExecutions": "/agents/{agent}/executions",
    "agents/TargetDatasets": "/agents/{agent}/evaluations",
    "agents/TargetEvaluators": "/agents/{agent}/evaluations/evaluators",
    "agents/TargetFiles": "/agents/{agent}/evaluations/files",
    "agents/TargetRuns": "/agents/{agent}/evaluations/runs",
    "schedules/TargetSchedules": "/agents/{agent}/evaluations/schedules",
    "online/TargetOnline": "/agents/{agent}/evaluations/online",
    "online/OnlineRule": "/agents/{agent}/evaluations/online/{rule}",
    "agents/TargetHistory": "/agents/{agent}/evaluations/history",
    "schedules/Schedules": "/schedules",
    "schedules/Schedule": "/schedules/{schedule}",
    "schedules/notices/Notices": "/notices",
    "workflows/Workflows": "/workflows",
    "workflows/human/Waiting": "/waiting",
    "executions/Executions": "/executions",
    "executions/Execution": "/executions/{execution}",
    "usage/Usage": "/usage",
    "settings/Profile": "/settings/profile",
    "settings/Members": "/settings/members",
    "settings/ApiKeys": "/settings/api-keys",
    "settings/Models": "/settings/models",
    "settings/Webhook": "/settings/webhook",
    "settings/Retention": "/settings/retention",
    "settings/Audit": "/settings/audit",
}
# What stands round those or leads to them.
FRAMES = frozenset({"datasets/Dataset", "agents/Target", "settings/Settings", "settings/ToProfile"})
# Other things to see on them: dialogs, forms beside a list, errors.
MORE: Mapping[str, str] = {
    "a new case": "/datasets/{dataset}?case=new",
    "a simulation": "/datasets/{dataset}/simulations?target={workflow}&component=approve",
    "a new run": "/runs?new=1",
    "a new schedule": "/agents/{agent}/evaluations/schedules?new=1",
    "a new online rule": "/agents/{agent}/evaluations/online?new=1",
    "a schedule that is edited": "/schedules/{schedule}?edit=1",
    "a run with errors": "/runs/{broken}",
    "a run with trials": "/runs/{second}",
    "the gate that was overridden": "/agents/{agent}/versions/3",
    "every result labelled": "/runs/{second}/labelling?at=99",
    "a calibration of one run": "/calibration?run={first}",
    "nothing chosen to compare": "/compare",
    "kinds of targets": "/agents/new",
    "a target that runs elsewhere": "/agents/{remote}",
    "no trace yet": "/agents/{remote}/executions",
    "a new workflow": "/agents/new?kind=workflow",
    "a workflow": "/agents/{workflow}",
    "a new version of a workflow": "/agents/{workflow}/versions/new",
    "two versions of a workflow": "/agents/{workflow}/versions/compare?a=1&b=2",
    "the runner of a workflow": "/agents/{workflow}/runner",
    "a workflow that waits": "/executions/{waiting}",
    "a workflow that is over": "/executions/{answered}",
    "nothing found": "/datasets?q=nothing",
    "no such run": "/runs/none",
    "no such page": "/none",
}
EMPTY = (
    "/datasets",
    "/evaluators",
    "/runs",
    "/schedules",
    "/notices",
    "/settings/webhook",
    "/compare",
    "/agents",
    "/workflows",
    "/waiting",
    "/executions",
    "/usage",
    "/settings/api-keys",
)
