import pytest

from aloi.core.binding import Binding
from aloi.core.ruling import NO_RULES, Judges, OwnRules, RuledResult, Ruling, specs_of
from aloi.core.run import JudgeSpec, RunSpec
from aloi.core.score import Verdict
from aloi.core.spec import JsonObject

POLITE = Binding.model_validate({"kind": "llm_judge", "name": "polite", "rubric": "Be polite."})
CONTAINS = Binding.model_validate({"kind": "contains", "text": "x"})
SPEC = RunSpec(
    target_version_id="v",
    revision_id="r",
    judge=JudgeSpec(model="openai:judge", api_key_env="A_KEY", samples=3),
    judge_prompts={"llm_judge": "p1", "output_judge": "p2"},
)


def ruling(evaluator: str, kind: str | None = None, weight: float = 1.0, votes: tuple[bool, ...] = ()) -> Ruling:
    return Ruling(evaluator, kind or evaluator, weight, Verdict.PASS, votes)


def result(*rulings: Ruling, position: int = 0, not_applicable: tuple[str, ...] = ()) -> RuledResult:
    return RuledResult(position, 0, Verdict.PASS, rulings, not_applicable)


def judges(spec: RunSpec = SPEC, own: OwnRules | None = None, *bindings: Binding) -> Judges:
    with_default = {"threshold": 0.5}
    return Judges(
        spec, bindings or (POLITE, CONTAINS), {} if own is None else {0: own}, lambda given: {**with_default, **given}
    )


def hash_of(made: Judges, name: str = "polite", kind: str = "llm_judge") -> str:
    [(_, judge)] = made.rulings(result(ruling(name, kind)))
    return judge.hash


def criteria(**replaced: JsonObject) -> OwnRules:
    return OwnRules(replaced, ())


def test_a_judges_ruling_is_told_by_the_runs_prompts_or_by_its_votes() -> None:
    found = judges().rulings(result(ruling("polite", "llm_judge"), ruling("contains"), ruling("mine", votes=(True,))))
    assert [one.evaluator for one, _ in found] == ["polite", "mine"]


def test_what_a_judge_is() -> None:
    [(_, judge)] = judges().rulings(result(ruling("polite", "llm_judge")))
    assert judge.spec == {"kind": "llm_judge", "rubric": "Be polite.", "threshold": 0.5}
    assert (judge.model.model, judge.model.api_key_env, judge.samples) == ("openai:judge", None, 3)
    assert (judge.evaluator, judge.kind, judge.prompt_hash) == ("polite", "llm_judge", "p1")


def test_where_the_key_is_and_the_name_do_not_count() -> None:
    other_key = SPEC.model_copy(update={"judge": JudgeSpec(model="openai:judge", api_key_env="B", samples=3)})
    renamed = POLITE.model_copy(update={"name": "kind"})
    assert hash_of(judges()) == hash_of(judges(other_key)) == hash_of(judges(SPEC, None, renamed), "kind")


@pytest.mark.parametrize(
    "changed",
    [
        {"judge": JudgeSpec(model="openai:other", samples=3)},
        {"judge": JudgeSpec(model="openai:judge", base_url="http://there", samples=3)},
        {"judge": JudgeSpec(model="openai:judge", settings={"temperature": 1}, samples=3)},
        {"judge": JudgeSpec(model="openai:judge", samples=2)},
        {"judge_prompts": {"llm_judge": "p3"}},
    ],
)
def test_everything_else_makes_another_judge(changed: dict[str, object]) -> None:
    assert hash_of(judges()) != hash_of(judges(SPEC.model_copy(update=changed)))


def test_a_cases_criteria_make_another_judge_unless_they_change_nothing() -> None:
    usual = hash_of(judges())
    assert hash_of(judges(SPEC, criteria(polite={"rubric": "Be rude."}))) != usual
    assert hash_of(judges(SPEC, criteria(polite={"threshold": 0.9}))) != usual
    assert hash_of(judges(SPEC, criteria(polite={"threshold": 0.5}))) == usual
    assert hash_of(judges(SPEC, criteria(contains={"text": "y"}))) == usual


def test_other_cases_are_not_touched_by_them() -> None:
    made = judges(SPEC, criteria(polite={"rubric": "Be rude."}))
    [(_, judge)] = made.rulings(result(ruling("polite", "llm_judge"), position=1))
    assert judge.hash == hash_of(judges())


def test_an_inline_evaluator_may_bear_the_name_of_a_bound_one() -> None:
    own = OwnRules({}, (Binding.model_validate({"kind": "llm_judge", "name": "polite", "rubric": "Own."}),))
    both = result(ruling("polite", "llm_judge"), ruling("polite", "llm_judge"))
    assert [spec["rubric"] for spec in specs_of(both, (POLITE,), own)] == ["Be polite.", "Own."]
    one = result(ruling("polite", "llm_judge"), not_applicable=("polite",))
    assert [spec["rubric"] for spec in specs_of(one, (POLITE,), own)] == ["Own."]


def test_what_a_cases_expectations_imply_has_its_kind_alone() -> None:
    implied = result(ruling("output_judge"))
    assert specs_of(implied, (), NO_RULES) == [{"kind": "output_judge"}]
    [(_, judge)] = judges().rulings(implied)
    assert judge.spec == {"kind": "output_judge", "threshold": 0.5}


def test_a_bound_evaluator_may_bear_the_name_of_what_is_implied() -> None:
    informing = Binding.model_validate({"kind": "output_judge", "threshold": 0.9, "weight": 0})
    made = judges(SPEC, None, informing)
    both = result(ruling("output_judge", weight=0), ruling("output_judge"))
    implied = result(ruling("output_judge"), not_applicable=("output_judge",))
    assert [judge.spec["threshold"] for _, judge in made.rulings(both)] == [0.9, 0.5]
    assert [judge.spec["threshold"] for _, judge in made.rulings(implied)] == [0.5]
    assert [judge.spec["threshold"] for _, judge in made.rulings(result(ruling("output_judge")))] == [0.9]


def test_what_decides() -> None:
    deciding = ruling("polite", "llm_judge")
    assert result(deciding, ruling("contains", weight=0)).deciding == (deciding,)
