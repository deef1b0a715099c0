"""JSON: the run, its summary with the headline in words, and every result in full."""

import json
import math
import re
from collections.abc import AsyncIterator

from pydantic import BaseModel, JsonValue

from aloi.core.label import LabelledResult
from aloi.core.run import Run
from aloi.core.wording import headline

LONE = re.compile("[\ud800-\udfff]")


async def write(run: Run, results: AsyncIterator[LabelledResult]) -> AsyncIterator[str]:
    """The report in pieces, one line per result. To be encoded as UTF-8.

    `{"headline": text or null, "run": {...}, "summary": {...} or null, "results": [...]}`, with the fields of
    `aloi.core.run.Run`, `aloi.core.summary.Summary` and `aloi.core.label.LabelledResult`.
    """
    said = headline(run.summary) if run.summary else None
    summary = _dumped(run.summary) if run.summary else "null"
    yield f'{{\n"headline": {_escaped(json.dumps(said, ensure_ascii=False))},\n'
    yield f'"run": {_dumped(run.model_copy(update={"summary": None}))},\n"summary": {summary},\n"results": ['
    separator = "\n"
    async for result in results:
        yield separator + _dumped(result)
        separator = ",\n"
    yield "\n]\n}\n"


def _dumped(value: BaseModel) -> str:
    """One line of JSON. Not pydantic's own writer, which refuses lone surrogates: an answer may hold them."""
    plain = value.model_dump(mode="json")
    try:
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(plain), ensure_ascii=False)
    return _escaped(text)


def _finite(value: JsonValue) -> JsonValue:
    """A value with null where a number is NaN or infinite, which JSON has not."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _escaped(text: str) -> str:
    return LONE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
