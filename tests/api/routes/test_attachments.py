"""Files over HTTP: sent, listed, read and deleted; and what nobody may send."""

import asyncio
from typing import Any

import aiohttp
import pytest

from aloi.core.attachment import MOST_FILE_BYTES
from tests.api.calls import Answer, Caller, RunningServer, raw
from tests.attachment_files import GIF, HTML, PDF, PNG, SVG, WHOLE

PATH = "/api/eval/attachments"


async def send(caller: Caller, name: str, content: bytes, media_type: str | None = None) -> Answer:
    """Send a file as a browser does."""
    form = aiohttp.FormData(quote_fields=False)
    form.add_field("file", content, filename=name, content_type=media_type)
    return await caller.call("POST", PATH, data=form)


async def content_of(caller: Caller, file_hash: str, **params: str) -> tuple[int, bytes, dict[str, str]]:
    headers = {"Authorization": f"Bearer {caller.token}"}
    url = f"{caller.url}{PATH}/{file_hash}/content"
    async with caller.session.get(url, headers=headers, params=params) as response:
        return response.status, await response.read(), dict(response.headers)


async def case_with(caller: Caller, *files: dict[str, Any], name: str = "data") -> tuple[str, Answer]:
    """The path of a new dataset's cases, and what came of adding one with these files."""
    dataset = await caller.post("/api/eval/datasets", {"name": name})
    path = f"/api/eval/datasets/{dataset.body['id']}/cases"
    return path, await caller.post(path, {"key": "a", "prompt": "What is this?", "attachments": list(files)})


async def test_a_file_from_beginning_to_end(editor: Caller, viewer: Caller) -> None:
    sent = await send(editor, "bill.pdf", PDF)
    assert (sent.status, sent.body["name"], sent.body["media_type"], sent.body["size"]) == (
        201,
        "bill.pdf",
        "application/pdf",
        len(PDF),
    )
    file_hash = sent.body["hash"]
    found = await viewer.get(f"{PATH}/{file_hash}")
    assert (found.status, found.body["created_by"], found.body["cases"], found.body["runs"]) == (
        200,
        "editor@example.org",
        0,
        0,
    )
    path, case = await case_with(editor, {"hash": file_hash})
    assert case.status == 201
    assert case.body["attachments"] == [sent.body]
    refused = await editor.delete(f"{PATH}/{file_hash}")
    assert (refused.status, refused.body["code"]) == (409, "conflict")
    assert "1 case refers to it" in refused.body["detail"]
    assert (await editor.get(PATH, unused=1)).body["items"] == []
    assert (await editor.delete(f"{path}/{case.body['id']}")).status == 204
    assert [item["hash"] for item in (await editor.get(PATH, unused=1)).body["items"]] == [file_hash]
    assert (await editor.delete(f"{PATH}/{file_hash}")).status == 204
    assert (await viewer.get(f"{PATH}/{file_hash}")).status == 404
    assert (await content_of(viewer, file_hash))[0] == 404


@pytest.mark.parametrize("name", WHOLE)
async def test_every_type_comes_back_as_it_was(editor: Caller, name: str) -> None:
    media_type, content = WHOLE[name]
    sent = await send(editor, name, content, "text/html")  # what the sender says of the type is not believed
    assert (sent.status, sent.body["media_type"]) == (201, media_type)
    status, given, headers = await content_of(editor, sent.body["hash"])
    assert (status, given) == (200, content)
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in headers["Content-Security-Policy"]
    assert "script" not in headers["Content-Security-Policy"]
    assert headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert headers["Vary"] == "Cookie, Authorization"
    text = not media_type.startswith(("image/", "application/pdf"))
    assert headers["Content-Type"] == ("text/plain; charset=utf-8" if text else media_type)
    shown = "attachment" if media_type == "application/pdf" else "inline"
    assert headers["Content-Disposition"].startswith(f'{shown}; filename="{name}"')


