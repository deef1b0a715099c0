"""Definitions as people write them: YAML or JSON, read with the line of everything, and checked."""

import re
from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

from aloi.core.definition_check import DefinitionCheck, StepOutline, TextFault
from aloi.core.errors import AloiError, InvalidInput, NotFound
from aloi.core.flow.graph import flow_of
from aloi.core.json_values import storable
from aloi.core.misfit import Misfit, Misplaced, pointer
from aloi.core.spec import JsonObject
from aloi.core.step import Flow, Step
from aloi.core.target import Target
from aloi.plugins import build, has_kind, kinds, module
from aloi.service.checks import spec_faults
from aloi.service.context import Context
from aloi.service.files.faults import FieldPath, path_text
from aloi.service.suites.document import Document
from aloi.service.suites.json_document import read_json_document
from aloi.service.targets import defined

NAME = "definition"
PLACE = re.compile(rf"^{NAME}:(\d+):(?:\d+:)? ?(.*)$", re.DOTALL)
SURROGATE = re.compile("[\ud800-\udfff]")
WORKFLOW = "workflow"


def read_definition(text: str, name: str) -> Document:
    """The value of a definition in YAML or JSON, with the line of every part.

    Raises:
        InvalidInput: `NAME:3: ...`: it is neither, or no mapping.
    """
    if half := SURROGATE.search(text):
        line = text.count("\n", 0, half.start()) + 1
        raise InvalidInput(f"{name}:{line}: it holds half of a character (a lone surrogate); remove it")
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        document = read_json_document(text, name)
    else:
        found: Document = module("aloi.service.suites.yaml_document").read_yaml(text, name)
        document = found
    if not isinstance(document.value, dict):
        raise InvalidInput(f"{name}:1: a definition is a mapping of fields to values; write e.g. kind: workflow")
    return document


def target_of_text(text: str, name: str) -> Target:
    """The target that the text of a definition describes; its `kind` is written in it.

    Args:
        name: of the file, for messages.

    Raises:
        InvalidInput: `workflow.yaml:7: steps[1].template: ...`, one line per fault.
    """
    document = read_definition(text, name)
    definition = cast(JsonObject, document.value)

    def built(spec: Mapping[str, JsonValue]) -> Target:
        return build("targets", spec, Target)

    found = [_placed(fault, document) for fault in spec_faults(built, definition)]
    if found:
        found.sort(key=lambda fault: fault.line or 0)
        raise InvalidInput("\n".join(f"{name}:{fault.line}: {_in_words(fault)}" for fault in found))
    return built(definition)


def _in_words(fault: TextFault) -> str:
    where = path_text(tuple(int(part) if part.isdecimal() else part for part in fault.pointer.split("/")[1:]))
    return f"{where}: {fault.detail}" if where else fault.detail


def check(context: Context, kind: str, text: str) -> DefinitionCheck:
    """What is wrong with the text of a definition of a kind; nothing is saved.

    Raises:
        NotFound: there is no such kind.
    """
    if not has_kind("targets", kind):
        raise NotFound(f"there is no kind {kind!r} of targets; the kinds are: {', '.join(kinds('targets'))}")
    try:
        document = read_definition(text, NAME)
    except InvalidInput as error:
        return DefinitionCheck(definition=None, faults=(_of_text(str(error)),), steps=())
    written = cast(JsonObject, document.value)
    definition = {"kind": kind, **written}
    faults = _faults(context, definition, document, kind)
    shown = storable(written)  # half a pair of surrogates, which is among the faults, can be written to nobody
    steps = _outlines(shown) if kind == WORKFLOW else ()
    return DefinitionCheck(definition=shown, faults=faults, steps=steps)


def _of_text(message: str) -> TextFault:
    found = PLACE.match(storable(message))
    if found is None:
        return TextFault(line=None, pointer="", detail=storable(message.removeprefix(f"{NAME}: ")))
    return TextFault(line=int(found[1]), pointer="", detail=found[2])


def _faults(context: Context, definition: JsonObject, document: Document, kind: str) -> tuple[TextFault, ...]:
    if definition["kind"] != kind:
        found = [Misplaced(f"/{NAME}/kind", f"this is a definition of kind {kind}; leave the kind out, or write it so")]
    else:
        found = _misfits(context, definition)
    placed = [_placed(fault, document) for fault in found]
    return tuple(sorted(placed, key=lambda fault: fault.line or 0))


def _misfits(context: Context, definition: JsonObject) -> list[Misplaced]:
    try:
        defined(context, definition)
    except Misfit as misfit:
        return list(misfit.faults)
    except AloiError as error:  # what is not allowed here is told as a fault of the whole
        return [Misplaced("", str(error))]
    return []


def _placed(fault: Misplaced, document: Document) -> TextFault:
    path = _path(fault.pointer.removeprefix(f"/{NAME}"), document)
    shown = document.shown(path)
    return TextFault(line=document.line_of(path), pointer=pointer(shown), detail=fault.reason)


def _path(given: str, document: Document) -> FieldPath:
    """A JSON pointer as a path, in which indices of lists are numbers."""
    path: FieldPath = ()
    for part in given.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        index = (*path, int(name)) if name.isdecimal() else path
        path = index if index in document.lines and index != path else (*path, name)
    return path


def _outlines(definition: JsonObject) -> tuple[StepOutline, ...]:
    """The steps that can be read by themselves, whatever is wrong with the others."""
    written = definition.get("steps")
    steps: dict[str, Step] = {}
    for spec in written if isinstance(written, list) else []:
        try:
            step = build("steps", spec if isinstance(spec, dict) else {}, Step)
        except InvalidInput:
            continue
        steps.setdefault(step.name, step)
    return _outlined(flow_of(tuple(steps.values())))


def _outlined(flow: Flow) -> tuple[StepOutline, ...]:
    return tuple(
        StepOutline(
            name=step.name,
            kind=step.kind,
            description=step.description,
            waits_for=flow.waits[step.name],
            when={branch: (ways,) if isinstance(ways, str) else ways for branch, ways in step.when.items()},
            inside=_outlined(inside) if (inside := step.flow()) is not None else (),
        )
        for step in flow.steps
    )
