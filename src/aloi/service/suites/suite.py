"""The suite file: a target, the cases, how they are graded and run, and the gate, in one YAML (or JSON) file."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from pydantic import Field, JsonValue, PrivateAttr, ValidationError

from aloi.core.binding import Binding, unique_names
from aloi.core.case import Case
from aloi.core.dataset import NAME_LENGTH
from aloi.core.errors import InvalidInput
from aloi.core.evaluator import Evaluator
from aloi.core.gate import GatePolicy
from aloi.core.run import JudgeSpec, RunLimits
from aloi.core.simulation import Simulations
from aloi.core.spec import JsonObject, Spec, Value
from aloi.core.target import Target
from aloi.plugins import build, has_kind, kinds, load, module
from aloi.service.files.case_fields import case_of, unfit_texts
from aloi.service.files.faults import MAPPING, Fault, Faulty, FieldPath, fault_line, faults_of
from aloi.service.files.text import open_text
from aloi.service.suites.document import Document
from aloi.service.suites.json_document import read_json_document
from aloi.service.suites.local_files import LocalFiles

MAX_BYTES = 16 * 1024 * 1024
TARGET_FORM = "must be a mapping with a kind, or the name of a saved target such as support-agent@3"

K = TypeVar("K", bound=Spec)


class Suite(Value):
    """What a suite file says.

    The cases of `dataset` come before the inline `cases`. Specs are kept as written; each fits its kind. A file that an
    inline case names by its path stands on it by its hash, and its path in `local_files`.
    """

    name: str = Field(min_length=1, max_length=NAME_LENGTH, description="Default: the name of the file.")
    target: str | JsonObject = Field(description="A target's spec, or the name of a saved one: `support-agent@3`.")
    judge: JudgeSpec | None = Field(default=None, description="The model that grades, and how often it is asked.")
    evaluators: tuple[Binding, ...] = Field(default=(), description="Bound to every case.")
    dataset: str | None = Field(
        default=None, min_length=1, description="A CSV, JSON or JSONL file of cases; its path from the suite file."
    )
    cases: tuple[Case, ...] = Field(default=(), description="Cases written here.")
    simulations: Simulations = Field(
        default_factory=dict,
        description="Per tool or step: what stands in for it; a case may have its own.",
    )
    run: RunLimits = Field(default_factory=RunLimits, description="How the run is carried out.")
    gate: GatePolicy | None = Field(default=None, description="The pass rate that decides the exit code.")
    _local_files: Mapping[str, Path] = PrivateAttr(default_factory=dict[str, Path])

    @property
    def local_files(self) -> Mapping[str, Path]:
        """The paths of the files of this machine that its cases name, by the hashes of their contents."""
        return self._local_files

    def with_cases(self, cases: tuple[Case, ...], local_files: Mapping[str, Path]) -> "Suite":
        """The same suite with these cases."""
        suite = self.model_copy(update={"cases": cases})
        suite._local_files = local_files
        return suite


KNOWN: Mapping[FieldPath, tuple[str, ...]] = {
    (): tuple(Suite.model_fields),
    ("judge",): tuple(JudgeSpec.model_fields),
    ("run",): tuple(RunLimits.model_fields),
    ("gate",): tuple(GatePolicy.model_fields),
}


def load_suite(path: Path) -> Suite:
    """The suite of a file.

    Raises:
        InvalidInput: it cannot be read or does not fit; one line per fault: `suite.yaml:14: judge.samples: must be at
            most 5`.
    """
    with open_text(path, path.name, MAX_BYTES) as stream:
        text = stream.read()
    return parse_suite(text, path.name, path.parent)


def parse_suite(text: str, name: str, folder: Path | None = None) -> Suite:
    """The suite of a YAML text (JSON when the name ends in `.json`).

    Args:
        text: the file's content.
        name: what to call it in messages; a suite without a name takes it, less its ending.
        folder: where the paths of the dataset and of files start from; null leaves unchecked whether they are there.

    Raises:
        InvalidInput: as `load_suite`.
    """
    if not text.strip():
        raise InvalidInput(f"{name}: the file is empty; a suite has at least a target and cases")
    document = _document(text, name)
    given = document.value
    if not isinstance(given, dict):
        raise InvalidInput(f"{name}:1: a suite {MAPPING}, e.g. `target: ...` and `cases: ...`")
    fields: JsonObject = {"name": Path(name).stem, **{key: value for key, value in given.items() if value is not None}}
    faults = unfit_texts({key: value for key, value in fields.items() if key != "cases"})
    files = LocalFiles(folder)
    cases = _cases(fields.pop("cases", []), faults, files)
    suite = _suite(fields, faults)
    if suite is not None:
        suite = suite.with_cases(cases, files.found)
        faults += [*_target_faults(suite), *_evaluator_faults(suite), *_dataset_faults(suite, folder)]
    if faults or suite is None:
        raise InvalidInput(_report(faults, document, name))
    return suite


def _document(text: str, name: str) -> Document:
    """What the text holds. The reader of YAML is imported only for YAML."""
    if name.lower().endswith(".json"):
        return read_json_document(text, name)
    document: Document = module("aloi.service.suites.yaml_document").read_yaml(text, name)
    return document


def _suite(fields: JsonObject, faults: list[Fault]) -> Suite | None:
    try:
        return Suite.model_validate(fields)
    except ValidationError as error:
        found = faults_of(error, KNOWN)
        faults += [fault for fault in found if fault.path[:1] != ("target",) or len(fault.path) == 1]
        if any(fault.path[:1] == ("target",) and len(fault.path) > 1 for fault in found):
            faults.append(Fault(("target",), TARGET_FORM))
        return None


def _cases(given: JsonValue, faults: list[Fault], files: LocalFiles) -> tuple[Case, ...]:
    if not isinstance(given, list):
        faults.append(Fault(("cases",), "must be a list"))
        return ()
    cases: list[Case] = []
    keys: dict[str, int] = {}
    for index, fields in enumerate(given):
        try:
            if not isinstance(fields, dict):
                raise Faulty(Fault((), MAPPING))
            case = case_of(files.resolved(fields, ("cases", index), faults))
        except Faulty as error:
            faults += [Fault(("cases", index, *fault.path), fault.text) for fault in error.faults]
            continue
        if fields.get("key") and keys.setdefault(case.key, index) != index:
            faults.append(Fault(("cases", index, "key"), f"{case.key!r} is already the key of cases[{keys[case.key]}]"))
        cases.append(case)
    return tuple(cases)


def _target_faults(suite: Suite) -> Iterator[Fault]:
    if isinstance(suite.target, dict):
        yield from _spec_faults("targets", suite.target, Target, ("target",))
    elif not suite.target.strip():
        yield Fault(("target",), TARGET_FORM)


def _evaluator_faults(suite: Suite) -> Iterator[Fault]:
    """Faults of the evaluators' specs, bound and inline, and of the cases' criteria, which replace values in them."""
    unsound: set[str] = set()
    bound = {binding.name: binding for binding in unique_names(suite.evaluators)}
    for index, binding in enumerate(bound.values()):
        found = _spec_faults("evaluators", binding.spec, Evaluator, ("evaluators", index))
        unsound |= {binding.name} if found else set()
        yield from found
    for index, case in enumerate(suite.cases):
        for position, binding in enumerate(case.evaluators):
            yield from _spec_faults("evaluators", binding.spec, Evaluator, ("cases", index, "evaluators", position))
        for name, values in case.criteria.items():
            path = ("cases", index, "criteria", name)
            if name not in bound:
                names = ", ".join(bound) or "none"
                yield Fault(path, f"no evaluator of that name is bound; those bound are: {names}")
            elif name not in unsound:
                yield from _spec_faults("evaluators", {**bound[name].spec, **values}, Evaluator, path)


def _spec_faults(family: str, spec: JsonObject, base: type[K], path: FieldPath) -> list[Fault]:
    kind = str(spec.get("kind", ""))
    if not kind:
        return [Fault((*path, "kind"), f"is missing; the kinds are: {', '.join(kinds(family))}")]
    if not has_kind(family, kind):
        near = get_close_matches(kind, kinds(family), 1)
        mend = f"did you mean {near[0]}?" if near else f"the kinds are: {', '.join(kinds(family))}"
        return [Fault((*path, "kind"), f"there is no kind {kind!r}; {mend}")]
    try:
        build(family, spec, base)
    except InvalidInput as error:
        if not isinstance(error.__cause__, ValidationError):
            return [Fault(path, str(error))]
        fields = load(family, kind, base).model_fields
        known = [field.alias or name for name, field in fields.items()]
        found = faults_of(error.__cause__, {(): known})
        return [Fault((*path, *fault.path), fault.text) for fault in found]
    return []


def _dataset_faults(suite: Suite, folder: Path | None) -> Iterator[Fault]:
    if suite.dataset and folder is not None and not (folder / suite.dataset).is_file():
        yield Fault(("dataset",), f"there is no file {folder / suite.dataset}; the path starts from the suite's folder")


def _report(faults: list[Fault], document: Document, name: str) -> str:
    """One line per fault, in the order of the file."""
    placed = [(document.line_of(fault.path), Fault(document.shown(fault.path), fault.text)) for fault in faults]
    lines = [f"{name}:{line}: {fault_line(fault)}" for line, fault in sorted(placed, key=lambda item: item[0])]
    return "\n".join(dict.fromkeys(lines))
