"""Files of cases into a dataset and out of it, without holding up what else the process does.

Reading and writing them is work for a thread: the event loop goes on meanwhile.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Iterable, Iterator
from typing import NamedTuple

from pydantic import Field, JsonValue

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.dataset import MAX_SAMPLES, NAME_LENGTH, keyed_once
from aloi.core.errors import InvalidInput
from aloi.core.listing import ImportPreview, Saved
from aloi.core.misfit import Misfit, Misplaced, pointer
from aloi.core.spec import Value
from aloi.service import datasets
from aloi.service.accounts.narrowed import refuse_change
from aloi.service.checks import Build, checked, refuse, spec_faults
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.evaluators import evaluator_builder
from aloi.service.files import READ, SUFFIXES, CasesFormat, write_cases
from aloi.service.files.json_text import read_json
from aloi.store import cases as stored_cases
from aloi.store import datasets as stored

SHOWN = 5
PIECE = 64 * 1024
PAUSE = 200
# `cases.csv:7: column tags: ...`, `cases.json:7:12: ...`
PLACE = re.compile(r":(?P<line>\d+)(?::(?P<column>\d+))?: (?:column (?P<name>[^:]+): )?(?P<reason>.*)", re.DOTALL)


class _Read(NamedTuple):
    """What a file holds."""

    cases: list[Case]
    unknown_columns: tuple[str, ...]


class DatasetUpload(Value):
    """A dataset as a program sends it; see `Client.save_dataset`. The cases are read one by one."""

    name: str = Field(min_length=1, max_length=NAME_LENGTH)
    bindings: tuple[Binding, ...] | None = None
    judge_samples: int | None = Field(default=None, ge=1, le=MAX_SAMPLES)
    replace: bool = False


async def import_file(context: Context, dataset_id: str, content: bytes, name: str, replace: bool = False) -> Saved:
    """Take the cases of a file into a dataset: matched by key, all or nothing.

    Args:
        content: of the file; its format is told by the name, else seen from the content.
        replace: cases that the file does not hold go.

    Raises:
        Misfit: the file cannot be used; line and column are told.
        NotPermitted: an evaluator runs code, which the operator does not allow.
        NotFound: there is no such dataset.
    """
    await datasets.read(context, dataset_id)
    found = await _read_aside(context, content, name)
    async with context.database.transaction() as tx:
        dataset = await stored.hold_by_id(tx, dataset_id)
        await refuse_change(context, tx, dataset)
        saved = await datasets.write_cases(context, tx, dataset, _each(found.cases), replace)
        await stored.touch(tx, dataset.id, now())
    return saved.model_copy(update={"unknown_columns": found.unknown_columns})


async def preview(context: Context, dataset_id: str, content: bytes, name: str, replace: bool = False) -> ImportPreview:
    """What `import_file` would do; nothing is stored.

    Raises:
        Misfit, NotPermitted, NotFound: as `import_file`.
    """
    await datasets.read(context, dataset_id)
    found = await _read_aside(context, content, name)
    given = {case.key: case for case in found.cases}
    present = unchanged = 0
    others = 0
    async with context.database.read() as rx:
        dataset = await stored.by_id(rx, dataset_id)
        async for case in stored_cases.every(rx, dataset.id):
            new = given.get(case.key)
            present += new is not None
            others += new is None
            unchanged += new is not None and new.model_copy(update={"id": case.id, "source": case.source}) == case
    return ImportPreview(
        given=len(given),
        new=len(given) - present,
        changed=present - unchanged,
        unchanged=unchanged,
        removed=others if replace else 0,
        unknown_columns=found.unknown_columns,
        cases=tuple(found.cases[:SHOWN]),
    )


async def _read_aside(context: Context, content: bytes, name: str) -> _Read:
    return await asyncio.to_thread(_read, content, name, evaluator_builder(context.settings.allow_code))


def _read(content: bytes, name: str, build: Build) -> _Read:
    try:
        file = READ[format_of(content, name)](content, name)
        found = list(keyed_once(file.cases))
    except InvalidInput as error:
        raise Misfit([_placed(str(error), name)]) from error
    for number, case in enumerate(found, start=1):
        for index, binding in enumerate(case.evaluators):
            faults = spec_faults(build, binding.spec, ("evaluators", index))
            refuse([Misplaced(f"case {number} ({case.key}): {fault.pointer}", fault.reason) for fault in faults])
    return _Read(found, file.unknown_columns)


def _placed(message: str, name: str) -> Misplaced:
    """The line and the column that the message of a reader names."""
    found = PLACE.match(message.removeprefix(name))
    if found is None:
        return Misplaced(name, message.removeprefix(f"{name}: "))
    column = found["name"] or found["column"]
    return Misplaced(f"line {found['line']}" + (f", column {column}" if column else ""), found["reason"])


def format_of(content: bytes, name: str) -> CasesFormat:
    """The format that a file's name ends in; where it ends in none, the one that its content looks like."""
    suffix = "." + name.rpartition(".")[2].lower()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    start = content[:PIECE].removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"["):
        return "json"
    if not start.startswith(b"{"):
        return "csv"
    return "jsonl" if _is_json(start.splitlines()[0]) and b"\n" in content.strip() else "json"


