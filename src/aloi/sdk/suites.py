"""Suite files and files of cases, from Python and the command line."""

from collections.abc import AsyncIterator, Iterable
from itertools import chain
from pathlib import Path

from aloi.client import Client
from aloi.core.case import Case
from aloi.core.dataset import keyed_once
from aloi.core.errors import Conflict, InvalidInput
from aloi.core.listing import Saved
from aloi.core.run import Run, RunRequest, TargetVersion
from aloi.core.target import Target
from aloi.plugins import build, module
from aloi.service.files import CasesFormat, read_cases, write_cases
from aloi.service.suites.local_files import read_file
from aloi.service.suites.suite import Suite, load_suite

CASES_FORMATS: tuple[CasesFormat, ...] = ("csv", "json", "jsonl")


def open_suite(path: Path) -> Suite:
    """The suite of a YAML or JSON file.

    Raises:
        InvalidInput: it does not fit; one line per fault, with the file, the line, the field and the mend.
    """
    return load_suite(path)


def unknown_columns(suite: Suite, folder: Path) -> tuple[str, ...]:
    """The columns of the suite's dataset file that no field of a case takes, and which are left out.

    Raises:
        InvalidInput: the file cannot be read.
    """
    return read_cases(folder / suite.dataset).unknown_columns if suite.dataset else ()


async def start_suite(
    client: Client,
    suite: Suite,
    folder: Path,
    *,
    case_keys: tuple[str, ...] | None = None,
    tags: tuple[str, ...] = (),
    allow_side_effects: bool = False,
) -> Run:
    """Save what a suite names and start its run: the dataset of its name then holds exactly its cases.

    Args:
        folder: where the dataset's path starts from.
        case_keys: the cases that run; null for all.
        allow_side_effects: let what changes the world act for real where it is not simulated.

    Raises:
        InvalidInput: a case, or what grades it, cannot be used; nothing was run.
    """
    await _send_files(client, suite)
    version = await _version(client, suite, folder)
    from_file = read_cases(folder / suite.dataset).cases if suite.dataset else ()
    cases = each(keyed_once(chain(from_file, suite.cases)))
    request = RunRequest(
        target_version_id=version.id,
        dataset=suite.name,
        judge=suite.judge,
        limits=suite.run,
        case_keys=case_keys,
        tags=tags,
        allow_side_effects=allow_side_effects,
    )
    samples = suite.judge.samples if suite.judge else None
    return await client.start_with(request, cases, suite.evaluators, samples, suite.simulations)


async def _send_files(client: Client, suite: Suite) -> None:
    """Send the files of this machine that the cases name.

    Raises:
        InvalidInput: one changed since the suite was read.
    """
    for file_hash, path in suite.local_files.items():
        sent = await client.add_attachment(path.name, read_file(path))
        if sent.hash != file_hash:
            raise InvalidInput(f"the file {path} changed since the suite was read; run it again")


async def _version(client: Client, suite: Suite, folder: Path) -> TargetVersion:
    """The saved target that the suite names, or its own under the suite's name."""
    if isinstance(suite.target, str):
        return await client.target_version(suite.target)
    return await saved_target(client, suite.name, build("targets", suite.target, Target).resolved(str(folder)))


async def saved_target(client: Client, name: str, target: Target) -> TargetVersion:
    """The version with this definition under a name; where that belongs to another kind, under `name (kind)`."""
    try:
        return await client.save_target(name, target)
    except Conflict:
        # A target keeps its kind.
        return await client.save_target(f"{name} ({target.kind})", target)


def target_of(text: str, name: str) -> Target:
    """The target that the text of a definition, YAML or JSON, describes; files are looked for from the current folder.

    Args:
        name: what the text is called in messages, e.g. its file.

    Raises:
        InvalidInput: `NAME:7: steps[1].template: ...`, one line per fault.
    """
    # Imported when it is wanted: `aloi run` reads no definition apart from its suite's.
    found: Target = module("aloi.service.suites.definitions").target_of_text(text, name)
    return found.resolved(str(Path.cwd()))


async def import_file(client: Client, dataset: str, path: Path, replace: bool = False) -> Saved:
    """Take the cases of a CSV, JSON or JSONL file into a dataset; all or nothing.

    Raises:
        InvalidInput: the file cannot be used; the message names the line and the column.
    """
    file = read_cases(path)
    saved = await client.save_dataset(dataset, each(keyed_once(file.cases)), replace=replace)
    return saved.model_copy(update={"unknown_columns": file.unknown_columns})


async def export_cases(client: Client, dataset: str, format_name: str) -> AsyncIterator[str]:
    """The cases of a dataset as `csv`, `json` or `jsonl`, in pieces; `import_file` takes them back.

    Raises:
        InvalidInput: there is no such format.
    """
    if format_name not in CASES_FORMATS:
        raise InvalidInput(f"there is no format {format_name!r} for cases; the formats are: {', '.join(CASES_FORMATS)}")
    cases = [case async for case in client.cases(dataset)]
    for piece in write_cases(cases, next(known for known in CASES_FORMATS if known == format_name)):
        yield piece


async def each(cases: Iterable[Case]) -> AsyncIterator[Case]:
    """The cases one by one, as a client takes them."""
    for case in cases:
        yield case