async def test_a_file_is_saved_under_any_name(editor: Caller) -> None:
    sent = await send(editor, "dot.png", PNG)
    _, _, headers = await content_of(editor, sent.body["hash"], name='請 "求".png', download="1")
    assert headers["Content-Disposition"].startswith("attachment; filename=")
    assert "filename*=UTF-8''%E8%AB%8B" in headers["Content-Disposition"]


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("dot.png", SVG, "is named like a PNG image, and its content is text"),
        ("dot.png", HTML, "is named like a PNG image, and its content is text"),
        ("dot.svg", SVG, "ends in .svg, which is not taken"),
        ("page.html", HTML, "ends in .html, which is not taken"),
        ("dot.png", GIF, "a GIF image"),
        ("empty.txt", b"", "is empty"),
        ("..", PNG, "is no name of a file"),
        ("../../etc/passwd", b"root", "has a folder in it"),
        ("fdp\u202egnp.png", PNG, "U+202E"),
        ("x" * 300 + ".png", PNG, "has 304 characters"),
        ("run.exe", b"MZ\0\0", "ends in .exe"),
        ("bill.pdf", PDF[:-8], "has no proper end"),
    ],
)
async def test_what_is_not_taken(editor: Caller, name: str, content: bytes, fault: str) -> None:
    refused = await send(editor, name, content)
    assert (refused.status, refused.body["code"]) == (422, "invalid_input")
    assert fault in refused.body["detail"]
    assert (await editor.get(PATH)).body["total"] == 0


async def test_a_name_with_nul_is_not_taken(editor: Caller) -> None:
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a\0.png"\r\n\r\n' + PNG + b"\r\n--b--\r\n"
    refused = await editor.call("POST", PATH, data=body, headers={"Content-Type": "multipart/form-data; boundary=b"})
    assert refused.status in (400, 422)


async def test_the_largest_file_and_one_byte_more(editor: Caller) -> None:
    sent = await send(editor, "large.txt", b"a" * MOST_FILE_BYTES)
    assert (sent.status, sent.body["size"]) == (201, MOST_FILE_BYTES)
    refused = await send(editor, "large.txt", b"a" * (MOST_FILE_BYTES + 1))
    assert (refused.status, refused.body["code"]) == (413, "too_large")
    refused = await send(editor, "huge.txt", b"a" * (2 * MOST_FILE_BYTES))
    assert refused.status == 413


async def test_what_is_too_large_is_refused_before_it_is_read(server: RunningServer, editor: Caller) -> None:
    head = (
        f"POST {PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {editor.token}\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 999999999\r\nConnection: close\r\n\r\n"
    )
    assert (await raw(server, head.encode())).startswith(b"HTTP/1.1 413")


async def test_a_file_of_which_a_part_comes_is_not_stored(server: RunningServer, editor: Caller) -> None:
    body = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf of it'
    head = (
        f"POST {PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {editor.token}\r\n"
        f"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: {len(body) + 500}\r\n\r\n"
    )
    address = server.url.removeprefix("http://").partition(":")
    _, writer = await asyncio.open_connection(address[0], int(address[2]))
    writer.write(head.encode() + body)
    await writer.drain()
    writer.close()
    refused = await editor.call("POST", PATH, data=body, headers={"Content-Type": "multipart/form-data; boundary=b"})
    assert refused.status in (400, 422)
    assert (await editor.get(PATH)).body["total"] == 0


@pytest.mark.parametrize("options", [{}, {"json": {"file": "x"}}, {"data": {"file": "x"}}, {"data": b"\0\1"}])
async def test_what_is_no_form_with_a_file(editor: Caller, options: dict[str, Any]) -> None:
    assert (await editor.call("POST", PATH, **options)).status == 422


async def test_the_same_content_twice_is_one_file(editor: Caller) -> None:
    first = await send(editor, "note.txt", b"words")
    second = await send(editor, "other.md", b"words")
    assert (first.status, second.status) == (201, 200)
    assert second.body == {**first.body, "name": "other.md", "media_type": "text/markdown"}
    listed = await editor.get(PATH)
    assert [item["name"] for item in listed.body["items"]] == ["note.txt"]
    _, case = await case_with(editor, {"hash": first.body["hash"], "name": "other.md"})
    assert case.body["attachments"] == [second.body]


async def test_several_who_send_one_content_at_once(editor: Caller, server: RunningServer) -> None:
    answers = await asyncio.gather(*(send(editor, f"{number}.txt", b"words") for number in range(6)))
    assert sorted(answer.status for answer in answers) == [200] * 5 + [201]
    file_hash = answers[0].body["hash"]
    assert (await content_of(editor, file_hash))[1] == b"words"
    folder = server.context.settings.home / "attachments"
    assert len([path for path in folder.rglob("*") if path.is_file()]) == 1


