"""A judge that compares a JSON output with the expected one, key by key."""

from collections.abc import Mapping, Sequence
from itertools import compress
from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext, OutputEvaluator
from aloi.core.json_values import read_json, shortened
from aloi.core.judge import (
    JudgeEvaluator,
    JudgeReply,
    Question,
    Truth,
    ask,
    in_order,
    json_lines,
    named_schema,
    numbered,
)
from aloi.core.score import JudgeSample, Score
from aloi.core.spec import JsonObject

NO_EXTRA = "There are no further keys."
TASK = """\
Compare an AI agent's ANSWER to the PROMPT with the EXPECTED_KEYS, one numbered key with its value per line, which are \
the test author's and right. Only classify; no score is wanted.
reasoning: what is the same and what differs.
keys: for expected key 1 the field key_1, and so on: first the reason, then the verdict on the answer's value: \
`same` (the same meaning), `similar` (partly right), `wrong`, or `missing` (the answer has no such key, under this or \
another name).
extra_keys: for line 1 of the FURTHER_KEYS of the answer the field extra_1, and so on: true if it is extra, false if \
it stands for an expected key under another name (left out when there are no further keys)."""
# An answer may hold any number of keys of any length: those beyond are extra without asking, and a long one is cut.
ASKED = 100
KEY_LIMIT = 200
TENTHS = {"same": 10, "similar": 5, "wrong": 0, "missing": 0}


class KeyVerdict(JudgeReply):
    """How the answer's value of one expected key compares."""

    reason: str
    verdict: Literal["same", "similar", "wrong", "missing"]


class JsonVerdict(JudgeReply):
    """The classes of the expected keys and of the further ones."""

    reasoning: str
    keys: dict[str, KeyVerdict]
    extra_keys: dict[str, Truth] = {}


class JsonJudge(JudgeEvaluator, OutputEvaluator):
    """Let a judge compare a JSON output with the expected object, key by key.

    The judge only classifies; the score is computed: 1 for a top-level key that is the same, 0.5 for a similar one, 0
    for one that is wrong or missing, minus 0.1 for each extra key, divided by the number of expected keys, within 0..1.
    """

    kind: ClassVar[str] = "json_judge"
    task: ClassVar[str] = TASK
    reply: ClassVar[type[JudgeReply]] = JsonVerdict
    threshold: float = Field(default=0.9, ge=0, le=1, allow_inf_nan=False, description="The least score that passes.")

    def missing(self, case: Case) -> str | None:
        """It needs an expected output that is an object with keys."""
        return None if _expected(case) else "an expected_output that is a JSON object with at least one key"

    async def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score:
        """Ask the judge for the class of each key, and compute the score; see `ask` for errors."""
        expected = _expected(ctx.case)
        further = _further(output, expected)
        asked, rest = further[:ASKED], further[ASKED:]
        names = {"keys": numbered("key", len(expected)), "extra_keys": numbered("extra", len(asked))}

        def sample(reply: JsonVerdict) -> JudgeSample:
            verdicts = in_order("keys", reply.keys, names["keys"])
            is_extra = in_order("extra_keys", reply.extra_keys, names["extra_keys"])
            extra = [*compress(asked, is_extra), *rest]
            return _sample(reply.reasoning, dict(zip(expected, verdicts, strict=True)), extra, self.threshold)

        data: JsonObject = {
            "prompt": ctx.case.input,
            "expected_keys": json_lines(
                {"number": n, "key": k, "value": expected[k]} for n, k in enumerate(expected, 1)
            ),
            "further_keys": json_lines({"number": n, "key": key[:KEY_LIMIT]} for n, key in enumerate(asked, 1))
            or NO_EXTRA,
            "answer": output,
        }
        question = Question(TASK, JsonVerdict, sample, named_schema(JsonVerdict, names))
        return await ask(ctx, question, data, self.threshold)


def _expected(case: Case) -> JsonObject:
    """The expected object; an empty one where there is none."""
    return case.expected_output if isinstance(case.expected_output, dict) else {}


def _further(output: JsonValue, expected: JsonObject) -> list[str]:
    """The keys of the output that are not expected; none where it is no object, nor text that holds one."""
    try:
        found = read_json(output) if isinstance(output, str) else output
    except ValueError:
        return []
    return [key for key in found if key not in expected] if isinstance(found, dict) else []


def _sample(reasoning: str, keys: Mapping[str, KeyVerdict], extra: Sequence[str], threshold: float) -> JudgeSample:
    """The sample. It is counted in tenths, so that a value which is a threshold is not missed by a rounding."""
    tenths = sum(TENTHS[found.verdict] for found in keys.values()) - len(extra)
    value = max(0.0, tenths / (10 * len(keys)))
    unlike = [
        f"{shortened(key)} is {found.verdict}: {found.reason}" for key, found in keys.items() if found.verdict != "same"
    ]
    if extra:
        unlike.append(f"extra: {shortened(list(extra))}")
    return JudgeSample(
        value=value,
        passed=value >= threshold,
        reasoning="\n".join([reasoning, *unlike]),
        details={
            "keys": {key: found.model_dump() for key, found in keys.items()},
            "extra_keys": [key[:KEY_LIMIT] for key in extra[:ASKED]],
            "extra": len(extra),
        },
    )
