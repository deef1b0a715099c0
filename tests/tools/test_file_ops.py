"""Files in the workspace, and no way out of it."""

import os
import shutil
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from aloi.core.errors import ToolFailure
from aloi.core.tool import ToolContext
from aloi.tools.file_ops import MAX_ENTRIES, FileOps, FileOpsInput

SECRET = "the secret outside"


async def do(ctx: ToolContext, action: str, path: str = ".", content: str | None = None) -> JsonValue:
    # Built without validation, as a careless caller might: the tool itself must hold.
    arguments = FileOpsInput.model_construct(action=action, path=path, content=content)
    return await FileOps(max_bytes=100).call(arguments, ctx)


def text_of(file: Path) -> str:
    return file.read_text()


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.fixture
def root(ctx: ToolContext) -> Path:
    return Path(ctx.workspace)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret.txt"
    file.write_text(SECRET)
    return file


async def test_write_read_append_list_delete(ctx: ToolContext, root: Path) -> None:
    assert await do(ctx, "write", "notes/a.txt", "héllo") == {"bytes": 6}
    assert await do(ctx, "append", "notes/a.txt", "!") == {"bytes": 7}
    assert await do(ctx, "append", "notes/new.txt", "x") == {"bytes": 1}
    assert await do(ctx, "read", "./notes//a.txt") == {"content": "héllo!"}
    assert (root / "notes/a.txt").read_text() == "héllo!"
    assert await do(ctx, "list", "notes") == {
        "entries": [
            {"name": "a.txt", "type": "file", "bytes": 7},
            {"name": "new.txt", "type": "file", "bytes": 1},
        ]
    }
    assert await do(ctx, "delete", "notes/a.txt") == {"deleted": "notes/a.txt"}
    await do(ctx, "delete", "notes/new.txt")
    await do(ctx, "delete", "notes")
    assert await do(ctx, "list") == {"entries": []}


async def test_write_replaces_longer_text(ctx: ToolContext) -> None:
    await do(ctx, "write", "a", "long text")
    await do(ctx, "write", "a", "x")
    assert await do(ctx, "read", "a") == {"content": "x"}


@pytest.mark.parametrize("action", ["read", "write", "append", "list", "delete"])
@pytest.mark.parametrize(
    "path", ["../secret.txt", "a/../../secret.txt", "..", "a/..", "/etc/passwd", "//x", "\0", "..\\x"]
)
async def test_paths_that_leave(ctx: ToolContext, secret: Path, action: str, path: str) -> None:
    with pytest.raises(ToolFailure, match=r"leads out|absolute|NUL or a backslash"):
        await do(ctx, action, path, "x")
    assert text_of(secret) == SECRET


@pytest.mark.parametrize("action", ["read", "write", "append", "list", "delete"])
async def test_links_are_refused(ctx: ToolContext, root: Path, secret: Path, action: str) -> None:
    (root / "file").symlink_to(secret)
    (root / "relative").symlink_to("../secret.txt")
    (root / "folder").symlink_to(secret.parent)
    (root / "dangling").symlink_to(secret.parent / "made-by-the-test")
    for path in ("file", "relative", "folder", "folder/secret.txt", "folder/workspace/x/y", "dangling"):
        with pytest.raises(ToolFailure, match=r"link|not a file"):
            await do(ctx, action, path, "overwritten")
    assert text_of(secret) == SECRET
    assert names_in(secret.parent) == ["secret.txt", "workspace"]
    assert names_in(root) == ["dangling", "file", "folder", "relative"]


async def test_links_are_listed_as_other(ctx: ToolContext, root: Path, secret: Path) -> None:
    (root / "file").symlink_to(secret)
    size = len(str(secret))
    assert await do(ctx, "list") == {"entries": [{"name": "file", "type": "other", "bytes": size}]}


async def test_a_folder_that_turns_into_a_link_meanwhile(ctx: ToolContext, root: Path, tmp_path: Path) -> None:
    """Another thread keeps swapping the folder for a link to the outside; no write ever lands there."""
    outside = tmp_path / "outside"
    outside.mkdir()
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            with suppress(OSError):
                (root / "d").symlink_to(outside)
                (root / "d").unlink()
            shutil.rmtree(root / "d", ignore_errors=True)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for _ in range(300):
            with suppress(ToolFailure):
                await do(ctx, "write", "d/x", "escaped")
    finally:
        stop.set()
        swapper.join()
    assert names_in(outside) == []


async def test_pipes_and_folders_are_no_files(ctx: ToolContext, root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "folder").mkdir()
    for path in ("pipe", "folder"):
        for action in ("read", "write", "append"):
            with pytest.raises(ToolFailure):
                await do(ctx, action, path, "x")
    with pytest.raises(ToolFailure, match="not a file"):
        await do(ctx, "delete", "pipe")


async def test_sizes_are_bounded(ctx: ToolContext, root: Path) -> None:
    with pytest.raises(ToolFailure, match="101 bytes; at most 100"):
        await do(ctx, "write", "a", "x" * 101)
    await do(ctx, "write", "a", "x" * 100)
    with pytest.raises(ToolFailure, match="101 bytes; at most 100"):
        await do(ctx, "append", "a", "x")
    assert (root / "a").read_text() == "x" * 100
    (root / "big").write_text("x" * 101)
    with pytest.raises(ToolFailure, match="101 bytes; at most 100"):
        await do(ctx, "read", "big")


async def test_a_refused_write_keeps_the_old_text(ctx: ToolContext) -> None:
    await do(ctx, "write", "a", "old")
    with pytest.raises(ToolFailure):
        await do(ctx, "write", "a", "x" * 101)
    assert await do(ctx, "read", "a") == {"content": "old"}


async def test_a_crowded_folder(ctx: ToolContext, root: Path) -> None:
    for number in range(MAX_ENTRIES + 1):
        (root / str(number)).touch()
    with pytest.raises(ToolFailure, match="1001 entries"):
        await do(ctx, "list")


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        ("a", "x\0y", "content holds a NUL"),
        ("a", "\ud800", "content holds a lone surrogate"),
        ("a", None, "needs content"),
        ("\udfff", "x", "lone surrogate"),
        (".", "x", "workspace itself"),
        ("n" * 300, "x", "too long"),
    ],
)
async def test_unusable_arguments(ctx: ToolContext, root: Path, path: str, content: str | None, reason: str) -> None:
    with pytest.raises(ToolFailure, match=reason):
        await do(ctx, "write", path, content)
    assert names_in(root) == []


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a\0b"])
async def test_only_text_is_read(ctx: ToolContext, root: Path, data: bytes) -> None:
    (root / "a").write_bytes(data)
    with pytest.raises(ToolFailure, match="only text"):
        await do(ctx, "read", "a")


async def test_missing_file_tells_no_absolute_path(ctx: ToolContext) -> None:
    with pytest.raises(ToolFailure, match="does not exist") as caught:
        await do(ctx, "read", "nothing/here.txt")
    assert ctx.workspace not in str(caught.value)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(path=st.text(alphabet="a./\\\0é~*", max_size=12), text=st.text(max_size=20))
async def test_nothing_is_ever_made_outside(ctx: ToolContext, path: str, text: str) -> None:
    outside = Path(ctx.workspace).parent
    try:
        await do(ctx, "write", path, text)
        assert await do(ctx, "read", path) == {"content": text}
        await do(ctx, "delete", path)
    except ToolFailure:
        pass
    assert names_in(outside) == ["workspace"]