async def test_a_file_of_another_workspace_is_not_there(editor: Caller, stranger: Caller) -> None:
    file_hash = (await send(editor, "bill.pdf", PDF)).body["hash"]
    assert (await stranger.get(PATH)).body["total"] == 0
    assert (await stranger.get(f"{PATH}/{file_hash}")).status == 404
    assert (await content_of(stranger, file_hash))[0] == 404
    assert (await stranger.delete(f"{PATH}/{file_hash}")).status == 404
    _, refused = await case_with(stranger, {"hash": file_hash}, name="theirs")
    assert (refused.status, refused.body["errors"][0]["pointer"]) == (422, "/attachments/0")
    assert "the workspace has no file of this hash" in refused.body["detail"]
    # Sent by themselves it is theirs, and deleting one leaves the other.
    assert (await send(stranger, "theirs.pdf", PDF)).status == 201
    assert (await stranger.delete(f"{PATH}/{file_hash}")).status == 204
    assert (await content_of(editor, file_hash))[1] == PDF


async def test_a_viewer_sends_and_deletes_nothing(editor: Caller, viewer: Caller) -> None:
    file_hash = (await send(editor, "bill.pdf", PDF)).body["hash"]
    assert (await send(viewer, "a.txt", b"a")).status == 403
    assert (await viewer.delete(f"{PATH}/{file_hash}")).status == 403
    assert (await content_of(viewer, file_hash))[1] == PDF


@pytest.mark.parametrize("file_hash", ["x", "A" * 64, "%2e%2e", "a" * 63, "a" * 64 + "%00"])
async def test_what_is_no_hash(editor: Caller, file_hash: str) -> None:
    for path in (f"{PATH}/{file_hash}", f"{PATH}/{file_hash}/content"):
        assert (await editor.get(path)).status in (404, 422)
    assert (await editor.delete(f"{PATH}/{file_hash}")).status in (404, 405, 422)


async def test_the_list_is_searched_and_paged(editor: Caller) -> None:
    for number in range(5):
        assert (await send(editor, f"{'bill' if number % 2 else 'note'} {number}.txt", b"%d" % number)).status == 201
    page = await editor.get(PATH, size=2)
    assert (page.body["total"], page.body["pages"]) == (5, 3)
    assert [item["name"] for item in page.body["items"]] == ["note 4.txt", "bill 3.txt"]
    assert [item["name"] for item in (await editor.get(PATH, q="BILL")).body["items"]] == ["bill 3.txt", "bill 1.txt"]


async def test_it_stands_in_the_audit_log(owner: Caller, editor: Caller) -> None:
    file_hash = (await send(editor, "bill.pdf", PDF)).body["hash"]
    await editor.delete(f"{PATH}/{file_hash}")
    entries = (await owner.get("/api/audit", q="bill.pdf")).body["items"]
    assert [(entry["action"], entry["actor"], entry["object_id"]) for entry in entries] == [
        ("attachment.delete", "editor@example.org", file_hash),
        ("attachment.create", "editor@example.org", file_hash),
    ]


async def test_a_content_that_is_gone_or_altered(editor: Caller, server: RunningServer) -> None:
    file_hash = (await send(editor, "bill.pdf", PDF)).body["hash"]
    stored = next(path for path in (server.context.settings.home / "attachments").rglob(f"{file_hash}-*"))
    stored.write_bytes(b"%PDF-1.4 something else %%EOF")
    status, told, _ = await content_of(editor, file_hash)
    assert (status, b"was altered" in told) == (404, True)
    stored.unlink()
    status, told, _ = await content_of(editor, file_hash)
    assert (status, b"is gone" in told) == (404, True)
    assert (await send(editor, "bill.pdf", PDF)).status == 200  # which mends it
    assert (await content_of(editor, file_hash))[1] == PDF


async def test_where_files_are_stored_is_told_to_nobody(editor: Caller, server: RunningServer) -> None:
    server.context.settings.home.mkdir(exist_ok=True)
    (server.context.settings.home / "attachments").write_text("no folder")
    refused = await send(editor, "bill.pdf", PDF)
    assert (refused.status, refused.body["code"]) == (503, "files_unavailable")
    assert str(server.context.settings.home) not in refused.body["detail"]
