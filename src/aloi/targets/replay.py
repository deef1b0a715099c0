"""`replay`: outcomes that were recorded earlier, graded without invoking anything."""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

from pydantic import Field, JsonValue, ValidationError, model_validator

from aloi.core.errors import InvalidInput, StageFailure
from aloi.core.spec import JsonObject, Value, spec_error, valid
from aloi.core.target import Invocation, Reply, Target, TargetContext
from aloi.core.trace import ToolCall
from aloi.core.usage import Usage
from aloi.tracing.reported import record_calls


class RecordedFailure(Value):
    """Why there was no answer."""

    type: str
    message: str


class Recorded(Value):
    """One recorded outcome. `tool_calls` null says nothing of them; an empty list says that there were none."""

    output: JsonValue = None
    tool_calls: tuple[ToolCall, ...] | None = None
    failure: RecordedFailure | None = None
    latency: float | None = Field(default=None, ge=0, description="Seconds.")
    input_tokens: int | None = Field(default=None, ge=0)
    output_tokens: int | None = Field(default=None, ge=0)
    cost: float | None = Field(default=None, ge=0, description="US dollars.")


class RecordedLine(Recorded):
    """One line of a file of recorded outcomes."""

    key: str


class Replay(Target):
    """Recorded outcomes by case key: grades what an agent did elsewhere, or did before, without invoking it.

    A file has one JSON object a line: `{"key": ..., "output": ...}`, with `tool_calls`, `failure`, `latency`,
    `input_tokens`, `output_tokens` and `cost` where they are known.
    """

    kind: ClassVar[str] = "replay"

    outputs: dict[str, JsonValue] = Field(
        default={},
        description="Case key: output. An object that has `output`, and else only the fields that a line of a file "
        "may have, is read as such a line.",
    )
    path: str | None = Field(default=None, description="A JSONL file of recorded outcomes, instead of `outputs`.")

    @model_validator(mode="after")
    def _one_source(self) -> "Replay":
        if bool(self.outputs) == (self.path is not None):
            raise ValueError("give either outputs or a path, and not both")
        return self

    def resolved(self, folder: str) -> Self:
        """With the file looked for from this folder."""
        if self.path is None:
            return self
        return self.model_validate({"path": str(Path(folder, self.path).resolve())})

    def files(self) -> tuple[str, ...]:
        """The file of recorded outcomes, if any."""
        return () if self.path is None else (self.path,)

    def portable(self) -> Self:
        """With the outcomes of the file in `outputs`.

        Raises:
            InvalidInput: the file cannot be read, or is empty.
        """
        if self.path is None:
            return self
        records = {key: written(record) for key, record in self._recorded.items()}
        if not records:
            raise InvalidInput(f"the recorded outcomes {self.path} are empty; name a file with an outcome a line")
        return self.model_validate({"outputs": records})

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply:
        """The outcome recorded for the case.

        Raises:
            StageFailure: stage `invoke`; type `not_recorded`, or the recorded failure's own.
            InvalidInput: the file cannot be read.
        """
        found = self._recorded.get(invocation.case_key)
        if found is None:
            where = self.path or "outputs"
            raise StageFailure(
                "invoke", "not_recorded", f"{where} holds no outcome of the case {invocation.case_key!r}"
            )
        record_calls(ctx.recorder, found.tool_calls or ())
        if found.failure is not None:
            raise StageFailure("invoke", found.failure.type, found.failure.message)
        return Reply(
            output=found.output,
            usage=_usage(found),
            shows_tools=found.tool_calls is not None,
            latency=found.latency,
        )

    def refuses_attachments(self) -> None:
        """What is replayed was done with the files, or without."""

    def fingerprint(self) -> JsonObject:
        """`{"file_sha256"}` of the file; empty without one.

        Raises:
            InvalidInput: the file cannot be read.
        """
        return {} if self.path is None else {"file_sha256": hashlib.sha256(_bytes(self.path)).hexdigest()}

    @cached_property
    def _recorded(self) -> Mapping[str, Recorded]:
        if self.path is None:
            return {key: _inline(value) for key, value in self.outputs.items()}
        found: dict[str, Recorded] = {}
        for number, line in _lines(self.path):
            if line.key in found:
                raise InvalidInput(f"{self.path}, line {number}: the key {line.key!r} stands on an earlier line too")
            found[line.key] = line
        return found


def written(record: Recorded) -> JsonObject:
    """A record as it stands in `outputs`."""
    fields = record.model_dump(mode="json", exclude_defaults=True, exclude={"key"})
    return {**fields, "output": record.output}


def _inline(value: JsonValue) -> Recorded:
    """The outcome that an inline value stands for: itself the output, unless it has the shape of a record."""
    if isinstance(value, dict) and "output" in value and value.keys() <= Recorded.model_fields.keys():
        return valid(Recorded, value, "a recorded outcome")
    return Recorded(output=value)


def _lines(path: str) -> Iterator[tuple[int, RecordedLine]]:
    for number, line in enumerate(_bytes(path).split(b"\n"), start=1):
        if line.strip():
            try:
                yield number, RecordedLine.model_validate_json(line)
            except ValidationError as error:
                raise spec_error(f"{path}, line {number}", error) from error


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InvalidInput(f"the recorded outcomes {path} cannot be read: {error.strerror}") from error


def _usage(found: Recorded) -> Usage:
    known = found.input_tokens is not None or found.output_tokens is not None or found.cost is not None
    return Usage(
        calls=1 if known else 0,
        input_tokens=found.input_tokens,
        output_tokens=found.output_tokens,
        cost=found.cost,
        unpriced=1 if known and found.cost is None else 0,
    )
