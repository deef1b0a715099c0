"""The kind `regex`."""

import asyncio
from collections.abc import Awaitable
from typing import Any, ClassVar, Literal, cast

import regex
from pydantic import Field, JsonValue, field_validator, model_validator

from aloi.core.errors import StageFailure
from aloi.core.evaluator import EvaluationContext, OutputEvaluator
from aloi.core.json_values import shortened, text_of
from aloi.core.score import Score, passed_if

# A search of a short text is tried at once for so long; else it runs in a thread, so that other cases go on.
AT_ONCE_CHARACTERS = 10_000
AT_ONCE_SECONDS = 0.02
TIMEOUT_SECONDS = 2.0
MOST_PATTERN = 10_000  # characters: to compile ten times as many takes a third of a second, and holds everything up

Flag = Literal["ignorecase", "multiline", "dotall", "verbose", "ascii"]
FLAGS: dict[str, int] = {
    "ignorecase": regex.IGNORECASE,
    "multiline": regex.MULTILINE,
    "dotall": regex.DOTALL,
    "verbose": regex.VERBOSE,
    "ascii": regex.ASCII,
}
LETTERS = {"i": "ignorecase", "m": "multiline", "s": "dotall", "x": "verbose", "a": "ascii"}


class Regex(OutputEvaluator):
    """Pass when the pattern matches the output's text.

    Patterns are those of the `regex` package, which understands Python's. A structured output is searched as its JSON
    text. A search that takes more than 2 seconds is an error.
    """

    kind: ClassVar[str] = "regex"
    pattern: str = Field(max_length=MOST_PATTERN, description="The regular expression.")
    flags: tuple[Flag, ...] = Field(
        default=(), description='Names (`["ignorecase", "dotall"]`) or letters (`"is"`): i, m, s, x, a.'
    )
    full: bool = Field(default=False, description="The pattern must match the whole text, not just a part of it.")
    negate: bool = Field(default=False, description="Pass when the pattern does not match.")

    @field_validator("flags", mode="before")
    @classmethod
    def _named_flags(cls, given: Any) -> Any:
        written = list(given) if isinstance(given, str) else given
        if not isinstance(written, (list, tuple)):
            raise ValueError('flags are names or letters; write e.g. ["ignorecase"] or "i"')
        return tuple(_flag(flag) for flag in cast("list[Any]", written))

    @model_validator(mode="after")
    def _compiles(self) -> "Regex":
        try:
            self._compiled()
        except regex.error as error:
            raise ValueError(f"the pattern '{self.pattern}' is not a regular expression: {error}") from error
        return self

    def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score | Awaitable[Score]:
        text = text_of(output)
        if len(text) > AT_ONCE_CHARACTERS:
            return self._in_thread(text)
        try:
            return self._score(text, self._search(text, AT_ONCE_SECONDS))
        except TimeoutError:
            return self._in_thread(text)

    async def _in_thread(self, text: str) -> Score:
        try:
            found = await asyncio.to_thread(self._search, text, TIMEOUT_SECONDS)
        except TimeoutError as error:
            message = (
                f"the pattern '{self.pattern}' took more than {TIMEOUT_SECONDS:g} seconds on a text of {len(text)} "
                "characters; simplify it, e.g. avoid nested repeats such as (a+)+"
            )
            raise StageFailure("grade", "timeout", message) from error
        return self._score(text, found)

    def _compiled(self) -> "regex.Pattern[str]":
        """The pattern, ready to use; the package keeps the compiled ones."""
        return regex.compile(self.pattern, sum(FLAGS[flag] for flag in set(self.flags)))

    def _search(self, text: str, seconds: float) -> "regex.Match[str] | None":
        compiled = self._compiled()
        find = compiled.fullmatch if self.full else compiled.search
        return find(text, timeout=seconds, concurrent=True)

    def _score(self, text: str, found: "regex.Match[str] | None") -> Score:
        whole = " as a whole" if self.full else ""
        if found is None:
            explanation = f"the pattern '{self.pattern}' does not match the output{whole}; it reads {shortened(text)}"
        else:
            at = f"{shortened(found.group())} at character {found.start() + 1}"
            explanation = f"the pattern '{self.pattern}' matches the output{whole}: {at}"
        return passed_if((found is not None) != self.negate, explanation)


def _flag(written: Any) -> Any:
    """`i`, `IGNORECASE` and `ignore_case` all mean `ignorecase`; what is unknown stays, to be refused by its type."""
    if not isinstance(written, str):
        return written
    name = written.strip().lower().replace("_", "").replace("-", "")
    return LETTERS.get(name, name)
