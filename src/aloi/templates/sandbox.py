"""Liquid for texts that are not trusted: no files, no clock, no Python objects, and bounds on all it does.

What a template holds, and what a filter makes, counts at most `LARGEST` characters (see `core.flow.weight`), so each
single piece of work is small; between the pieces the clock is looked at, and loops are counted.
"""

from collections.abc import Callable
from functools import cache
from time import monotonic
from typing import Any, TextIO

from liquid import BoundTemplate, Environment, RenderContext, Token
from liquid.builtin.output import Output, OutputNode
from liquid.builtin.tags.echo_tag import EchoNode, EchoTag
from liquid.exceptions import LiquidError, UndefinedError
from liquid.undefined import UNDEFINED, FalsyStrictUndefined, is_undefined
from liquid.utils import ReadOnlyChainMap

from aloi.core.errors import StageFailure
from aloi.core.flow.weight import LARGEST
from aloi.core.spec import JsonObject
from aloi.core.step import Path
from aloi.templates.filters import FILTERS, TooMuch, text

TAGS = ("#", "assign", "break", "capture", "case", "comment", "continue", "echo", "for", "if", "liquid", "unless")
PSEUDO_TAGS = ("content", "output", "illegal", "expression")
LENIENT_TAGS = {"if", "unless", "case"}
MOST_ROUNDS = 100_000  # of all loops of a rendering together
LOCALS = 10_000_000  # bytes of what `assign` and `capture` hold
DEEPEST = 30


class Compiled:
    """A template, ready to be rendered.

    `reads`: the paths that it reads of the document, as far as they are fixed. `is_lenient`: whether some of them may
    be absent, because it asks for them (`if`) or has a default.
    """

    def __init__(self, source: str, template: BoundTemplate) -> None:
        analysis = template.analyze()
        self.reads: tuple[Path, ...] = tuple(
            dict.fromkeys(_fixed(variable.segments) for found in analysis.globals.values() for variable in found)
        )
        self.is_lenient = "default" in analysis.filters or bool(LENIENT_TAGS & set(analysis.tags))
        self._source = source
        self._template = template

    def render(self, document: JsonObject, until: float) -> str:
        """The text over a document.

        Args:
            until: when to give up, by `time.monotonic`.

        Raises:
            StageFailure: it cannot be rendered (stage `invoke`, type `template`).
        """
        context = _Context(self._template, globals=document)
        context.until = until
        buffer = context.get_buffer()
        try:
            self._template.render_with_context(context, buffer)
        except UndefinedError as error:
            name = str(error.message).removesuffix(" is undefined").strip("'")
            reason = f"{name} is undefined; see what is there, or write {{{{ {name} | default: '' }}}}"
            raise _failed(self._source, reason) from error
        except TooMuch as error:
            raise _failed(self._source, str(error)) from error
        except LiquidError as error:
            raise _failed(self._source, str(error.message)) from error
        except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:  # of a filter
            raise _failed(self._source, f"{type(error).__name__}: {error}") from error
        made = buffer.getvalue()
        if len(made) > LARGEST:
            raise _failed(self._source, f"it makes more than {LARGEST:,} characters; refer to less")
        return made


def compiled(source: str) -> Compiled:
    """A text as a template.

    Raises:
        ValueError: it is no template that can be read; the message says where.
    """
    try:
        return Compiled(source, _environment().from_string(source))
    except LiquidError as error:
        raise ValueError(f"it is no template that can be read: {_reason(error)}") from error
    except RecursionError as error:
        raise ValueError("it is no template that can be read: it is nested too deeply; make it simpler") from error


def _reason(error: LiquidError) -> str:
    cause = error.__cause__
    if isinstance(cause, RecursionError):
        return "it is nested too deeply; make it simpler"
    place = error.context()
    return f"{error.message} (line {place[0]}, column {place[1] + 1})" if place else str(error.message)


def _fixed(segments: Any) -> Path:
    """A path up to its first segment that is itself read of the document."""
    path: list[str | int] = []
    for segment in segments:
        if not isinstance(segment, (str, int)):
            break
        path.append(segment)
    return tuple(path)


def _failed(source: str, reason: str) -> StageFailure:
    shown = " ".join(source.split())
    excerpt = shown if len(shown) <= 80 else f"{shown[:80]}…"
    return StageFailure("invoke", "template", f"the template {excerpt!r} cannot be rendered: {reason:.500}")


class _Context(RenderContext):
    """What a rendering holds: the document and its own names, and no clock among them."""

    __slots__ = ("rounds", "until")

    def __init__(self, template: BoundTemplate, **options: Any) -> None:
        super().__init__(template, **options)
        self.scope = ReadOnlyChainMap(self.locals, self.globals)
        self.rounds = 0
        self.until = float("inf")

    def look_at_the_clock(self) -> None:
        if monotonic() > self.until:
            raise TooMuch("it takes too long; make it simpler")

    def get(self, path: list[object], *, token: Token | None, default: object = UNDEFINED) -> object:
        self.look_at_the_clock()
        return super().get(path, token=token, default=default)

    def assign(self, key: str, val: Any) -> None:
        self.look_at_the_clock()
        super().assign(key, val)

    def filter(self, name: str, token: Token | None) -> Callable[..., object]:
        self.look_at_the_clock()
        return super().filter(name, token)

    def raise_for_loop_limit(self, length: int = 1) -> None:
        self.rounds += length
        if self.rounds > MOST_ROUNDS:
            raise TooMuch(f"its loops go round more than {MOST_ROUNDS:,} times; loop over less")
        super().raise_for_loop_limit(length)


class _Template(BoundTemplate):
    context_class = _Context


def _write(node: OutputNode, context: RenderContext, buffer: TextIO) -> int:
    value = node.expression.evaluate(context)
    if is_undefined(value):
        return buffer.write(str(value))  # which raises
    return buffer.write(text(value))


class _OutputNode(OutputNode):
    __slots__ = ()

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        return _write(self, context, buffer)


class _EchoNode(EchoNode):
    __slots__ = ()

    def render_to_output(self, context: RenderContext, buffer: TextIO) -> int:
        return _write(self, context, buffer)


class _Output(Output):
    node_class = _OutputNode


class _Echo(EchoTag):
    node_class = _EchoNode


class _Environment(Environment):
    """Only the tags and the filters that are known to be harmless."""

    template_class = _Template
    block_nesting_limit = DEEPEST
    context_depth_limit = DEEPEST + 10
    loop_iteration_limit = MOST_ROUNDS
    local_namespace_limit = LOCALS
    output_stream_limit = 4 * LARGEST  # bytes

    def setup_tags_and_filters(self, *, extra: bool = False) -> None:
        super().setup_tags_and_filters(extra=False)
        for name in set(self.tags) - {*TAGS, *PSEUDO_TAGS}:
            del self.tags[name]
        self.add_tag(_Output)
        self.add_tag(_Echo)
        self.filters = dict(FILTERS)


@cache
def _environment() -> Environment:
    return _Environment(undefined=FalsyStrictUndefined)
