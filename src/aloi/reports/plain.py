"""Texts of results as reports show them."""

import re

from pydantic import JsonValue

from aloi.core.json_values import text_of
from aloi.core.result import CaseResult
from aloi.core.run import Run
from aloi.core.score import Score, Verdict

# XML 1.0, section 2.2: what no document may hold, escaped or not. Lone surrogates are among it.
UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LONE = re.compile("[\ud800-\udfff]")
REPLACEMENT = "\ufffd"


def xml_text(text: str) -> str:
    """A text with the characters replaced that XML cannot hold."""
    return UNFIT.sub(REPLACEMENT, text)


def encodable(text: str) -> str:
    """A text with its lone surrogates replaced, which no encoding has."""
    return LONE.sub(REPLACEMENT, text)


def output_text(output: JsonValue, limit: int) -> str:
    """An output as text, cut at so many characters with a note of how many there are."""
    text = text_of(output)
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters)"


def result_name(run: Run, result: CaseResult) -> str:
    """The case's key, with the number of the trial (from 1) where there are several."""
    return f"{result.case_key} [trial {result.trial + 1}]" if run.spec.limits.trials > 1 else result.case_key


def explanation(result: CaseResult) -> str:
    """Why a result is what it is: the failure, or one line per evaluator."""
    lines = [score_line(score) for score in result.scores]
    if result.failure is not None and all(score.failure != result.failure for score in result.scores):
        lines.insert(0, f"{result.failure.stage} {result.failure.type}: {result.failure.message}")
    return "\n".join(lines)


def reason(result: CaseResult) -> str:
    """The first thing that keeps a result from passing, in one line; empty when nothing does."""
    if result.failure is not None:
        return result.failure.message
    failed = [score for score in result.scores if score.verdict is not Verdict.PASS and score.weight > 0]
    return f"{failed[0].evaluator}: {failed[0].explanation}" if failed else ""


def score_line(score: Score) -> str:
    """`contains: fail (0): ...`; marked where it does not decide, and where a judge disagreed with itself."""
    value = "" if score.value is None else f" ({score.value:g})"
    notes = ", informs only" if score.weight == 0 else ""
    notes += ", judge disagreed" if score.disagreed else ""
    return f"{score.evaluator}: {score.verdict}{value}{notes}: {score.explanation}"
