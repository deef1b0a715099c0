"""The contract of `Client`, its third part: labels, and the judges that they are held against."""

import pytest

from aloi.client.protocol import Client
from aloi.core.binding import Binding
from aloi.core.errors import InvalidInput, NotFound
from aloi.core.label import LabelGiven
from aloi.core.run import Run
from tests.contracts.clients import UNKNOWN, begin, each, echo, ended, recorded, replay, save
from tests.model_server import ModelServer

JUDGE = (Binding.model_validate({"kind": "llm_judge", "name": "polite", "rubric": "Be polite."}),)
PASS, FAIL = LabelGiven(verdict="pass", note="wie schön"), LabelGiven(verdict="fail")


async def judged(client: Client, models: ModelServer) -> Run:
    """A finished run of two cases, `a/b` and `c`, that the judge both passes."""
    cases = each([{"key": key, "prompt": "hello"} for key in ("a/b", "c")])
    await client.save_dataset("data", cases, bindings=JUDGE, judge_samples=2)
    judge = {"model": "openai:judge-pass", "base_url": models.url}
    return await ended(client, await begin(client, replay(**{"a/b": "dear", "c": "you"}), judge=judge))


class TestLabels:
    async def test_given_replaced_and_taken_away(self, client: Client) -> None:
        await save(client, "a", "b")
        run = await recorded(client, a="ok", b="no")
        first = await client.label(run.id, "a", FAIL, blind=True)
        assert (first.case_key, first.trial, first.verdict, first.note, first.blind) == ("a", 0, "fail", "", True)
        second = await client.label("latest", "a", PASS)
        assert (second.verdict, second.note, second.blind) == ("pass", "wie schön", False)
        other = await client.label(run.id[:20], "b", FAIL)
        found = await client.labels(run.id)
        assert (found.items, found.total) == ((second, other), 2)
        assert (await client.labels(run.id, page=2, size=1)).items == (other,)
        await client.remove_label(run.id, "a")
        assert (await client.labels(run.id)).items == (other,)

    async def test_each_trial_has_its_own(self, client: Client, model_server: ModelServer) -> None:
        await save(client, "a/b")
        run = await ended(client, await begin(client, echo(model_server), limits={"trials": 2}))
        label = await client.label(run.id, "a/b", FAIL.model_copy(update={"trial": 1}))
        assert label.trial == 1
        with pytest.raises(NotFound, match="has no label"):
            await client.remove_label(run.id, "a/b")
        await client.remove_label(run.id, "a/b", trial=1)
        assert (await client.labels(run.id)).total == 0

    async def test_what_is_not_there(self, client: Client) -> None:
        await save(client, "a")
        run = await recorded(client, a="ok")
        with pytest.raises(NotFound):
            await client.label(UNKNOWN, "a", PASS)
        with pytest.raises(NotFound, match="no case 'z'"):
            await client.label(run.id, "z", PASS)
        with pytest.raises(NotFound, match="no result of trial 2"):
            await client.label(run.id, "a", PASS.model_copy(update={"trial": 1}))
        with pytest.raises(NotFound):
            await client.labels(UNKNOWN)
        with pytest.raises(InvalidInput, match="no page 0"):
            await client.labels(run.id, page=0)


class TestCalibration:
    async def test_a_judge_against_labels(self, client: Client, model_server: ModelServer) -> None:
        run = await judged(client, model_server)
        await client.label(run.id, "a/b", PASS)
        await client.label(run.id, "c", FAIL)
        page = await client.calibration()
        [found] = page.items
        assert (page.total, found.labelled, found.true_passes, found.false_passes) == (1, 2, 1, 1)
        assert (found.unanimous, found.resampled, found.judge.samples) == (True, 2, 2)
        assert found.corrected[0].run_id == run.id
        assert found.corrected[0].status == "too_few_labels"
        assert (await client.calibration(target="bot")).items == page.items
        assert (await client.calibration(dataset="data")).items == page.items
        assert (await client.calibration(dataset=run.dataset_id, run="latest")).items == page.items

    async def test_a_scope_that_is_not_there(self, client: Client) -> None:
        assert (await client.calibration()).items == ()
        with pytest.raises(NotFound):
            await client.calibration(target="none")
        with pytest.raises(NotFound):
            await client.calibration(dataset="none")
        with pytest.raises(NotFound):
            await client.calibration(run=UNKNOWN)
        with pytest.raises(InvalidInput, match="no page 0"):
            await client.calibration(page=0)
