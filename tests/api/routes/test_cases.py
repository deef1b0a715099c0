"""Cases over HTTP: added, changed, listed, deleted, one by one and several at once."""

from typing import Any

import pytest

from aloi.service import audit
from tests.api.calls import Answer, Caller, RunningServer
from tests.store.backends import BACKENDS

DATASETS = "/api/eval/datasets"
ABSENT = "00000000-0000-7000-8000-00000000dead"
FULL: dict[str, Any] = {
    "key": "refund-1",
    "name": "Refund in time",
    "input": {"question": "Can I send it back?", "days": 3},
    "expected_output": {"ok": True},
    "expected_behavior": "Says yes",
    "assertions": ["Names the 30 days", "Is polite"],
    "evaluators": [{"kind": "contains", "text": "yes", "weight": 2}],
    "criteria": {"calls": {"tools": ["search"]}},
    "simulations": {
        "search": {"kind": "static", "answers": [{"output": None, "when": [{"path": "$.q", "equals": None}]}]},
        "mail": {"kind": "generated", "description": "It is sent."},
    },
    "tags": ["refund", "été"],
    "enabled": False,
    "status": "draft",
}
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


@pytest.fixture
async def path(editor: Caller) -> str:
    """The path of the cases of a new dataset."""
    answer = await editor.post(DATASETS, {"name": "data"})
    return f"{DATASETS}/{answer.body['id']}/cases"


async def made(editor: Caller, path: str, **fields: Any) -> dict[str, Any]:
    answer = await editor.post(path, {"prompt": "hi", **fields})
    assert answer.status == 201, answer.body
    return answer.body


def pointers(answer: Answer) -> list[str]:
    assert answer.status == 422, answer.body
    return [fault["pointer"] for fault in answer.body["errors"]]


@both
async def test_a_case_with_everything(editor: Caller, viewer: Caller, path: str) -> None:
    answer = await editor.post(path, FULL)
    assert answer.status == 201, answer.body
    case = answer.body
    binding = {"name": "contains", "weight": 2, "spec": {"kind": "contains", "text": "yes"}}
    assert case == {
        **FULL,
        "evaluators": [{**binding, "evaluator_id": None, "version": None}],
        "attachments": [],
        "id": case["id"],
        "source": {"kind": "manual", "execution_id": None},
    }
    read = await viewer.get(f"{path}/{case['id']}")
    assert (read.body, read.headers["ETag"]) == (case, answer.headers["ETag"])


@both
async def test_absent_leaves_and_null_clears(editor: Caller, path: str) -> None:
    case = (await editor.post(path, FULL)).body
    one = f"{path}/{case['id']}"
    assert (await editor.put(one, {})).body == case
    changed = (await editor.put(one, {"name": None, "prompt": "hello"})).body
    assert changed == {**case, "name": "", "input": "hello"}
    cleared = (await editor.put(one, dict.fromkeys(FULL.keys() - {"input"}))).body
    assert cleared["key"].startswith("auto-")
    assert [cleared[name] for name in ("assertions", "evaluators", "criteria", "tags")] == [[], [], {}, []]
    assert cleared["simulations"] == {}
    assert (cleared["enabled"], cleared["status"], cleared["expected_output"]) == (True, "ready", None)
    assert (cleared["id"], cleared["input"]) == (case["id"], "hello")
    assert (await editor.delete(one)).status == 204
    assert (await editor.get(one)).status == 404


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"input": None}, ""),
        ({"prompt": None}, ""),
        ({"prompt": "a", "input": "b"}, ""),
        ({"input": 5}, "/input"),
        ({"prompt": "nul \0"}, "/prompt"),
        ({"input": {"a": ["lone \ud800"]}}, "/input/a/0"),
        ({"input": {"lone \ud800": 1}}, "/input"),
        ({"expected_output": float("nan")}, "/expected_output"),
        ({"expected_output": {"a": float("inf")}}, "/expected_output"),
        ({"tags": ["a", 5]}, "/tags/1"),
        ({"key": "k" * 201}, "/key"),
        ({"status": "done"}, "/status"),
        ({"source": {"kind": "import"}}, "/source"),
        ({"evaluators": [{"kind": "contanis"}]}, "/evaluators/0/kind"),
        ({"evaluators": [{"kind": "contains", "text": "a"}, {"kind": "contains", "txet": "a"}]}, "/evaluators/1/txet"),
        ({"evaluators": [{"evaluator_id": ABSENT, "kind": "contains", "text": "a"}]}, "/evaluators/0/evaluator_id"),
        ({"evaluators": [{}]}, "/evaluators/0"),
        ({"criteria": {"bound": {"txet": "a"}}}, "/criteria/bound/txet"),
        ({"simulations": {"lookup": {}}}, "/simulations/lookup"),
        ({"simulations": {"lookup": {"kind": "static"}}}, "/simulations/lookup/answers"),
        ({"simulations": {"a": {"kind": "static", "answers": [{"output": "\0"}]}}}, "/simulations/a/answers/0/output"),
        (
            {"simulations": {"a": {"kind": "static", "answers": [{"output": 1, "when": [{"path": "$"}]}]}}},
            "/simulations/a/answers/0/when/0",
        ),
        ({"simulations": {"a": {"kind": "generated", "description": " "}}}, "/simulations/a/description"),
    ],
)
async def test_what_does_not_fit_is_pointed_at(editor: Caller, path: str, fields: Any, pointer: str) -> None:
    bound = [{"kind": "contains", "name": "bound", "text": "a"}]
    await editor.put(path.replace("/cases", "/evaluators"), bound)
    case = await made(editor, path)
    assert pointer in pointers(await editor.put(f"{path}/{case['id']}", fields))
    new = fields if fields.keys() & {"input", "prompt"} else {"prompt": "x", **fields}
    assert pointer in pointers(await editor.post(path, new))
    assert (await editor.get(path)).body["items"] == [case]


