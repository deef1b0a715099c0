"""`file_ops`: text files inside the case's own workspace, and nowhere else.

Every step of a path is opened relative to the folder before it and without following links (`openat` with
`O_NOFOLLOW`), so a link that is put there between a check and its use is refused by the kernel. POSIX only.
"""

import asyncio
import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from typing import ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from aloi.core.errors import ToolFailure
from aloi.core.spec import JsonObject
from aloi.core.tool import Tool, ToolContext, object_schema

MAX_ENTRIES = 1000
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: opening a pipe must not wait for its other end.
FILE = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class FileOpsInput(BaseModel):
    """Arguments of `file_ops`."""

    model_config = ConfigDict(extra="forbid")

    action: Literal["read", "write", "append", "list", "delete"] = Field(
        description="`read` a file; `write` it anew or `append` to it (folders are made as needed); `list` a folder; "
        "`delete` a file or an empty folder."
    )
    path: str = Field(
        default=".",
        description="Relative to the workspace, with / between folders, e.g. `notes/plan.txt`. `.` is the workspace.",
        max_length=1024,
    )
    content: str | None = Field(default=None, description="The text for `write` and `append`.")


TEXT: JsonObject = {"type": "string"}
SIZE: JsonObject = {"type": "integer", "minimum": 0}
ENTRY = object_schema(name=TEXT, type={"enum": ["file", "folder", "other"]}, bytes=SIZE)


class FileOps(Tool):
    """Read, write, append to, list and delete UTF-8 text files in the workspace."""

    kind: ClassVar[str] = "file_ops"
    Input = FileOpsInput
    Output: ClassVar[JsonObject | None] = {
        "anyOf": [
            object_schema(content=TEXT),
            object_schema(bytes=SIZE),
            object_schema(entries={"type": "array", "items": ENTRY}),
            object_schema(deleted=TEXT),
        ]
    }

    max_bytes: int = Field(default=1_000_000, gt=0, description="Largest file that may be read or written, in bytes.")

    async def call(self, arguments: FileOpsInput, ctx: ToolContext) -> JsonValue:
        """`read`: `{"content"}`; `write`, `append`: `{"bytes"}`, the file's size; `list`: `{"entries": [{"name",
        "type", "bytes"}]}` by name; `delete`: `{"deleted"}`.

        Raises:
            ToolFailure: the path leaves the workspace or passes a link, the file is missing, too large or not text.
        """
        return await asyncio.to_thread(self._run, ctx.workspace, arguments)

    def _run(self, workspace: str, arguments: FileOpsInput) -> JsonValue:
        parts = _parts(arguments.path)
        try:
            if arguments.action == "list":
                return _list(workspace, parts)
            if not parts:
                raise ToolFailure(f"cannot {arguments.action} the workspace itself; name a file in it")
            if arguments.action == "read":
                return self._read(workspace, parts)
            if arguments.action == "delete":
                return _delete(workspace, parts)
            return self._write(workspace, parts, _data(arguments), append=arguments.action == "append")
        except OSError as exc:
            raise ToolFailure(f"cannot {arguments.action} {arguments.path!r}: {_reason(exc)}") from None

    def _read(self, workspace: str, parts: list[str]) -> JsonValue:
        with _folder(workspace, parts[:-1]) as folder, _file(folder, parts[-1], os.O_RDONLY) as fd:
            size = os.fstat(fd).st_size
            if size > self.max_bytes:
                raise ToolFailure(f"{'/'.join(parts)!r} has {size} bytes; at most {self.max_bytes} can be read")
            return {"content": _text(_read_up_to(fd, self.max_bytes), "/".join(parts))}

    def _write(self, workspace: str, parts: list[str], data: bytes, *, append: bool) -> JsonValue:
        with (
            _folder(workspace, parts[:-1], create=True) as folder,
            _file(folder, parts[-1], os.O_WRONLY | os.O_CREAT) as fd,
        ):
            start = os.fstat(fd).st_size if append else 0
            if start + len(data) > self.max_bytes:
                raise ToolFailure(
                    f"{'/'.join(parts)!r} would have {start + len(data)} bytes; at most {self.max_bytes} are allowed"
                )
            os.ftruncate(fd, start)
            os.lseek(fd, start, os.SEEK_SET)
            _write_all(fd, data)
            return {"bytes": start + len(data)}


