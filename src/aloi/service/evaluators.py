"""Evaluators made of specs, and what a run needs of them before it starts."""

from collections.abc import Callable, Mapping

from pydantic import JsonValue

from aloi.core.case import Case
from aloi.core.errors import InvalidInput, NotPermitted
from aloi.core.evaluator import Bound, Evaluator, applicable
from aloi.core.judge import SET_A_JUDGE, JudgeEvaluator
from aloi.plugins import build

NAMED = 20


def evaluator_builder(allow_code: bool) -> Callable[[Mapping[str, JsonValue]], Evaluator]:
    """Builds evaluators; those that run code only where the operator allows it."""

    def build_evaluator(spec: Mapping[str, JsonValue]) -> Evaluator:
        evaluator = build("evaluators", spec, Evaluator)
        if evaluator.runs_code and not allow_code:
            raise NotPermitted(
                f"evaluators of kind {evaluator.kind} run code, which ALOI_ALLOW_CODE does not allow here"
            )
        return evaluator

    return build_evaluator


class Preflight:
    """Looks at every case before a run starts, so that nothing is paid for a run that cannot be graded."""

    def __init__(self, bindings: tuple[Bound, ...], build: Callable[[Mapping[str, JsonValue]], Evaluator]) -> None:
        self._bindings = bindings
        self._build = build
        self._ungraded: list[str] = []
        self.cases = 0
        self.judged = 0
        self.prompts: dict[str, str] = {}

    def look_at(self, case: Case) -> None:
        """Take one case in.

        Raises:
            InvalidInput: its evaluators do not fit.
        """
        self.cases += 1
        decides = judged = False
        for _, weight, evaluator in applicable(case, self._bindings, self._build).applied:
            decides |= weight > 0
            if evaluator.judges:
                judged = True
                if isinstance(evaluator, JudgeEvaluator) and evaluator.kind not in self.prompts:
                    self.prompts[evaluator.kind] = evaluator.prompt_hash()
        self.judged += judged
        if not decides:
            self._ungraded.append(case.key)

    def conclude(self, has_judge: bool) -> None:
        """Refuse what cannot be graded. `prompts` then has the prompt's hash of every judge that will be asked.

        Raises:
            InvalidInput: no case, cases that nothing grades (up to 20 are named), or a judge is needed and not set.
        """
        if not self.cases:
            raise InvalidInput("there is no case to run; add at least one that is enabled and ready")
        if self._ungraded:
            more = f" and {len(self._ungraded) - NAMED} more" if len(self._ungraded) > NAMED else ""
            raise InvalidInput(
                f"no evaluator of weight above 0 applies to {len(self._ungraded)} of {self.cases} cases: "
                f"{', '.join(self._ungraded[:NAMED])}{more}; give them expected_output, expected_behavior, assertions "
                "or an evaluator"
            )
        if self.judged and not has_judge:
            raise InvalidInput(
                f"{self.judged} of {self.cases} cases need a judge, and none is set; {SET_A_JUDGE}, or in a "
                "suite by `judge:`"
            )
