"""`aloi attachments`, here and against a server."""

import json
from pathlib import Path

from tests.attachment_files import PDF, PNG, SVG
from tests.cli.conftest import HERE_AND_THERE, Aloi

pytestmark = HERE_AND_THERE


def test_add_list_and_delete(aloi: Aloi, tmp_path: Path) -> None:
    (tmp_path / "bill.pdf").write_bytes(PDF)
    (tmp_path / "dot.png").write_bytes(PNG)
    assert "no file yet" in aloi("attachments", "list").out
    added = aloi("attachments", "add", tmp_path / "bill.pdf", tmp_path / "dot.png")
    assert added.code == 0
    bill, dot = map(json.loads, added.out.splitlines())
    assert (bill["name"], bill["media_type"], dot["size"]) == ("bill.pdf", "application/pdf", len(PNG))
    listed = aloi("attachments", "list", "--search", "BILL").out
    assert "bill.pdf" in listed
    assert "dot.png" not in listed
    assert aloi("attachments", "delete", bill["hash"][:8]).out == "The file bill.pdf is deleted.\n"
    assert "bill.pdf" not in aloi("attachments", "list", "--unused").out


def test_what_is_not_taken(aloi: Aloi, tmp_path: Path) -> None:
    (tmp_path / "dot.png").write_bytes(SVG)
    ended = aloi("attachments", "add", tmp_path / "dot.png")
    assert ended.code == 2
    assert "named like a PNG image" in ended.err
    ended = aloi("attachments", "delete", "abc")
    assert ended.code == 2
    assert "there is no file 'abc'" in ended.err