def _is_json(line: bytes) -> bool:
    try:
        read_json(line.decode())
    except ValueError:
        return False
    return True


async def save_upload(context: Context, body: bytes) -> Saved:
    """Make or change a dataset as a program sends it: see `Client.save_dataset`.

    Args:
        body: JSON, the fields of `DatasetUpload` with the list `cases`.

    Raises:
        Misfit: it does not fit; each place is told.
        NotPermitted: an evaluator runs code, which the operator does not allow.
    """
    upload, cases = await asyncio.to_thread(_upload, body, evaluator_builder(context.settings.allow_code))
    return await datasets.save(
        context, upload.name, _each(cases), upload.bindings, upload.judge_samples, upload.replace
    )


def _upload(body: bytes, build: Build) -> tuple[DatasetUpload, list[Case]]:
    try:
        fields = read_json(body.decode())
    except ValueError as error:
        raise Misfit([Misplaced("", f"the body is not JSON: {error}")]) from error
    if not isinstance(fields, dict):
        raise Misfit([Misplaced("", "the body must be an object with a name and cases")])
    given = fields.pop("cases", None)
    upload = checked(DatasetUpload, fields)
    if not isinstance(given, list):
        raise Misfit([Misplaced("/cases", "must be a list of cases")])
    faults = [
        fault
        for index, binding in enumerate(upload.bindings or ())
        if binding.evaluator_id is None
        for fault in spec_faults(build, binding.spec, ("bindings", index))
    ]
    refuse(faults)
    return upload, [_uploaded(item, index) for index, item in enumerate(given)]


def _uploaded(fields: JsonValue, index: int) -> Case:
    if not isinstance(fields, dict):
        raise Misfit([Misplaced(pointer(("cases", index)), "must be an object")])
    return checked(Case, fields, ("cases", index))


async def _each(cases: Iterable[Case]) -> AsyncGenerator[Case]:
    """The cases one by one, with a breath for others now and then."""
    for number, case in enumerate(cases):
        if number % PAUSE == 0:
            await asyncio.sleep(0)
        yield case


async def export(context: Context, dataset_id: str, form: CasesFormat) -> tuple[str, AsyncGenerator[str]]:
    """The name of a dataset, and its cases as `import_file` takes them, in pieces.

    They are read before the first piece goes out, so that a slow reader keeps no snapshot of the database open.

    Raises:
        NotFound: there is no such dataset.
    """
    async with context.database.read() as rx:
        dataset = await stored.by_id(rx, dataset_id)
        found = [case async for case in stored_cases.every(rx, dataset.id)]
    return dataset.name, _pieces(write_cases(found, form))


async def _pieces(texts: Iterator[str]) -> AsyncGenerator[str]:
    while piece := await asyncio.to_thread(_piece, texts):
        yield piece


def _piece(texts: Iterator[str]) -> str:
    """The next few texts; empty at the end."""
    piece: list[str] = []
    size = 0
    for text in texts:
        piece.append(text)
        size += len(text)
        if size >= PIECE:
            break
    return "".join(piece)
