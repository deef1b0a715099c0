"""Labels over HTTP, and the list of what is left to label."""

import json

import pytest

from aloi.core.access import Role
from tests.api.calls import Caller, RunningServer
from tests.api.conftest import member
from tests.api.made_runs import finished, finished_run, ready, started
from tests.model_server import ChatRequestBody, ModelServer, Reply
from tests.model_server.reply import error

RUNS = "/api/eval/runs"
MARK = "LEAKED"


@pytest.fixture
async def run(server: RunningServer, editor: Caller, model_server: ModelServer) -> str:
    """A finished run of three cases: k0 passes, `a/b` fails, k2 passes."""
    cases = [
        {"key": "k0", "name": "Case 0", "prompt": "case 0"},
        {"key": "a/b", "name": "Slash", "prompt": "nothing here"},
        {"key": "k2", "name": "Case 2", "prompt": "case 2"},
    ]
    return (await finished_run(editor, server, model_server, cases=cases))["id"]


def refuse(_: ChatRequestBody) -> Reply:
    """A model that answers nothing."""
    return error(400, "no")


class TestLabels:
    async def test_the_last_one_given_stands(self, editor: Caller, viewer: Caller, owner: Caller, run: str) -> None:
        path = f"{RUNS}/{run}/results/a%2Fb/label"
        first = await editor.put(path, {"verdict": "fail", "note": "it is empty"})
        assert first.status == 200, first.body
        assert (first.body["case_key"], first.body["trial"], first.body["verdict"]) == ("a/b", 0, "fail")
        assert (first.body["note"], first.body["blind"], first.body["by"]) == (
            "it is empty",
            False,
            "editor@example.org",
        )
        second = await owner.put(f"{path}?blind=1", {"verdict": "pass"})
        assert (second.body["verdict"], second.body["note"], second.body["blind"]) == ("pass", "", True)
        detail = (await viewer.get(f"{RUNS}/{run}/results/a%2Fb")).body
        assert detail["label"] == second.body
        assert (await viewer.get(f"{RUNS}/{run}/labels")).body["items"] == [second.body]

    async def test_every_change_is_in_the_audit_log(self, editor: Caller, owner: Caller, run: str) -> None:
        path = f"{RUNS}/{run}/results/k0/label"
        await editor.put(path, {"verdict": "fail", "note": "no"})
        await owner.put(path, {"verdict": "pass"})
        assert (await editor.delete(path)).status == 204
        assert (await editor.delete(path)).status == 404
        log = (await owner.get("/api/audit")).body["items"]
        entries = [entry for entry in log if entry["object_kind"] == "label"]
        gone, changed, made = entries
        assert [entry["action"] for entry in entries] == ["label.delete", "label.update", "label.create"]
        assert (made["actor"], made["before"], made["after"]["verdict"]) == ("editor@example.org", None, "fail")
        assert (changed["before"]["verdict"], changed["after"]["verdict"]) == ("fail", "pass")
        assert (changed["before"]["note"], changed["after"]["note"]) == ("no", "")
        assert (gone["before"]["verdict"], gone["after"]) == ("pass", None)

    async def test_lists_show_and_filter_them(self, editor: Caller, viewer: Caller, run: str) -> None:
        await editor.put(f"{RUNS}/{run}/results/k2/label", {"verdict": "fail"})
        rows = (await viewer.get(f"{RUNS}/{run}/results")).body["items"]
        assert [row["label"] for row in rows] == [None, None, "fail"]
        assert [row["label"] for row in (await viewer.get(f"{RUNS}/{run}")).body["results"]] == [None, None, "fail"]
        for labelled, keys in (("true", ["k2"]), ("false", ["k0", "a/b"])):
            page = (await viewer.get(f"{RUNS}/{run}/results", labelled=labelled)).body
            assert ([row["case_key"] for row in page["items"]], page["total"]) == (keys, len(keys))

    async def test_a_trial(
        self, server: RunningServer, editor: Caller, viewer: Caller, model_server: ModelServer
    ) -> None:
        run = await finished(editor, await started(editor, {**await ready(server, model_server, cases=1), "trials": 2}))
        path = f"{RUNS}/{run['id']}/results/k0"
        assert (await editor.put(f"{path}/label", {"verdict": "fail", "trial": 1})).body["trial"] == 1
        assert (await viewer.get(path)).body["label"] is None
        assert (await viewer.get(path, trial=1)).body["label"]["verdict"] == "fail"
        assert (await editor.delete(f"{path}/label")).status == 404
        assert (await editor.delete(f"{path}/label?trial=1")).status == 204

    async def test_only_results_that_are_there(self, editor: Caller, run: str) -> None:
        for body, key, status in (
            ({"verdict": "pass"}, "none", 404),
            ({"verdict": "pass", "trial": 1}, "k0", 404),
            ({"verdict": "error"}, "k0", 422),
            ({}, "k0", 422),
            ({"verdict": "pass", "note": "x" * 10_001}, "k0", 422),
            ({"verdict": "pass", "trial": -1}, "k0", 422),
        ):
            assert (await editor.put(f"{RUNS}/{run}/results/{key}/label", body)).status == status, body

    async def test_an_error_may_be_labelled(
        self, server: RunningServer, editor: Caller, model_server: ModelServer
    ) -> None:
        model_server.reply = refuse
        run = await finished_run(editor, server, model_server, cases=1)
        assert run["results"][0]["verdict"] == "error"
        assert (await editor.put(f"{RUNS}/{run['id']}/results/k0/label", {"verdict": "fail"})).status == 200

    async def test_another_workspace_has_nothing_to_do_with_them(
        self, editor: Caller, viewer: Caller, stranger: Caller, run: str
    ) -> None:
        path = f"{RUNS}/{run}/results/k0/label"
        given = (await editor.put(path, {"verdict": "fail"})).body
        assert (await stranger.put(path, {"verdict": "pass"})).status == 404
        assert (await stranger.delete(path)).status == 404
        for part in ("labels", "labelling", "results/k0?blind=1"):
            assert (await stranger.get(f"{RUNS}/{run}/{part}")).status == 404, part
        assert (await viewer.put(path, {"verdict": "pass"})).status == 403
        assert (await viewer.delete(path)).status == 403
        assert (await viewer.get(f"{RUNS}/{run}/labels")).body["items"] == [given]

    async def test_exports_have_them(self, editor: Caller, viewer: Caller, run: str) -> None:
        await editor.put(f"{RUNS}/{run}/results/k0/label", {"verdict": "fail", "note": "rude"})
        report = (await viewer.get(f"{RUNS}/{run}/export", format="json")).body
        report = json.loads(report) if isinstance(report, str) else report
        assert [result["label"] and result["label"]["note"] for result in report["results"]] == ["rude", None, None]
        lines = str((await viewer.get(f"{RUNS}/{run}/export", format="csv")).body).splitlines()
        assert lines[0].endswith(",label,label_note,labelled_by")
        assert lines[1].endswith(",fail,rude,editor@example.org")
        assert lines[2].endswith(",,,")


