"""The contract of `Client`: every method, whoever stands behind it. The targets are such as a server could run too."""

import json

import pytest

from aloi.client.protocol import Client
from aloi.core.binding import Binding
from aloi.core.comparison import Change
from aloi.core.errors import Conflict, InvalidInput, NotFound
from aloi.core.grading import GradeRequest
from aloi.core.score import Verdict
from aloi.core.target import Target
from aloi.plugins import build
from tests.contracts.clients import (
    CONTAINS,
    begin,
    each,
    ended,
    prompts,
    recorded,
    replay,
    save,
)
from tests.model_server import ModelServer


class TestDatasets:
    async def test_save_and_read(self, client: Client) -> None:
        saved = await save(client, "a", "b", judge_samples=3)
        assert (saved.given, saved.before, saved.after, saved.dataset_name) == (2, 0, 2, "data")
        dataset = await client.dataset("data")
        assert (dataset.id, dataset.judge_samples, dataset.bindings) == (saved.dataset_id, 3, CONTAINS)
        assert await client.dataset(dataset.id) == dataset
        assert [(case.key, case.input) async for case in client.cases("data")] == [("a", "ok a"), ("b", "ok b")]

    async def test_change_and_replace(self, client: Client) -> None:
        await save(client, "a", "b", judge_samples=3)
        saved = await client.save_dataset("data", each(prompts("b", "c")))
        assert (saved.before, saved.after) == (2, 3)
        assert (await client.dataset("data")).judge_samples == 3
        saved = await client.save_dataset("data", each(prompts("c")), replace=True)
        assert (saved.before, saved.after) == (3, 1)

    async def test_the_list_has_the_newest_first(self, client: Client) -> None:
        assert await client.datasets() == []
        for name in ("one", "two"):
            await save(client, "a", name=name)
        assert [(entry.name, entry.case_count) for entry in await client.datasets()] == [("two", 1), ("one", 1)]

    async def test_errors(self, client: Client) -> None:
        with pytest.raises(InvalidInput, match="'a' is used twice"):
            await save(client, "a", "a")
        with pytest.raises(InvalidInput, match="name"):
            await save(client, "a", name="")
        with pytest.raises(InvalidInput, match="judge_samples"):
            await save(client, "a", judge_samples=9)
        with pytest.raises(InvalidInput, match="contanis"):
            await save(client, "a", bindings=[Binding(name="x", spec={"kind": "contanis"})])
        assert await client.datasets() == []
        with pytest.raises(NotFound, match="no dataset 'nope'"):
            await client.dataset("nope")
        with pytest.raises(NotFound, match="no dataset 'nope'"):
            assert [case async for case in client.cases("nope")]


class TestTargets:
    async def test_versions(self, client: Client) -> None:
        first = await client.save_target("bot", replay(a="1"))
        assert await client.save_target("bot", replay(a="1")) == first
        second = await client.save_target("bot", replay(a="2"))
        assert (first.number, second.number, second.target_name, second.kind) == (1, 2, "bot", "replay")
        assert await client.target_version("bot") == first
        assert await client.target_version("bot@2") == second

    async def test_errors(self, client: Client) -> None:
        await client.save_target("bot", replay(a="1"))
        with pytest.raises(Conflict, match="of kind replay, not http"):
            http = build("targets", {"kind": "http", "url": "http://127.0.0.1:1/"}, Target)
            await client.save_target("bot", http)
        with pytest.raises(NotFound, match="no target 'nope'"):
            await client.target_version("nope")
        with pytest.raises(NotFound, match="has no version 9"):
            await client.target_version("bot@9")
        with pytest.raises(InvalidInput, match="write bot@3"):
            await client.target_version("bot@x")


