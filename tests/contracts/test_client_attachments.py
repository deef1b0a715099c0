"""Files, by every kind of client; and suites that name them by their paths."""

from pathlib import Path
from typing import Any

import pytest

from aloi.client.finding import attachment_of
from aloi.client.protocol import Client
from aloi.core.attachment import MOST_FILE_BYTES, Attachment
from aloi.core.errors import Conflict, InvalidInput, NotFound, TooLarge
from aloi.sdk import add_attachment, open_suite, start_suite
from tests.attachment_files import PDF, PNG, SVG
from tests.contracts.clients import each, ended
from tests.model_server import ModelServer

SUITE = """
target: {{kind: openai, model: echo, base_url: "{url}"}}
evaluators: [{{kind: regex, pattern: "."}}]
cases:
- {{key: a, prompt: What is it?, attachments: [bill.pdf, "請 \\"求\\".png"]}}
"""


def case_with(file: Attachment, key: str = "a") -> dict[str, Any]:
    return {"key": key, "prompt": "x", "attachments": [file]}


async def test_a_file_is_sent_listed_and_deleted(client: Client) -> None:
    file = await client.add_attachment("bill.pdf", PDF)
    assert (file.name, file.media_type, file.size) == ("bill.pdf", "application/pdf", len(PDF))
    assert await client.add_attachment("bill.pdf", PDF) == file
    listed = await client.attachments()
    assert [(entry.name, entry.hash, entry.cases, entry.runs) for entry in listed.items] == [
        ("bill.pdf", file.hash, 0, 0)
    ]
    assert (await client.attachments(q="nothing")).total == 0
    assert (await attachment_of(client, file.hash[:7])).hash == file.hash
    await client.delete_attachment(file.hash)
    with pytest.raises(NotFound, match="there is no file"):
        await client.delete_attachment(file.hash)
    with pytest.raises(NotFound, match="see `aloi attachments list`"):
        await attachment_of(client, file.hash[:7])


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("dot.png", SVG, InvalidInput),
        ("../x.txt", b"x", InvalidInput),
        ('a"\r\nX: 1.txt', b"x", InvalidInput),
        ("large.txt", b"a" * (MOST_FILE_BYTES + 1), TooLarge),
    ],
)
async def test_what_is_not_taken(client: Client, name: str, content: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        await client.add_attachment(name, content)
    assert (await client.attachments()).total == 0


async def test_cases_come_back_with_their_files(client: Client) -> None:
    file = await client.add_attachment("bill.pdf", PDF)
    await client.save_dataset("data", each([case_with(file)]))
    assert [found.attachments async for found in client.cases("data")] == [(file,)]
    assert (await client.attachments(unused=True)).total == 0
    with pytest.raises(Conflict, match="1 case refers to it"):
        await client.delete_attachment(file.hash)


async def test_cases_whose_files_are_not_there_are_refused_as_a_whole(client: Client) -> None:
    file = await client.add_attachment("bill.pdf", PDF)
    strange = file.model_copy(update={"hash": "b" * 64, "name": "strange.pdf"})
    with pytest.raises(InvalidInput, match=r"case 'other': its file strange.pdf \(b{12}…\): the workspace has no file"):
        await client.save_dataset("data", each([case_with(file), case_with(strange, "other")]))
    assert await client.datasets() == []


async def test_a_suite_sends_the_files_that_it_names(client: Client, tmp_path: Path, model_server: ModelServer) -> None:
    (tmp_path / "bill.pdf").write_bytes(PDF)
    (tmp_path / '請 "求".png').write_bytes(PNG)
    (tmp_path / "suite.yaml").write_text(SUITE.format(url=model_server.url))
    suite = open_suite(tmp_path / "suite.yaml")
    run = await ended(client, await start_suite(client, suite, tmp_path))
    assert run.summary is not None
    assert run.summary.passed == 1
    [request] = model_server.requests
    kinds = [part["type"] for part in request.body["messages"][-1]["content"]]
    assert kinds == ["text", "text", "file", "text", "image_url"]
    frozen = await client.frozen_case(run.id, "a")
    assert [file.name for file in frozen.attachments] == ["bill.pdf", '請 "求".png']
    (tmp_path / "bill.pdf").write_bytes(PDF + b"\n")
    with pytest.raises(InvalidInput, match="changed since the suite was read"):
        await start_suite(client, suite, tmp_path)


async def test_a_file_of_this_machine(client: Client, tmp_path: Path) -> None:
    (tmp_path / "dot.png").write_bytes(PNG)
    assert (await add_attachment(client, tmp_path / "dot.png")).media_type == "image/png"
    with pytest.raises(InvalidInput, match="cannot be read: No such file"):
        await add_attachment(client, tmp_path / "gone.png")
