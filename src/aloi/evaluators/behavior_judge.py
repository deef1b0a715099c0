"""A judge of the behaviour and the assertions that a case states in words."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.evaluator import EvaluationContext, Expectation, OutputEvaluator
from aloi.core.json_values import shortened
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

NO_BEHAVIOR = "There is no expected behaviour for this case; the assertions alone say what is wanted."
NO_ASSERTIONS = "There are no assertions for this case; the expected behaviour alone says what is wanted."
TASK = """\
Judge whether an AI agent's ANSWER to the PROMPT shows the EXPECTED_BEHAVIOR, and whether each of the numbered \
ASSERTIONS about the answer holds. Both are the test author's; either may be absent, which its data then says.
reasoning: what speaks for and against the answer.
assertions: for assertion 1 the field assertion_1, and so on: first the reason, then `holds`, true only if the \
assertion is fully met by the answer (left out when there are no assertions).
overall: true only if the answer shows the expected behaviour and nothing essential is missing or wrong."""


class AssertionVerdict(JudgeReply):
    """Whether one assertion holds, and why."""

    reason: str
    holds: Truth


class BehaviorVerdict(JudgeReply):
    """The verdict on an answer."""

    reasoning: str
    assertions: dict[str, AssertionVerdict] = {}
    overall: Truth


class BehaviorJudge(JudgeEvaluator, OutputEvaluator):
    """Let a judge say whether the output shows the case's expected behaviour and meets each of its assertions.

    It passes when the judge's overall verdict and every single assertion pass; the value is 1 or 0.
    """

    kind: ClassVar[str] = "behavior_judge"
    reads: ClassVar[frozenset[Expectation]] = frozenset({"expected_behavior", "assertions"})
    task: ClassVar[str] = TASK
    reply: ClassVar[type[JudgeReply]] = BehaviorVerdict

    def missing(self, case: Case) -> str | None:
        """It needs an expected behaviour or assertions."""
        return None if case.expected_behavior or case.assertions else "expected_behavior or assertions"

    async def grade(self, output: JsonValue, ctx: EvaluationContext) -> Score:
        """Ask the judge for its verdicts; see `ask` for errors."""
        assertions = ctx.case.assertions
        names = numbered("assertion", len(assertions))

        def sample(reply: BehaviorVerdict) -> JudgeSample:
            return _sample(reply, assertions, in_order("assertions", reply.assertions, names))

        question = Question(TASK, BehaviorVerdict, sample, named_schema(BehaviorVerdict, {"assertions": names}))
        data = {
            "prompt": ctx.case.input,
            "expected_behavior": ctx.case.expected_behavior or NO_BEHAVIOR,
            "assertions": json_lines({"number": n, "assertion": text} for n, text in enumerate(assertions, 1))
            or NO_ASSERTIONS,
            "answer": output,
        }
        return await ask(ctx, question, data, None)


def _sample(reply: BehaviorVerdict, assertions: Sequence[str], verdicts: Sequence[AssertionVerdict]) -> JudgeSample:
    """The sample; its reasoning names the assertions that do not hold, its details keep them all."""
    passed = reply.overall and all(verdict.holds for verdict in verdicts)
    kept: list[JsonValue] = []
    reasoning = [reply.reasoning]
    for number, (text, verdict) in enumerate(zip(assertions, verdicts, strict=True), start=1):
        kept.append({"number": number, "text": text, "holds": verdict.holds, "reason": verdict.reason})
        if not verdict.holds:
            reasoning.append(f"Assertion {number} does not hold ({shortened(text)}): {verdict.reason}")
    return JudgeSample(
        value=1.0 if passed else 0.0,
        passed=passed,
        reasoning="\n".join(reasoning),
        details={"overall": reply.overall, "assertions": kept},
    )
