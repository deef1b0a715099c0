"""Suite files and files of cases from Python."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from aloi.client import Client, connect
from aloi.core.errors import InvalidInput, NotFound
from aloi.core.run import Run, RunStatus
from aloi.sdk import export_cases, import_file, open_suite, start_suite
from aloi.service.suites.suite import Suite
from aloi.settings import Settings
from tests.model_server import ModelServer

SUITE = """
name: Capitals
target: {kind: replay, outputs: {a: Paris, b: Rome}}
evaluators: [{kind: exact_match}]
cases:
  - {key: a, prompt: France?, expected_output: Paris}
  - {key: b, prompt: Spain?, expected_output: Madrid}
"""


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    opened = await connect(Settings(home=tmp_path / "home"), {})
    yield opened
    await opened.close()


def suite(folder: Path, text: str = SUITE) -> Suite:
    path = folder / "suite.yaml"
    path.write_text(text, encoding="utf-8")
    return open_suite(path)


async def finished(client: Client, run: Run) -> Run:
    return await client.wait(run.id, 10)


async def keys(client: Client, dataset: str) -> list[str]:
    return [case.key async for case in client.cases(dataset)]


class TestSuites:
    async def test_a_suite_is_run(self, client: Client, tmp_path: Path) -> None:
        run = await finished(client, await start_suite(client, suite(tmp_path), tmp_path, tags=("ci",)))
        assert (run.dataset_name, run.target, run.spec.tags) == ("Capitals", "Capitals@1", ("ci",))
        assert run.summary is not None and (run.summary.passed, run.summary.failed) == (1, 1)

    async def test_the_dataset_then_holds_just_its_cases(self, client: Client, tmp_path: Path) -> None:
        await finished(client, await start_suite(client, suite(tmp_path), tmp_path))
        fewer = suite(tmp_path, SUITE[: SUITE.index("  - {key: b")])
        run = await finished(client, await start_suite(client, fewer, tmp_path))
        assert (await keys(client, "Capitals"), run.total) == (["a"], 1)

    async def test_some_cases_alone(self, client: Client, tmp_path: Path) -> None:
        run = await start_suite(client, suite(tmp_path), tmp_path, case_keys=("b",))
        assert ((await finished(client, run)).total, run.spec.complete) == (1, False)

    async def test_a_file_of_cases_and_inline_ones_from_its_folder(self, client: Client, tmp_path: Path) -> None:
        (tmp_path / "more.csv").write_text("key,prompt,expected_output\nc,Italy?,Rome\n")
        (tmp_path / "recorded.jsonl").write_text('{"key": "a", "output": "Paris"}\n{"key": "c", "output": "Rome"}\n')
        text = SUITE.replace("outputs: {a: Paris, b: Rome}", "path: recorded.jsonl").replace(
            "cases:", "dataset: more.csv\ncases:"
        )
        run = await finished(client, await start_suite(client, suite(tmp_path, text), tmp_path))
        assert await keys(client, "Capitals") == ["c", "a", "b"]
        assert run.summary is not None and (run.summary.passed, run.summary.errors) == (2, 1)

    async def test_a_key_in_the_file_and_inline_is_refused(self, client: Client, tmp_path: Path) -> None:
        (tmp_path / "more.csv").write_text("key,prompt,expected_output\na,Italy?,Rome\n")
        text = SUITE.replace("cases:", "dataset: more.csv\ncases:")
        with pytest.raises(InvalidInput, match="'a' is used twice"):
            await start_suite(client, suite(tmp_path, text), tmp_path)
        assert (await client.runs()).total == 0

    async def test_a_saved_target_by_its_name(self, client: Client, tmp_path: Path) -> None:
        await finished(client, await start_suite(client, suite(tmp_path), tmp_path))
        text = SUITE.replace("target: {kind: replay, outputs: {a: Paris, b: Rome}}", "target: Capitals@1")
        run = await finished(client, await start_suite(client, suite(tmp_path, text), tmp_path))
        assert run.target == "Capitals@1"
        text = text.replace("Capitals@1", "Capitals@7")
        with pytest.raises(NotFound, match="has no version 7"):
            await start_suite(client, suite(tmp_path, text), tmp_path)

    async def test_a_target_of_another_kind(self, client: Client, tmp_path: Path, model_server: ModelServer) -> None:
        await finished(client, await start_suite(client, suite(tmp_path), tmp_path))
        openai = f"target: {{kind: openai, model: 'fixed:Paris', base_url: '{model_server.url}'}}"
        text = SUITE.replace("target: {kind: replay, outputs: {a: Paris, b: Rome}}", openai)
        run = await finished(client, await start_suite(client, suite(tmp_path, text), tmp_path))
        assert (run.target, run.status) == ("Capitals (openai)@1", RunStatus.COMPLETED)

    async def test_the_judge_and_its_samples(self, client: Client, tmp_path: Path, model_server: ModelServer) -> None:
        text = SUITE.replace("{kind: exact_match}", "{kind: output_judge}")
        text += f"judge: {{model: 'openai:judge-pass', base_url: '{model_server.url}', samples: 3}}\n"
        run = await finished(client, await start_suite(client, suite(tmp_path, text), tmp_path))
        assert run.spec.judge is not None and run.spec.judge.samples == 3
        assert run.summary is not None and run.summary.judged == 2


class TestFiles:
    @pytest.mark.parametrize("form", ["csv", "json", "jsonl"])
    async def test_what_is_exported_is_imported_again(self, client: Client, tmp_path: Path, form: str) -> None:
        source = tmp_path / "cases.jsonl"
        cases = [
            {"key": "a", "prompt": "Qué?\nÉ", "expected_output": {"n": [1, None]}, "tags": ["x", "y"]},
            {"key": "b", "input": {"q": "x"}, "assertions": ["It is short.", "It is kind."], "enabled": False},
        ]
        source.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
        assert (await import_file(client, "first", source)).given == 2
        path = tmp_path / f"out.{form}"
        path.write_text("".join([piece async for piece in export_cases(client, "first", form)]), encoding="utf-8")
        saved = await import_file(client, "second", path)
        assert (saved.given, saved.unknown_columns) == (2, ())
        first, second = [[case async for case in client.cases(name)] for name in ("first", "second")]
        assert [case.content() for case in first] == [case.content() for case in second]
        assert [case.enabled for case in second] == [True, False]

    async def test_unknown_columns_are_told(self, client: Client, tmp_path: Path) -> None:
        path = tmp_path / "cases.csv"
        path.write_text("key,prompt,colour\na,x,red\n")
        assert (await import_file(client, "data", path)).unknown_columns == ("colour",)

    async def test_replace(self, client: Client, tmp_path: Path) -> None:
        path = tmp_path / "cases.csv"
        path.write_text("key,prompt\na,x\nb,y\n")
        await import_file(client, "data", path)
        path.write_text("key,prompt\nb,y\nc,z\n")
        await import_file(client, "data", path)
        assert await keys(client, "data") == ["a", "b", "c"]
        await import_file(client, "data", path, replace=True)
        assert await keys(client, "data") == ["b", "c"]

    async def test_all_or_nothing(self, client: Client, tmp_path: Path) -> None:
        path = tmp_path / "cases.csv"
        path.write_text("key,prompt\na,x\nb,\na,z\n")
        with pytest.raises(InvalidInput, match=r"cases\.csv"):
            await import_file(client, "data", path)
        with pytest.raises(NotFound):
            await client.dataset("data")

    async def test_an_unknown_format_or_dataset(self, client: Client) -> None:
        with pytest.raises(InvalidInput, match="no format 'xlsx' for cases; the formats are: csv, json, jsonl"):
            assert [piece async for piece in export_cases(client, "data", "xlsx")]
        with pytest.raises(NotFound, match="no dataset 'data'"):
            assert [piece async for piece in export_cases(client, "data", "csv")]