async def test_a_case_of_nothing(editor: Caller, path: str) -> None:
    assert pointers(await editor.post(path, {})) == [""]
    assert (await made(editor, path, prompt=""))["input"] == ""


async def test_code_needs_leave(editor: Caller, server: RunningServer, path: str) -> None:
    server.context.settings = server.context.settings.model_copy(update={"allow_code": False})
    answer = await editor.post(path, {"prompt": "x", "evaluators": [{"kind": "python", "function": "os:getcwd"}]})
    assert (answer.status, answer.body["code"]) == (403, "not_permitted")


@both
async def test_a_key_is_unique_in_its_dataset(editor: Caller, path: str) -> None:
    await made(editor, path, key="a")
    other = await made(editor, path, key="b")
    assert (await editor.post(path, {"prompt": "x", "key": "a"})).status == 409
    assert (await editor.put(f"{path}/{other['id']}", {"key": "a"})).status == 409
    # A key that is made from the input is as good as one that is given.
    await made(editor, path, prompt="same")
    assert (await editor.post(path, {"prompt": "same"})).status == 409


async def test_two_editors_on_one_case(editor: Caller, owner: Caller, path: str) -> None:
    case = await made(editor, path)
    one = f"{path}/{case['id']}"
    read = (await editor.get(one)).headers["ETag"]
    theirs = await owner.put(one, {"name": "theirs"}, headers={"If-Match": read})
    assert theirs.status == 200
    for stale in (
        await editor.put(one, {"name": "mine"}, headers={"If-Match": read}),
        await editor.delete(one, headers={"If-Match": read}),
    ):
        assert (stale.status, stale.body["code"]) == (412, "stale")
    assert (await editor.get(one)).body["name"] == "theirs"
    again = await editor.put(one, {"name": "mine"}, headers={"If-Match": theirs.headers["ETag"]})
    assert again.body["name"] == "mine"


@both
async def test_listed_in_order_and_filtered(editor: Caller, viewer: Caller, path: str) -> None:
    await made(editor, path, key="a", prompt="Où est la gare ?", tags=["travel"], expected_behavior="Tells 100%")
    await made(editor, path, key="b", input={"q": "Wo?"}, prompt=None, enabled=False, tags=["travel", "de"])
    await made(editor, path, key="c", name="Draft", status="draft", expected_output={"city": "Zürich"})
    await made(editor, path, key="d", assertions=["names the platform"])

    async def keys(**query: Any) -> list[str]:
        return [case["key"] for case in (await viewer.get(path, **query)).body["items"]]

    assert await keys() == ["a", "b", "c", "d"]
    page = (await viewer.get(path, page=2, size=3)).body
    assert ([case["key"] for case in page["items"]], page["total"], page["pages"]) == (["d"], 4, 2)
    for q, found in {
        "Où est": ["a"],
        "100%": ["a"],
        "wo?": ["b"],
        "draft": ["c"],
        "Zürich": ["c"],
        "PLATFORM": ["d"],
        "%": ["a"],
        "_": [],
        "expected": [],
    }.items():
        assert await keys(q=q) == found, q
    assert await keys(tag="travel") == ["a", "b"]
    assert await keys(tag="trav") == []
    assert await keys(enabled="false") == ["b"]
    assert await keys(status="draft") == ["c"]
    assert await keys(status="ready", enabled="true", q="a", tag="travel") == ["a"]
    assert (await viewer.get(path, status="done")).status == 422