class TestLabelling:
    async def test_all_results_in_an_order_that_stays(self, viewer: Caller, run: str) -> None:
        path = f"{RUNS}/{run}/labelling"
        page = (await viewer.get(path)).body
        assert {(item["case_key"], item["case_name"], item["labelled"]) for item in page["items"]} == {
            ("k0", "Case 0", False),
            ("a/b", "Slash", False),
            ("k2", "Case 2", False),
        }
        assert (await viewer.get(path)).body == page
        single = [(await viewer.get(path, size=1, page=number)).body["items"][0] for number in (1, 2, 3)]
        assert single == page["items"]

    async def test_it_says_who_is_left(self, editor: Caller, viewer: Caller, run: str) -> None:
        await editor.put(f"{RUNS}/{run}/results/k0/label", {"verdict": "fail"})
        path = f"{RUNS}/{run}/labelling"
        left = (await viewer.get(path, unlabelled="true")).body
        assert {item["case_key"] for item in left["items"]} == {"a/b", "k2"}
        assert left["total"] == 2

    async def test_other_peoples_labels_are_not_told(
        self, server: RunningServer, editor: Caller, viewer: Caller, run: str
    ) -> None:
        await editor.put(f"{RUNS}/{run}/results/k0/label", {"verdict": "fail", "note": MARK})
        other = await member(server, Role.EDITOR, "other@example.org")
        for caller, own in ((editor, True), (other, False), (viewer, False)):
            items = (await caller.get(f"{RUNS}/{run}/labelling")).body["items"]
            [entry] = [item for item in items if item["case_key"] == "k0"]
            assert entry["labelled"] is True
            assert (entry["label"] is not None) is own
            blind = (await caller.get(f"{RUNS}/{run}/results/k0", blind=1)).body
            assert (blind["label"] is not None) is own
            assert (MARK in json.dumps([items, blind])) is own

    async def test_nothing_in_it_hangs_on_the_verdicts(self, viewer: Caller, run: str) -> None:
        items = (await viewer.get(f"{RUNS}/{run}/labelling")).body["items"]
        assert [set(item) for item in items] == [{"case_id", "case_key", "case_name", "trial", "labelled", "label"}] * 3
        sneaky = await viewer.get(f"{RUNS}/{run}/labelling", verdict="fail", q="nothing", sort="verdict")
        assert sneaky.body["items"] == items
