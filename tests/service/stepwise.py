"""A target that works step by step and asks people in some: the kind `stepwise`, for tests of what waits."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, ClassVar, cast

import pytest
from pydantic import JsonValue

from aloi import plugins
from aloi.core.errors import StageFailure
from aloi.core.execution import Execution, ExecutionStatus, Invoke
from aloi.core.keys import NamedKey
from aloi.core.spec import JsonObject
from aloi.core.target import Component, Invocation, Parked, Question, Reply, Target, TargetContext
from aloi.core.usage import Usage
from aloi.service import executions, invoking, targets
from aloi.service.context import Context
from aloi.settings import Settings
from aloi.store.codec import pack_id
from tests.store.backends import BACKENDS, fresh

OK, ERROR, WAITING, RUNNING = (ExecutionStatus(word) for word in ("ok", "error", "waiting", "running"))
VERDICT: JsonObject = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}},
    "required": ["approved"],
    "additionalProperties": False,
}


class Stepwise(Target):
    """Carries out its steps in order; those that are called `ask...` are done by people, several in a row at once.

    `log`: a file with a line for each step that began. `hang`: the step that never ends while there is no file
    `LOG.go`. `fail`: the step that fails. `careless`: it makes nothing of answers. `silent`: it parks and asks nothing.
    """

    kind: ClassVar[str] = "stepwise"

    steps: tuple[str, ...]
    log: str
    hang: str = ""
    fail: str = ""
    answer_schema: JsonObject | None = None
    careless: bool = False
    silent: bool = False
    key_env: str = ""

    def named_keys(self) -> tuple[NamedKey, ...]:
        """The key, if there is one."""
        return (NamedKey(variable=self.key_env),) if self.key_env else ()

    def components(self) -> tuple[Component, ...]:
        """A human component for each step that asks."""
        return tuple(Component(name=step, description="", kind="human") for step in self.steps if is_human(step))

    async def invoke(self, invocation: Invocation, ctx: TargetContext) -> Reply | Parked:
        """Do what is left to do; park before a step that is not answered."""
        given: JsonObject = invocation.state or {"steps": {}}
        done: JsonObject = dict(cast(JsonObject, given["steps"]))
        used, asked = Usage(), list[Question]()
        with ctx.recorder.span("invoke_workflow"):
            for step in self.steps:
                if step in done:
                    continue
                if is_human(step):
                    if step in invocation.answers and not self.careless:
                        done[step] = invocation.answers[step]
                    else:
                        text = f"What of {step}, given {invocation.input}?"
                        asked.append(Question(step=step, text=text, answer_schema=self.answer_schema))
                    continue
                if asked:
                    break
                done[step] = await self._work(step, ctx)
                used += Usage(calls=1, input_tokens=10, output_tokens=1, cost=0.5)
                if ctx.keep is not None:
                    await ctx.keep({"steps": done})
        if asked:
            return Parked(state={"steps": done}, questions=() if self.silent else tuple(asked), usage=used)
        return Reply(output=dict(done), usage=used)

    async def _work(self, step: str, ctx: TargetContext) -> JsonValue:
        attributes: JsonObject = {
            "gen_ai.operation.name": "chat",
            "gen_ai.usage.input_tokens": 10,
            "gen_ai.usage.output_tokens": 1,
            "aloi.cost": 0.5,
        }
        with ctx.recorder.span(f"step {step}", attributes):
            with Path(self.log).open("a", encoding="utf-8") as log:
                log.write(f"{step}\n")
            while step == self.hang and not Path(f"{self.log}.go").exists():
                await asyncio.sleep(0.005)
            if step == self.fail:
                raise StageFailure("invoke", "broken", f"step {step} is broken")
        return f"{step} done"


def is_human(step: str) -> bool:
    return step.startswith("ask")


@pytest.fixture
def stepwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind, as if it were installed."""
    load = plugins.load

    def loaded(family: str, kind: str, base: Any) -> Any:
        return Stepwise if (family, kind) == ("targets", "stepwise") else load(family, kind, base)

    monkeypatch.setattr(plugins, "load", loaded)


def definition(folder: Path, *steps: str, **fields: Any) -> JsonObject:
    """A definition whose log is in a folder."""
    return {"kind": "stepwise", "steps": list(steps), "log": str(folder / "log"), **fields}


def begun(folder: Path) -> Counter[str]:
    """How often each step began."""
    log = folder / "log"
    return Counter(log.read_text(encoding="utf-8").split() if log.exists() else ())


def let_go(folder: Path) -> None:
    """Let the step that hangs go on."""
    (folder / "log.go").touch()


async def invoked(context: Context, folder: Path, *steps: str, **fields: Any) -> Execution:
    """The execution of a new version of these steps."""
    version = await targets.save_definition(context, "flow", definition(folder, *steps, **fields))
    wanted = Invoke(input="Hi", version=version.number)
    return await invoking.carry_out(await invoking.prepare(context, "flow", wanted))


async def until(context: Context, execution: Execution, *statuses: ExecutionStatus) -> Execution:
    """The execution when it has one of these states."""
    async with asyncio.timeout(10):
        while (found := await executions.get(context, execution.id)).status not in statuses:
            await asyncio.sleep(0.01)
    return found


@pytest.fixture(params=BACKENDS)
async def context(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Context]:
    """An open context over a fresh database of each kind."""
    async with fresh(request, tmp_path) as address:
        opened = await Context.open(Settings(home=tmp_path, database_url=address), {"SOME_KEY": "pl4nted-secret"})
        yield opened
        await opened.close()


@pytest.fixture(params=BACKENDS)
async def contexts(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[list[Context]]:
    """Three contexts over one new database, as of three servers."""
    async with fresh(request, tmp_path) as address:
        settings = Settings(home=tmp_path, database_url=address)
        opened = [await Context.open(settings, {}, served=True) for _ in range(3)]
        yield opened
        for context in opened:
            await context.close()


async def stored_state(context: Context, execution: Execution) -> tuple[object, ...]:
    """How far the database says that an execution is: progress, state, who has the lease."""
    async with context.database.read() as rx:
        query = "SELECT progress, state, lease_owner FROM executions WHERE id = ?"
        return tuple(await rx.fetch_one(query, (pack_id(execution.id),)) or ())


def span_names(execution: Execution) -> list[str]:
    """The names of its spans, in order."""
    assert execution.outcome.trace is not None
    return [span.name for span in execution.outcome.trace.spans]