class TestResults:
    async def test_pages_and_verdicts(self, client: Client) -> None:
        await save(client, "a", "b", "c", "d")
        run = await recorded(client, a="ok", b="no", c="ok")
        page = await client.results(run.id, page=2, size=3)
        assert ([result.case_key for result in page.items], page.total) == (["d"], 4)
        passed = await client.results(run.id, Verdict.PASS)
        assert [result.case_key for result in passed.items] == ["a", "c"]
        assert (await client.results(run.id, page=9)).items == ()
        with pytest.raises(InvalidInput, match="pages count from 1"):
            await client.results(run.id, size=0)

    async def test_one(self, client: Client) -> None:
        await save(client, "a", "b")
        run = await ended(client, await begin(client, replay(a="ok"), limits={"trials": 2}))
        result = await client.result(run.id, "a", 1)
        assert (result.outcome.output, result.verdict, result.trial) == ("ok", Verdict.PASS, 1)
        assert await client.result(run.id, result.case_id, 1) == result
        failure = (await client.result(run.id, "b")).failure
        assert failure is not None and (failure.stage, failure.type) == ("invoke", "not_recorded")
        with pytest.raises(NotFound, match="no case 'z'"):
            await client.result(run.id, "z")
        with pytest.raises(NotFound, match="no result of trial 8"):
            await client.result(run.id, "a", 7)

    @pytest.mark.parametrize("key", ["a/b", "..", "a?b=c#d", "é 😀", "%2F", "a b+c", "."])
    async def test_one_whose_key_is_no_part_of_a_path(self, client: Client, key: str) -> None:
        await save(client, key)
        run = await recorded(client, **{key: "ok"})
        assert (await client.result(run.id, key)).verdict is Verdict.PASS
        assert (await client.frozen_case(run.id, key)).key == key

    async def test_a_case_as_the_run_froze_it(self, client: Client) -> None:
        await save(client, "a")
        run = await recorded(client, a="ok")
        await client.save_dataset("data", each([{"key": "a", "prompt": "edited"}]))
        case = await client.frozen_case(run.id, "a")
        assert (case.key, case.input) == ("a", "ok a")
        assert await client.frozen_case(run.id, case.id) == case
        with pytest.raises(NotFound, match="'z'"):
            await client.frozen_case(run.id, "z")

    async def test_export(self, client: Client) -> None:
        await save(client, "a", "b")
        run = await recorded(client, a="ok", b="né 😀")
        found = {form: "".join([piece async for piece in client.export(run.id, form)]) for form in FORMATS}
        assert [result["case_key"] for result in json.loads(found["json"])["results"]] == ["a", "b"]
        assert all("né 😀" in text for text in found.values())
        with pytest.raises(InvalidInput, match=r"json'?, .*csv'?, .*junit.*html"):
            assert [piece async for piece in client.export(run.id, "pdf")]

    async def test_compare(self, client: Client) -> None:
        await save(client, "a", "b")
        one, two = await recorded(client, a="ok", b="no"), await recorded(client, a="no", b="ok")
        found = await client.compare(one.id, two.id)
        assert [pair.change for pair in found.pairs if pair.case_key == "a"] == [Change.WORSE]
        assert (found.run_a, found.run_b) == (one.id, two.id)


FORMATS = ("json", "csv", "junit", "html")


class TestKindsAndGrades:
    @pytest.mark.parametrize(
        ("family", "kind"), [("evaluators", "contains"), ("targets", "openai"), ("tools", "calculator")]
    )
    async def test_kinds(self, client: Client, family: str, kind: str) -> None:
        described = (await client.kinds(family))[kind]
        assert described["kind"] == kind
        assert described["title"] and isinstance(described["schema"], dict)

    @pytest.mark.parametrize("family", ["", "core", "nope"])
    async def test_an_unknown_family(self, client: Client, family: str) -> None:
        with pytest.raises(InvalidInput, match="the families are: evaluators, targets, tools"):
            await client.kinds(family)

    async def test_grade(self, client: Client, model_server: ModelServer) -> None:
        score = await client.grade(GradeRequest(evaluator={"kind": "contains", "text": "a"}, output="abc"))
        assert (score.verdict, score.value) == (Verdict.PASS, 1.0)
        judge = {"model": "openai:judge-fail", "base_url": model_server.url}
        spec = {"kind": "llm_judge", "rubric": "It is kind."}
        asked = GradeRequest.model_validate({"evaluator": spec, "output": "abc", "judge": judge})
        assert (await client.grade(asked)).verdict is Verdict.FAIL
        with pytest.raises(InvalidInput, match="none is set"):
            await client.grade(GradeRequest.model_validate({"evaluator": spec, "output": "abc"}))
        with pytest.raises(InvalidInput, match="no kind 'nope'"):
            await client.grade(GradeRequest(evaluator={"kind": "nope"}, output="abc"))
        assert (await client.runs()).total == 0
