"""Writes docs/reference from the code: `python docs/generate.py`. With `--check` it only fails on a difference.

What is told comes from the command tree, the kinds' schemas and the settings class, so it cannot drift from them.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

from typer.main import get_command

from aloi.cli.main import app
from aloi.cli.schema_text import parameters, properties
from aloi.cli.tree import COMMANDS, load_command
from aloi.core.evaluator import Evaluator
from aloi.core.spec import JsonObject, Spec
from aloi.core.target import Target
from aloi.core.tool import Tool
from aloi.plugins import kinds, load
from aloi.sdk import suite_schema
from aloi.settings import PREFIX, Settings

REFERENCE = Path(__file__).parent / "reference"
FIELD_HEADS = ("Field", "Type", "Default", "Meaning")
NOTE = "<!-- Made by docs/generate.py; do not edit. -->"
# What a field is for, where its schema does not say.
INTRODUCTIONS = {
    "cli": "Every command has `--help`. The [how-to guides](../README.md) show them at work.",
    "evaluators": """\
An evaluator is written as an object with its `kind`, in a suite, on a case or in Python:
`{kind: contains, text: Paris}`. Beside its own parameters each takes `name` (default: its kind) and `weight` (default
1; 0 shows the score without letting it decide). The kinds that end in `_judge` ask the
[judge](../explanation/judges.md). `aloi evaluators show KIND` prints the same.""",
    "targets": "A target is what is evaluated. It is written as an object with its `kind`.",
    "tools": """\
The `agent` target takes these tools by name, or as an object with options: `{kind: file_ops, max_bytes: 1000}`. The
model sees the kind as the tool's name, the first line below as its description, and the arguments.""",
    "settings": "Each setting is an environment variable. They are read once, when a command or a call starts.",
    "suite": """\
A suite is one YAML (or JSON) file. This page lists its fields; [the guide](../how-to/suite-file.md) shows how they work
together, and `aloi schema suite` prints the JSON schema for editors.""",
}

K = TypeVar("K", bound=Spec)


def pages() -> dict[str, str]:
    """The text of every page by its name."""
    bodies = {
        "cli": ("Command line", cli()),
        "evaluators": ("Evaluators", kinds_page("evaluators", Evaluator)),
        "targets": ("Targets", kinds_page("targets", Target)),
        "tools": ("Tools of the agent", kinds_page("tools", Tool)),
        "settings": ("Settings", settings()),
        "suite": ("Suite file", suite()),
    }
    return {
        name: "\n\n".join([NOTE, f"# {title}", INTRODUCTIONS[name], *blocks]) + "\n"
        for name, (title, blocks) in bodies.items()
    }


def cli() -> Iterator[str]:
    """All commands, with their arguments and options as their help tells them."""
    yield from command(get_command(app), "aloi")
    for name, entry in COMMANDS.items():
        group = load_command(entry)
        yield from command(group, f"aloi {name}")
        for inner, part in getattr(group, "commands", {}).items():
            yield from command(part, f"aloi {name} {inner}")


def command(part: Any, name: str) -> Iterator[str]:
    """One command."""
    context = part.context_class(part, info_name=name)
    yield f"## {name}"
    yield flowing(part.help)
    yield f"```text\n{' '.join([name, *part.collect_usage_pieces(context)])}\n```"
    records = [one.get_help_record(context) for one in part.params]
    rows = [(f"`{said[0]}`", said[1]) for said in records if said is not None]
    if rows:
        yield table(("Argument or option", "Meaning"), rows)


def kinds_page(family: str, base: type[K]) -> Iterator[str]:
    """All kinds of a family: doc, parameters, and the fields of the objects in them."""
    for kind in kinds(family):
        loaded = load(family, kind, base)
        described = loaded.describe()
        yield f"## {kind}"
        yield flowing(str(described["doc"]))
        yield from fields(cast(JsonObject, described["schema"]), "Parameter")
        if issubclass(loaded, Tool):
            yield from fields(loaded.Input.model_json_schema(), "Argument")


def fields(schema: JsonObject, called: str) -> Iterator[str]:
    """The fields of a schema as a table, then those of the objects that they hold."""
    if rows := field_rows(schema):
        yield table((called, "Type", "Default", "Meaning"), rows)
    definitions = cast(dict[str, JsonObject], schema.get("$defs", {}))
    for name, part in definitions.items():
        if properties(part):
            holders = [own for own, field in properties(schema).items() if f"#/$defs/{name}'" in str(field)]
            yield f"Fields of `{'`, `'.join(holders) or name}`:"
            yield table(FIELD_HEADS, field_rows({**part, "$defs": schema["$defs"]}))


def field_rows(schema: JsonObject) -> list[tuple[str, ...]]:
    """A row for every field."""
    return [(f"`{one.name}`", one.type, one.default, one.doc) for one in parameters(schema)]


def settings() -> Iterator[str]:
    """The variables, with where their defaults come from."""
    rows = [(f"`{PREFIX}{name.upper()}`", str(field.description)) for name, field in Settings.model_fields.items()]
    yield table(("Variable", "Meaning"), rows)
    yield (
        "Keys are in none of them. A model names the variable that holds its key (`api_key_env`); for OpenAI's own "
        "address that is `OPENAI_API_KEY` unless another is named. `ALOI_DEBUG=1` shows the traceback of an unexpected "
        "error."
    )


def suite() -> Iterator[str]:
    """The fields of a suite, and of the parts that have no page of their own."""
    schema = suite_schema()
    definitions = cast(JsonObject, schema["$defs"])
    cast(JsonObject, definitions["Case"]).pop("oneOf")  # which says that it has a prompt or an input
    yield table(FIELD_HEADS, field_rows(schema))
    yield "The kinds of `target` are in [targets](targets.md), those of `evaluators` in [evaluators](evaluators.md)."
    for title, name in (("judge", "JudgeSpec"), ("run", "RunLimits"), ("gate", "GatePolicy"), ("cases", "Case")):
        yield f"## {title}"
        yield table(FIELD_HEADS, field_rows({**cast(JsonObject, definitions[name]), "$defs": definitions}))


def flowing(doc: str) -> str:
    """A docstring with its paragraphs kept."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in doc.split("\n\n"))


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A Markdown table; a bar inside a cell is escaped."""
    return "\n".join(map(row, [heads, ("---",) * len(heads), *rows]))


def row(cells: tuple[str, ...]) -> str:
    """One line of a table, blanks and line ends made single blanks."""
    return "| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |"


def main(check: bool) -> int:
    """Write the pages, or say which ones differ; the exit code."""
    made = {REFERENCE / f"{name}.md": text for name, text in pages().items()}
    stale = [path for path, text in made.items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    if check:
        for path in stale:
            print(f"{path.name} differs from the code; run: python docs/generate.py", file=sys.stderr)
        return 1 if stale else 0
    REFERENCE.mkdir(exist_ok=True)
    for path in stale:
        path.write_text(made[path], encoding="utf-8")
    print(f"{len(stale)} of {len(made)} pages written")
    return 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
