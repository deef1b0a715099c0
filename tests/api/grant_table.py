"""What each route may name, for `test_access_grants.py`: a body that names things is written down here."""

from collections.abc import Callable

from pydantic import JsonValue

from tests.api.planted import TIMING, rule

HIDDEN, MINE, SHARED = "hiddenword", "grantedword", "sharedword"
Ids = dict[str, str]


# They are not for those who are narrowed to some targets, whatever they name.
OF_ALL = {
    "POST /v1/traces",
    "GET /api/workspace/ingestion",
    "POST /api/targets",
    "POST /api/agents",
    "POST /api/workflows",
}
# What they answer has no text that somebody wrote for a target, or there is nothing yet.
OF_NO_WORDS = {
    "GET /api/auth/me",
    "GET /api/eval/calibration",
    "GET /api/eval/compare",
    "GET /api/eval/evaluator-kinds",
    "GET /api/eval/runs/{run_id}/planning",
    "GET /api/eval/runs/{run_id}/progress",
    "GET /api/eval/schedules/{schedule_id}/firings",
    "GET /api/executions/{execution_id}/online-results",
    "GET /api/members",
    "GET /api/models",
    "GET /api/target-kinds",
    "GET /api/targets/{target_id}/components",
    "GET /api/targets/{target_id}/online-rules/{rule_id}/rate",
    "GET /api/targets/{target_id}/online-rules/{rule_id}/results",
    "GET /api/tool-kinds",
    "GET /api/workspace",
    "GET /api/workspace/ingestion",
    "GET /api/workspace/retention",
    "GET /api/workspace/webhook",
}
# Given the ids of the hidden target, and those of the granted one.
Body = Callable[[Ids, Ids], object]


SPEC = {"kind": "contains", "text": "x"}


def suite(version: str, dataset: str, **fields: JsonValue) -> JsonValue:
    """The body that starts a run with cases that it brings along."""
    request: JsonValue = {"target_version_id": version, "dataset": dataset}
    return {"cases": [], "bindings": [], "request": request, **fields}


def file_of(ids: Ids) -> JsonValue:
    """The planted file as a case has it."""
    size = len(f"It says {HIDDEN}.")
    return {"name": "a.txt", "hash": ids["file_hash"], "media_type": "text/plain", "size": size}


def with_file(ids: Ids) -> list[JsonValue]:
    """A case that has the planted file."""
    return [{"key": "new", "input": "new", "attachments": [file_of(ids)]}]