@both
async def test_several_at_once(editor: Caller, path: str) -> None:
    ids = [(await made(editor, path, key=key))["id"] for key in "abc"]

    async def act(action: str, *case_ids: str) -> Any:
        answer = await editor.post(f"{path}/bulk", {"case_ids": case_ids, "action": action})
        assert answer.status == 200, answer.body
        return answer.body

    async def states() -> list[tuple[str, bool, str]]:
        items = (await editor.get(path)).body["items"]
        return [(case["key"], case["enabled"], case["status"]) for case in items]

    assert await act("disable", ids[0], ids[1]) == {"changed": 2, "missing": []}
    assert await act("draft", ids[1], ids[2]) == {"changed": 2, "missing": []}
    assert await states() == [("a", False, "ready"), ("b", False, "draft"), ("c", True, "draft")]
    assert await act("enable", *ids) == {"changed": 3, "missing": []}
    assert await act("ready", ids[1]) == {"changed": 1, "missing": []}
    assert await act("delete", ids[0], ids[0], ABSENT, "x") == {"changed": 1, "missing": [ABSENT, "x"]}
    assert await states() == [("b", True, "ready"), ("c", True, "draft")]
    assert await act("delete", ids[0]) == {"changed": 0, "missing": [ids[0]]}


@pytest.mark.parametrize(
    "body",
    [{}, {"case_ids": [], "action": "delete"}, {"case_ids": ["x"], "action": "burn"}, {"case_ids": ["x"] * 1001}],
)
async def test_several_that_make_no_sense(editor: Caller, path: str, body: Any) -> None:
    assert (await editor.post(f"{path}/bulk", body)).status == 422


async def test_a_case_of_another_dataset_is_not_there(editor: Caller, path: str) -> None:
    other = f"{DATASETS}/{(await editor.post(DATASETS, {'name': 'other'})).body['id']}/cases"
    case = await made(editor, path)
    assert (await editor.get(f"{other}/{case['id']}")).status == 404
    assert (await editor.put(f"{other}/{case['id']}", {"name": "x"})).status == 404
    answer = await editor.post(f"{other}/bulk", {"case_ids": [case["id"]], "action": "delete"})
    assert answer.body == {"changed": 0, "missing": [case["id"]]}
    assert (await editor.get(f"{path}/{case['key']}")).status == 404  # a key is no id
    assert (await editor.get(f"{path}/{case['id']}")).status == 200


async def test_others_do_not_see_it(editor: Caller, stranger: Caller, path: str) -> None:
    case = await made(editor, path)
    one = f"{path}/{case['id']}"
    for answer in (
        await stranger.get(path),
        await stranger.post(path, {"prompt": "x"}),
        await stranger.get(one),
        await stranger.put(one, {"name": "x"}),
        await stranger.delete(one),
        await stranger.post(f"{path}/bulk", {"case_ids": [case["id"]], "action": "delete"}),
    ):
        assert (answer.status, answer.body["code"]) == (404, "not_found")
    assert (await editor.get(one)).body == case


@both
@pytest.mark.parametrize("text", ["<script>alert('x')</script>", "😀 é ü", "a\r\nb\t", "x" * 1_000_000, "\x01\x7f"])
async def test_odd_texts_come_back_as_they_were(editor: Caller, path: str, text: str) -> None:
    case = await made(editor, path, prompt=text, name=text, expected_output=[text], tags=[text])
    assert (case["input"], case["name"], case["expected_output"], case["tags"]) == (text, text, [text], [text])
    assert (await editor.get(path)).body["items"] == [case]


async def test_what_is_written_down(editor: Caller, server: RunningServer, path: str) -> None:
    case = await made(editor, path, key="k", prompt="p" * 600)
    await editor.put(f"{path}/{case['id']}", {"tags": ["a"]})
    await editor.post(f"{path}/bulk", {"case_ids": [case["id"]], "action": "disable"})
    await editor.delete(f"{path}/{case['id']}")
    found = (await audit.listing(server.context, q="data")).items
    deleted, disabled, changed, created = found[:4]
    assert created.after == {"key": "k", "input": "p" * 499 + "…"}
    assert (changed.before, changed.after, changed.object_name) == ({"tags": []}, {"tags": ["a"]}, "data: k")
    assert (disabled.action, disabled.after) == ("case.disable", {"cases": 1, "keys": ["k"]})
    assert (deleted.action, deleted.after) == ("case.delete", None)
