"""Files as cases name them, on the way in and out."""

import json

import pytest
from pydantic import JsonValue

from aloi.core.attachment import Attachment
from aloi.core.errors import InvalidInput
from aloi.core.misfit import Misfit
from aloi.service import attachments, cases, datasets, importing
from aloi.service.context import Context
from aloi.service.files import CasesFormat
from tests.attachment_files import PDF, PNG
from tests.service.started_runs import each

FORMS: tuple[CasesFormat, ...] = ("csv", "json", "jsonl")


async def two(context: Context) -> list[Attachment]:
    named = {'bill, "first".pdf': PDF, "dot.png": PNG}
    return [(await attachments.add(context, name, content)).file for name, content in named.items()]


async def exported(context: Context, dataset_id: str, form: CasesFormat) -> str:
    _, pieces = await importing.export(context, dataset_id, form)
    return "".join([piece async for piece in pieces])


@pytest.mark.parametrize("form", FORMS)
async def test_a_file_of_cases_keeps_them(context: Context, form: CasesFormat) -> None:
    files = await two(context)
    first = await datasets.create(context, {"name": "first"})
    given: list[JsonValue] = [file.model_dump(mode="json") for file in files]
    await cases.create(context, first.id, {"key": "a", "input": "x", "attachments": given})
    await cases.create(context, first.id, {"key": "b", "input": "y"})
    text = await exported(context, first.id, form)
    second = await datasets.create(context, {"name": "second"})
    await importing.import_file(context, second.id, text.encode(), f"cases.{form}")
    assert await exported(context, second.id, form) == text
    kept = [case.attachments async for case in datasets.cases(context, "second")]
    assert kept == [tuple(files), ()]
    assert [(await attachments.read(context, file.hash)).cases for file in files] == [2, 2]


@pytest.mark.parametrize("form", FORMS)
async def test_a_file_of_cases_with_files_that_are_not_there(context: Context, form: CasesFormat) -> None:
    files = await two(context)
    first = await datasets.create(context, {"name": "first"})
    given: list[JsonValue] = [file.model_dump(mode="json") for file in files]
    case = await cases.create(context, first.id, {"key": "a", "input": "x", "attachments": given})
    text = await exported(context, first.id, form)
    await cases.delete(context, first.id, case.id)
    await attachments.delete(context, files[1].hash)
    with pytest.raises(
        InvalidInput, match=r"case 'a': its file dot.png \(\w{12}…\): the workspace has no file of this"
    ):
        await importing.import_file(context, first.id, text.encode(), f"cases.{form}")
    assert [case async for case in datasets.cases(context, "first")] == []


async def test_what_a_file_of_cases_says_of_a_file_is_checked(context: Context) -> None:
    file = (await two(context))[0].model_dump(mode="json")
    dataset = await datasets.create(context, {"name": "data"})
    for fields, reason in (
        ({"size": 1}, "bytes, not 1"),
        ({"media_type": "image/png"}, "is application/pdf, not image"),
    ):
        text = json.dumps([{"key": "a", "prompt": "x", "attachments": [{**file, **fields}]}])
        with pytest.raises(InvalidInput, match=reason):
            await importing.import_file(context, dataset.id, text.encode(), "cases.json")
    for files, reason in (
        ("x", "must be a list"),
        ([{"name": "a"}], "is missing"),
        ([{**file, "name": "a/b"}], "folder"),
    ):
        text = json.dumps([{"key": "a", "prompt": "x", "attachments": files}])
        with pytest.raises(Misfit, match=reason):
            await importing.import_file(context, dataset.id, text.encode(), "cases.json")


async def test_importing_again_replaces_the_files_of_a_case(context: Context) -> None:
    one, other = await two(context)
    dataset = await datasets.create(context, {"name": "data"})
    for files, counts in (([one], (1, 0)), ([other], (0, 1)), ([one, other], (1, 1)), ([], (0, 0))):
        given = [file.model_dump(mode="json") for file in files]
        await datasets.save(context, dataset.name, each([{"key": "a", "prompt": "x", "attachments": given}]))
        assert tuple([(await attachments.read(context, file.hash)).cases for file in (one, other)]) == counts


async def test_deleting_a_dataset_lets_its_files_go(context: Context) -> None:
    file = (await two(context))[0]
    await datasets.save(context, "data", each([{"key": "a", "prompt": "x", "attachments": [file.model_dump()]}]))
    await datasets.delete(context, (await datasets.get(context, "data")).id)
    assert (await attachments.read(context, file.hash)).cases == 0
    await attachments.delete(context, file.hash)


async def test_texts_may_be_of_any_type_of_text(context: Context) -> None:
    file = (await attachments.add(context, "rows.txt", b"a,b\n")).file
    dataset = await datasets.create(context, {"name": "data"})
    made = await cases.create(
        context, dataset.id, {"key": "a", "input": "x", "attachments": [{"hash": file.hash, "name": "rows.csv"}]}
    )
    assert made.attachments[0].media_type == "text/csv"