FLOW = {"kind": "workflow", "steps": [{"kind": "agent", "name": "a", "target": f"{HIDDEN} target"}]}
# Bodies that name things, with ids of the hidden target in every place where one fits; all else in them is granted. The
# ids in the path are granted ones.
BODIES_THAT_NAME: dict[str, list[Body]] = {
    "POST /api/eval/runs": [
        lambda h, m: {"target_id": h["target_id"], "dataset_id": m["dataset_id"]},
        lambda h, m: {"agent_id": h["target_id"], "dataset_id": m["dataset_id"]},
        lambda h, m: {"target_version_id": h["target_version_id"], "dataset_id": m["dataset_id"]},
        lambda h, m: {"target_id": m["target_id"], "dataset_id": h["dataset_id"]},
        lambda h, m: {"target_id": m["target_id"], "dataset_id": f"{HIDDEN} data"},
    ],
    "POST /api/eval/suites/runs": [
        lambda h, m: suite(h["target_version_id"], f"{MINE} data"),
        lambda h, m: suite(m["target_version_id"], f"{HIDDEN} data"),
        lambda h, m: suite(m["target_version_id"], f"{MINE} data", cases=with_file(h)),
        lambda h, m: suite(
            m["target_version_id"],
            f"{MINE} data",
            bindings=[{"name": "x", "spec": dict(SPEC), "evaluator_id": h["evaluator_id"]}],
        ),
    ],
    "POST /api/eval/suites/dataset": [
        lambda h, m: {"name": f"{HIDDEN} data", "cases": []},
        lambda h, m: {"name": f"{MINE} data", "cases": with_file(h)},
    ],
    "POST /api/eval/datasets/{dataset_id}/cases": [
        lambda h, m: {"prompt": "new", "attachments": [{"hash": h["file_hash"]}]}
    ],
    "PUT /api/eval/datasets/{dataset_id}/cases/{case_id}": [
        lambda h, m: {"attachments": [{"hash": h["file_hash"]}]},
    ],
    "POST /api/targets/{target_id}/invoke": [lambda h, m: {"input": "x", "attachments": [{"hash": h["file_hash"]}]}],
    "POST /api/eval/suites/target": [
        lambda h, m: {"name": f"{HIDDEN} target", "definition": {"kind": "replay", "outputs": {"a": "b"}}}
    ],
    "POST /api/eval/datasets": [lambda h, m: {"name": "new", "target_id": h["target_id"]}],
    "PUT /api/eval/datasets/{dataset_id}": [lambda h, m: {"target_id": h["target_id"]}],
    "PUT /api/eval/datasets/{dataset_id}/evaluators": [lambda h, m: [{"evaluator_id": h["evaluator_id"]}]],
    "POST /api/eval/datasets/{dataset_id}/cases/bulk": [
        lambda h, m: {"case_ids": [h["case_id"]], "action": "delete"},
    ],
    "POST /api/eval/evaluators": [
        lambda h, m: {"name": "new", "spec": SPEC, "target_id": h["target_id"]},
        lambda h, m: {"name": f"{HIDDEN} saved", "spec": SPEC, "target_id": m["target_id"]},
    ],
    "PUT /api/eval/evaluators/{evaluator_id}": [lambda h, m: {"target_id": h["target_id"]}],
    "POST /api/eval/schedules": [
        lambda h, m: {**TIMING, "name": "new", "target_id": h["target_id"], "dataset_id": m["dataset_id"]},
        lambda h, m: {**TIMING, "name": "new", "target_id": m["target_id"], "dataset_id": h["dataset_id"]},
    ],
    "PUT /api/eval/schedules/{schedule_id}": [
        lambda h, m: {"target_id": h["target_id"]},
        lambda h, m: {"dataset_id": h["dataset_id"]},
    ],
    "POST /api/executions/{execution_id}/to-case": [
        lambda h, m: {"dataset_id": h["dataset_id"]},
        lambda h, m: {"dataset_id": m["dataset_id"], "attachments": [{"hash": h["file_hash"]}]},
    ],
    "POST /api/executions/to-cases": [
        lambda h, m: {"dataset_id": h["dataset_id"], "execution_ids": [m["execution_id"]]},
        lambda h, m: {"dataset_id": m["dataset_id"], "execution_ids": [h["execution_id"]]},
    ],
    "POST /api/targets/{target_id}/versions": [lambda h, m: {"definition": FLOW}],
    "POST /api/targets/{target_id}/online-rules": [
        lambda h, m: {"name": "new", "evaluators": [rule("x")], "drafts_dataset_id": h["dataset_id"]},
        lambda h, m: {"name": "new", "evaluators": [{"evaluator_id": h["evaluator_id"]}]},
    ],
    "PUT /api/targets/{target_id}/online-rules/{rule_id}": [lambda h, m: {"drafts_dataset_id": h["dataset_id"]}],
    "POST /api/targets/{target_id}/online-rules/{rule_id}/drafts": [
        lambda h, m: {"dataset_id": h["dataset_id"], "execution_ids": [m["execution_id"]]},
        lambda h, m: {"dataset_id": m["dataset_id"], "execution_ids": [h["execution_id"]]},
    ],
}
# It names evaluators by their specs, and no thing that is stored.
NAME_NO_THING = {"POST /api/eval/grade"}