def _parts(path: str) -> list[str]:
    """The path's names, checked; an empty list is the workspace itself."""
    if path.startswith("/"):
        raise ToolFailure(f"{path!r} is absolute; give a path relative to the workspace")
    if "\0" in path or "\\" in path:
        raise ToolFailure(f"{path!r} holds a NUL or a backslash; put / between folders")
    if not _encodable(path):
        raise ToolFailure(f"{path!r} holds a lone surrogate; use valid Unicode")
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise ToolFailure(f"{path!r} leads out of the workspace; .. is not allowed")
    return parts


def _data(arguments: FileOpsInput) -> bytes:
    """The content as the bytes to write."""
    if arguments.content is None:
        raise ToolFailure(f"{arguments.action} needs content; give the text to write")
    if "\0" in arguments.content:
        raise ToolFailure("the content holds a NUL; only text can be written")
    if not _encodable(arguments.content):
        raise ToolFailure("the content holds a lone surrogate; use valid Unicode")
    return arguments.content.encode()


def _encodable(text: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in text)


@contextmanager
def _folder(workspace: str, parts: list[str], *, create: bool = False) -> Generator[int]:
    """An open descriptor of the folder `parts` under the workspace; no step follows a link."""
    # The workspace is the operator's own path, which may pass a link (a temporary folder often does).
    fd = os.open(workspace, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts:
            if create:
                _make_folder(part, fd)
            below = os.open(part, FOLDER, dir_fd=fd)
            os.close(fd)
            fd = below
        yield fd
    finally:
        os.close(fd)


def _make_folder(name: str, parent: int) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=parent)
    except FileExistsError:
        return


@contextmanager
def _file(folder: int, name: str, flags: int) -> Generator[int]:
    """An open descriptor of a regular file; links, folders, pipes and devices are refused."""
    fd = os.open(name, flags | FILE, 0o600, dir_fd=folder)
    try:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise ToolFailure(f"{name!r} is not a file")
        yield fd
    finally:
        os.close(fd)


def _list(workspace: str, parts: list[str]) -> JsonValue:
    with _folder(workspace, parts) as folder:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries)
        if len(names) > MAX_ENTRIES:
            raise ToolFailure(f"the folder has {len(names)} entries; at most {MAX_ENTRIES} can be listed")
        return {"entries": [_entry(name, folder) for name in names]}


def _entry(name: str, folder: int) -> JsonValue:
    status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    shown = name.encode(errors="surrogateescape").decode(errors="replace")
    return {"name": shown, "type": _type(status.st_mode), "bytes": status.st_size}


def _type(mode: int) -> str:
    if stat.S_ISREG(mode):
        return "file"
    return "folder" if stat.S_ISDIR(mode) else "other"


def _delete(workspace: str, parts: list[str]) -> JsonValue:
    """Remove a file or an empty folder. Neither call follows a link, so nothing outside can be removed."""
    with _folder(workspace, parts[:-1]) as folder:
        mode = os.stat(parts[-1], dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISDIR(mode):
            os.rmdir(parts[-1], dir_fd=folder)
        elif stat.S_ISREG(mode):
            os.unlink(parts[-1], dir_fd=folder)
        else:
            raise ToolFailure(f"{'/'.join(parts)!r} is not a file or a folder")
        return {"deleted": "/".join(parts)}


def _read_up_to(fd: int, limit: int) -> bytes:
    """At most `limit` bytes, even when the file grows meanwhile."""
    data = bytearray()
    while len(data) < limit and (chunk := os.read(fd, min(limit - len(data), 1 << 16))):
        data += chunk
    return bytes(data)


def _write_all(fd: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def _text(data: bytes, path: str) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError as exc:
        raise ToolFailure(f"{path!r} is not UTF-8 text (byte {exc.start}); only text files can be read") from None
    if "\0" in text:
        raise ToolFailure(f"{path!r} holds a NUL; only text files can be read")
    return text


def _reason(error: OSError) -> str:
    """The system's words without any absolute path; what it says of a link is made plain."""
    match error:
        case FileNotFoundError():
            return "it does not exist; list the folder to see what does"
        case NotADirectoryError():
            return "part of the path is a file or a link, not a folder"
        case IsADirectoryError():
            return "it is a folder"
        case _ if error.errno == errno.ELOOP:
            return "it is a link; links are not followed"
        case _:
            return (error.strerror or type(error).__name__).lower()
