"""What the evaluators said of a result, without their texts; and which judge said it, by all that makes it the same."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from aloi.core.binding import Binding
from aloi.core.chat import ModelSpec
from aloi.core.identity import content_hash
from aloi.core.run import RunSpec
from aloi.core.score import Verdict
from aloi.core.spec import JsonObject, Value


class JudgeIdentity(Value):
    """What makes a judge the same judge: only results of the same one are counted together.

    `hash` covers all the rest but `evaluator`, the name it goes by. `spec` is complete, with the kind's defaults and
    with a case's own criteria in it.
    """

    hash: str
    evaluator: str
    kind: str
    spec: JsonObject
    model: ModelSpec
    prompt_hash: str
    samples: int


class Ruling(NamedTuple):
    """One evaluator's word on one result. `votes`: whether each of a judge's samples passed it."""

    evaluator: str
    kind: str
    weight: float
    verdict: Verdict
    votes: tuple[bool, ...]


class RuledResult(NamedTuple):
    """One result with all its rulings, in their order. `position` is that of its case in the revision."""

    position: int
    trial: int
    verdict: Verdict
    rulings: tuple[Ruling, ...]
    not_applicable: tuple[str, ...]

    @property
    def deciding(self) -> tuple[Ruling, ...]:
        """Those of weight above 0."""
        return tuple(ruling for ruling in self.rulings if ruling.weight > 0)


class OwnRules(NamedTuple):
    """How one case is graded otherwise than its dataset says: criteria by evaluator, and evaluators of its own."""

    criteria: Mapping[str, JsonObject]
    evaluators: tuple[Binding, ...]


NO_RULES = OwnRules({}, ())
Complete = Callable[[JsonObject], JsonObject]
"""Gives a spec with the defaults of its kind, so that what means the same is the same."""


class Judges:
    """The judges of one run.

    Args:
        spec: the run's, with its judge's model, samples and prompts.
        bindings: the evaluators bound to the dataset, as they were frozen.
        own: the cases that have rules of their own, by position.
        complete: see `Complete`.
    """

    def __init__(
        self, spec: RunSpec, bindings: Sequence[Binding], own: Mapping[int, OwnRules], complete: Complete
    ) -> None:
        self._spec = spec
        self._bindings = bindings
        self._own = own
        self._complete = complete
        self._known: dict[str, JudgeIdentity] = {}

    def is_judge(self, ruling: Ruling) -> bool:
        """Whether a ruling is a judge's."""
        return ruling.kind in self._spec.judge_prompts or bool(ruling.votes)

    def rulings(self, result: RuledResult) -> list[tuple[Ruling, JudgeIdentity]]:
        """The rulings of judges on a result, each with who gave it."""
        own = self._own.get(result.position, NO_RULES)
        if own is NO_RULES and _named_once(result):
            return [(ruling, self._usual(ruling)) for ruling in result.rulings if self.is_judge(ruling)]
        pairs = zip(result.rulings, specs_of(result, self._bindings, own), strict=True)
        return [(ruling, self._identity(ruling, spec)) for ruling, spec in pairs if self.is_judge(ruling)]

    def _usual(self, ruling: Ruling) -> JudgeIdentity:
        """Where a name stands for one evaluator of the dataset, or for what expectations imply: looked up once."""
        if ruling.evaluator not in self._known:
            bound = next((binding.spec for binding in self._bindings if binding.name == ruling.evaluator), None)
            self._known[ruling.evaluator] = self._identity(ruling, bound or {"kind": ruling.kind})
        return self._known[ruling.evaluator]

    def _identity(self, ruling: Ruling, spec: JsonObject) -> JudgeIdentity:
        judge = self._spec.judge
        model = ModelSpec(model="none:none") if judge is None else judge.model_spec
        return judge_identity(
            ruling,
            self._complete(spec),
            model,
            self._spec.judge_prompts.get(ruling.kind, ""),
            1 if judge is None else judge.samples,
        )


def _named_once(result: RuledResult) -> bool:
    """Whether each name stands for one evaluator. A bound one may bear the name of what expectations imply."""
    names = [ruling.evaluator for ruling in result.rulings]
    return len(set(names)) == len(names) and not set(names).intersection(result.not_applicable)


def judge_identity(ruling: Ruling, spec: JsonObject, model: ModelSpec, prompt_hash: str, samples: int) -> JudgeIdentity:
    """The identity of a judge. Where its model's key is found does not count."""
    plain = model.model_copy(update={"api_key_env": None})
    hashed = content_hash(
        {
            "model": plain.model_dump(mode="json"),
            "prompt_hash": prompt_hash,
            "kind": ruling.kind,
            "spec": spec,
            "samples": samples,
        }
    )
    return JudgeIdentity(
        hash=hashed,
        evaluator=ruling.evaluator,
        kind=ruling.kind,
        spec=spec,
        model=plain,
        prompt_hash=prompt_hash,
        samples=samples,
    )


def specs_of(result: RuledResult, bindings: Sequence[Binding], own: OwnRules) -> list[JsonObject]:
    """The spec behind each ruling on a result, in their order.

    They were applied in this order: the bound ones with the case's criteria, its own, and what its expectations imply
    (see `core.evaluator.applicable`). A name may occur among the bound ones and again among the case's own.
    """
    candidates = iter(list(_candidates(result, bindings, own)))
    return [_next_named(candidates, ruling) for ruling in result.rulings]


def _candidates(result: RuledResult, bindings: Sequence[Binding], own: OwnRules) -> Iterator[tuple[str, JsonObject]]:
    for binding in bindings:
        if binding.name not in result.not_applicable:
            yield binding.name, {**binding.spec, **own.criteria.get(binding.name, {})}
    for binding in own.evaluators:
        yield binding.name, binding.spec


def _next_named(candidates: Iterator[tuple[str, JsonObject]], ruling: Ruling) -> JsonObject:
    for name, spec in candidates:
        if name == ruling.evaluator:
            return spec
    return {"kind": ruling.kind}  # what the expectations imply stands last, with nothing but its kind
