"""What an editor is told of a definition that somebody writes."""

from aloi.core.spec import JsonObject, Value


class DefinitionText(Value):
    """A definition as YAML or JSON."""

    text: str


class TextFault(Value):
    """One fault: the line of the text (from 1), the JSON pointer of the place, and the reason with the mend.

    `line` is null, and the pointer empty, where the text as a whole cannot be read and no line is to blame.
    """

    line: int | None
    pointer: str
    detail: str


class StepOutline(Value):
    """A step as a picture shows it. `waits_for`: every step that must be over before it; `inside`: those of a map."""

    name: str
    kind: str
    description: str
    waits_for: tuple[str, ...]
    when: dict[str, tuple[str, ...]]
    inside: tuple["StepOutline", ...]


class DefinitionCheck(Value):
    """What is wrong with a definition, in the order of its text, and what could be read of it.

    `definition` is null when the text is neither YAML nor JSON of an object. `steps`: of a workflow, those that can be
    read, faults or not; empty for other kinds.
    """

    definition: JsonObject | None
    faults: tuple[TextFault, ...]
    steps: tuple[StepOutline, ...]
