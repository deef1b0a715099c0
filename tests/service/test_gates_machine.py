"""The gate as a state machine: whatever people do in whatever order, it says what a small model says.

Two contexts work on one SQLite file, as two processes do; what is done at once comes out as in one of the two orders.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Coroutine, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,  # pyright: ignore[reportUnknownVariableType] - its one argument is unannotated
)

from aloi.core.access import Role
from aloi.core.binding import Binding
from aloi.core.errors import GateRefused, NotPermitted
from aloi.core.gate import DatasetGate, Gate
from aloi.core.run import Run, TargetVersion
from aloi.core.score import Verdict
from aloi.service import again, binding, cases, datasets, gates, runs
from aloi.service.context import Context
from aloi.settings import Settings
from tests.model_server import ModelServer
from tests.service.gate_model import Counts, DatasetModel, GateModel, Said
from tests.service.gated import BOT, URGENT, Answers, acting, activate, active, add_version, judge_of, start
from tests.service.started_runs import finished, save

T = TypeVar("T")
Step = Callable[[GateModel], str | None]
KEYS = ("a", "b", "c")
NAMES = st.sampled_from(("one", "one", "two"))  # much happens to one, so that much is there to be mixed up
VERSIONS = st.integers(1, 2)
ENDS = st.lists(st.sampled_from(("ok", "ok", "no", "down")), min_size=3, max_size=3)
THRESHOLDS = st.sampled_from((0.25, 0.5, 0.75, 1.0))
POLICIES = st.tuples(THRESHOLDS, st.sampled_from((True, True, False)))


class GateMachine(RuleBasedStateMachine):
    """What people do to a target, its gate, its datasets and their runs."""

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp())
        self.loop = asyncio.Runner()
        self.answers = Answers()
        self.model = GateModel({name: DatasetModel(dict.fromkeys(KEYS, (0, True))) for name in ("one", "two")})
        self.versions: list[TargetVersion] = []
        self.ids: dict[str, str] = {}
        self.case_ids: dict[str, dict[str, str]] = {}
        self.ended: list[tuple[Run, DatasetModel, Counts, list[str]]] = []
        self.do(self._open())
        self.set_gate_to({"one": (0.5, True), "two": (0.5, True)})

    async def _open(self) -> None:
        self.judge = ModelServer()
        await self.judge.start()
        self.context, self.other = [await Context.open(Settings(home=self.home), {}) for _ in range(2)]
        self.other.in_memory = self.context.in_memory
        self.versions = [await add_version(self.context, self.answers)]
        for name in ("one", "two"):
            given = [{"key": key, "prompt": f"{key} 0"} for key in KEYS]
            self.ids[name] = await save(self.context, given, self._evaluators(name), name)
            self.case_ids[name] = {case.key: case.id async for case in datasets.cases(self.context, name)}

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run(work)

    async def _close(self) -> None:
        for opened in (self.context, self.other):
            await opened.close()
        await self.judge.stop()

    def teardown(self) -> None:
        self.do(self._close())
        self.loop.close()
        shutil.rmtree(self.home)

    # Datasets and versions.

    @rule(name=NAMES, key=st.sampled_from(KEYS), variant=st.integers(0, 1), on=st.booleans())
    def edit_case(self, name: str, key: str, variant: int, on: bool) -> None:
        self.do(self._edit_case(self.context, name, key, variant, on))
        self.model.datasets[name].cases[key] = (variant, on)

    async def _edit_case(self, context: Context, name: str, key: str, variant: int, on: bool) -> None:
        changes: dict[str, Any] = {"prompt": f"{key} {variant}", "enabled": on, "name": "another"}
        await cases.update(context, self.ids[name], self.case_ids[name][key], changes)

    @rule(name=NAMES, weight=st.integers(1, 2), judged=st.booleans())
    def edit_evaluators(self, name: str, weight: int, judged: bool) -> None:
        dataset = self.model.datasets[name]
        dataset.weight, dataset.judged = weight, judged
        self.do(binding.bind(self.context, self.ids[name], self._evaluators(name)))

    def _evaluators(self, name: str) -> list[dict[str, Any]]:
        dataset = self.model.datasets[name]
        judge = [{"kind": "llm_judge", "rubric": "polite"}]
        return [{"kind": "contains", "text": "ok", "weight": dataset.weight}, *(judge if dataset.judged else [])]

    @rule(name=NAMES, samples=st.integers(1, 2))
    def edit_samples(self, name: str, samples: int) -> None:
        self.model.datasets[name].samples = samples
        changes: dict[str, Any] = {"judge_samples": samples, "description": f"so many: {samples}"}
        self.do(datasets.update(self.context, self.ids[name], changes))

    @precondition(lambda self: len(self.versions) < 2)
    @rule()
    def new_version(self) -> None:
        self.versions.append(self.do(add_version(self.context, self.answers)))
        self.model.versions += 1

    @rule(policies=st.fixed_dictionaries({"one": POLICIES}, optional={"two": POLICIES}))
    def set_gate_to(self, policies: dict[str, tuple[float, bool]]) -> None:
        self.do(self._set_gate(self.context, policies))
        self.model.policies = policies

    async def _set_gate(self, context: Context, policies: dict[str, tuple[float, bool]]) -> None:
        given = [DatasetGate(dataset_id=name, threshold=t, enabled=on) for name, (t, on) in policies.items()]
        await gates.replace(context, BOT, Gate(policies=tuple(given)))

    # Runs.

    def _version(self, number: int) -> TargetVersion:
        return self.versions[min(number, len(self.versions)) - 1]

    def _prepare(self, name: str, ends: Sequence[str]) -> list[str]:
        """Say how the cases of a dataset that run will end; those that do, in order."""
        keys = list(self.model.datasets[name].on)
        chosen = list(ends[: len(keys)])
        self.answers.by_prompt = {
            f"{key} {variant}": word
            for (key, variant), word in zip(self.model.datasets[name].on.items(), chosen, strict=True)
        }
        return chosen

    async def _start(self, number: int, name: str, **fields: Any) -> Run:
        return await start(self.context, self._version(number), name, judge=judge_of(self.judge.url), **fields)

    @rule(number=VERSIONS, second=st.sampled_from(("one", "two")), ends=st.tuples(ENDS, ENDS))
    def run_twice(self, number: int, second: str, ends: tuple[list[str], list[str]]) -> None:
        self.run_all(number, "one", ends[0], 1)
        self.run_all(number, second, ends[1], 1)

    @rule(number=VERSIONS, name=NAMES, ends=ENDS, trials=st.integers(1, 2))
    def run_all(self, number: int, name: str, ends: list[str], trials: int) -> None:
        if not self.model.datasets[name].on:
            return
        chosen = self._prepare(name, ends)
        run = self.do(self._to_the_end(self._start(number, name, trials=trials)))
        self._note(run, name, chosen, trials)

    def _note(self, run: Run, name: str, chosen: list[str], trials: int) -> None:
        frozen = deepcopy(self.model.datasets[name])
        counts = Counts(*(trials * chosen.count(word) for word in ("ok", "no", "down")))
        self.model.ended(run.id, run.target_version, name, frozen, counts)
        self.ended.append((run, frozen, counts, chosen))

    async def _to_the_end(self, starting: Coroutine[Any, Any, Run]) -> Run:
        return await finished(self.context, await starting)

    @rule(number=VERSIONS, name=NAMES, other_evaluators=st.booleans())
    def run_a_part_or_otherwise(self, number: int, name: str, other_evaluators: bool) -> None:
        keys = list(self.model.datasets[name].on)
        if keys:
            self._prepare(name, ["ok"] * 3)
            other = {"evaluators": tuple(Binding.model_validate(spec) for spec in self._evaluators(name))}
            fields = other if other_evaluators else {"case_keys": tuple(keys)}
            self.do(self._to_the_end(self._start(number, name, **fields)))

    @rule(number=VERSIONS, name=NAMES)
    def cancel_a_run(self, number: int, name: str) -> None:
        if self.model.datasets[name].on:
            self.answers.open.clear()
            self.do(runs.cancel(self.context, self.do(self._start(number, name)).id))
            self.answers.open.set()

    @precondition(lambda self: self.ended)
    @rule(data=st.data(), fails_too=st.booleans())
    def retry(self, data: st.DataObject, fails_too: bool) -> None:
        parent, frozen, counts, chosen = data.draw(st.sampled_from(self.ended))
        if (gone := self._is_gone(parent)) or not counts.errors + (counts.failed if fails_too else 0):
            assert gone or "down" not in chosen
            return
        self.answers.by_prompt = {}
        verdicts = [Verdict.ERROR, Verdict.FAIL] if fails_too else [Verdict.ERROR]
        run = self.do(self._to_the_end(again.retry(self.context, parent.id, verdicts)))
        if not fails_too:
            mended = Counts(counts.passed + counts.errors, counts.failed, 0)
            self.model.ended(run.id, run.target_version, run.dataset_name, frozen, mended, parent.id)
            self.ended.append((run, frozen, mended, ["ok" if word == "down" else word for word in chosen]))

    def _is_gone(self, run: Run) -> bool:
        return any(counted.run_id == run.id and counted.deleted for counted in self.model.counted)

    @precondition(lambda self: self.ended)
    @rule(data=st.data())
    def delete_run(self, data: st.DataObject) -> None:
        run = data.draw(st.sampled_from(self.ended))[0]
        if not self._is_gone(run):
            self.do(runs.delete(self.context, run.id))
            self.model.deleted(run.id)

    # Activations.

    @rule(number=VERSIONS, override=st.booleans(), role=st.sampled_from((Role.EDITOR, Role.OWNER)))
    def activate_one(self, number: int, override: bool, role: Role) -> None:
        number = min(number, len(self.versions))
        said = self.do(self._tried(acting(self.context, role), number, override))
        assert said == self.model.activate(number, override, role is Role.OWNER)

    async def _tried(self, context: Context, number: int, override: bool = False) -> str:
        try:
            await activate(context, number, URGENT if override else None)
        except GateRefused:
            return "refused"
        except NotPermitted:
            return "forbidden"
        return "done"

    @rule(one=VERSIONS, two=VERSIONS, override=st.booleans())
    def activate_two_at_once(self, one: int, two: int, override: bool) -> None:
        one, two = min(one, len(self.versions)), min(two, len(self.versions))
        work = (self._tried(self.context, one), self._tried(self.other, two, override))
        self._as_in_one_of_both_orders(work, lambda m: m.activate(one), lambda m: m.activate(two, override))

    @rule(number=VERSIONS, name=NAMES, key=st.sampled_from(KEYS), variant=st.integers(0, 1), on=st.booleans())
    def activate_during_an_edit(self, number: int, name: str, key: str, variant: int, on: bool) -> None:
        number = min(number, len(self.versions))

        def edited(model: GateModel) -> None:
            model.datasets[name].cases[key] = (variant, on)

        work = (self._tried(self.context, number), self._edit_case(self.other, name, key, variant, on))
        self._as_in_one_of_both_orders(work, lambda m: m.activate(number), edited)

    @rule(number=VERSIONS, name=NAMES, threshold=THRESHOLDS)
    def activate_while_the_gate_changes(self, number: int, name: str, threshold: float) -> None:
        number, policies = min(number, len(self.versions)), {name: (threshold, True)}

        def changed(model: GateModel) -> None:
            model.policies = policies

        work = (self._tried(self.context, number), self._set_gate(self.other, policies))
        self._as_in_one_of_both_orders(work, lambda m: m.activate(number), changed)

    def _as_in_one_of_both_orders(self, work: tuple[Any, Any], first: Step, second: Step) -> None:
        """Do both at once; the model goes on as that order of the two which fits."""

        async def at_once() -> tuple[Any, Any, int | None, int]:
            said = await asyncio.gather(*work)
            kept = await gates.overrides_of(self.context, BOT, 1, 1)
            return said[0], said[1], await active(self.context), kept.total

        came = self.do(at_once())
        fitting: list[GateModel] = []
        for turn in (1, -1):
            model = deepcopy(self.model)
            said = [step(model) for step in (first, second)[::turn]][::turn]
            if (*said, model.active, len(model.overrides)) == came:
                fitting.append(model)
        assert fitting, f"{came} fits neither order"
        self.model = fitting[0]

    @invariant()
    def the_gate_says_what_the_model_says(self) -> None:
        self.do(self._compare())

    async def _compare(self) -> None:
        assert await active(self.context) == self.model.active
        for number in range(1, len(self.versions) + 1):
            state = await gates.get(self.other, BOT, number)
            said = {
                policy.dataset_name: Said(
                    policy.standing.value,
                    policy.decision.ruling.value,
                    policy.run and policy.run.run_id,
                    bool(policy.run and policy.run.deleted),
                )
                for policy in state.policies
            }
            assert said == {name: self.model.says(number, name) for name in self.model.policies}
            assert state.allowed is self.model.allows(number)
        kept = (await gates.overrides_of(self.other, BOT, 1, 200)).items
        assert [override.version for override in reversed(kept)] == self.model.overrides


def test_the_gate_says_what_the_model_says() -> None:
    run_state_machine_as_test(GateMachine, settings=settings(max_examples=25, stateful_step_count=50))
