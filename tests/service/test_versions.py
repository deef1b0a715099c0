"""Activating a version: what the gate lets pass, who may override it, and what is then written down."""

from collections.abc import Awaitable, Callable

import pytest

from aloi.core.access import Role
from aloi.core.errors import NotFound, NotPermitted, Stale
from aloi.core.gate import ActivationRefused, OverrideReason
from aloi.core.identity import etag
from aloi.core.misfit import Misfit
from aloi.service import audit, gates, runs, targets, versions
from aloi.service.context import Context
from tests.service.gated import BOT, URGENT, Gated, acting, activate, active, gated, set_gate
from tests.service.started_runs import save


@pytest.fixture
async def bot(context: Context) -> Gated:
    """A target with a gate."""
    return await gated(context)


async def overridden(context: Context) -> list[int]:
    """The numbers of the versions that were let pass, newest first."""
    return [made.version for made in (await gates.overrides_of(context, BOT, 1, 20)).items]


REFUSED: dict[str, Callable[[Gated], Awaitable[object]]] = {
    "missing": lambda bot: bot.says(),
    "below": lambda bot: bot.run(7),
    "undecided": lambda bot: bot.run(7, errors=1),
}


@pytest.mark.parametrize("why", REFUSED)
async def test_what_the_gate_does_not_allow_is_refused_with_the_figures(bot: Gated, why: str) -> None:
    await REFUSED[why](bot)
    before = await targets.get(bot.context, BOT)
    with pytest.raises(ActivationRefused) as refused:
        await activate(bot.context, 2)
    assert refused.value.state == await bot.says()
    assert await targets.get(bot.context, BOT) == before
    assert (await audit.listing(bot.context, action="version.activate")).total == 0


async def test_a_stale_run_does_not_let_it_pass(bot: Gated) -> None:
    await bot.run(10)
    await save(bot.context, [{"key": "new", "prompt": "x"}], replace=False)
    with pytest.raises(ActivationRefused, match=r"the dataset changed since bot@2 ran on it \(10/10 passed then\)"):
        await activate(bot.context, 2)


async def test_what_it_allows_becomes_active(bot: Gated) -> None:
    await bot.run(8)
    assert (await activate(bot.context, 2)).active == 2
    # Back to the first one takes a run of that one, too.
    with pytest.raises(ActivationRefused, match="bot@1 has no complete run"):
        await activate(bot.context, 1)


async def test_the_one_that_is_active_is_not_asked_for_again(bot: Gated) -> None:
    await activate(bot.context, 1)
    await activate(bot.context, 1, URGENT)
    assert await overridden(bot.context) == []
    assert (await audit.listing(bot.context, action="version.activate")).total == 0


async def test_what_is_not_there_or_was_changed(bot: Gated) -> None:
    with pytest.raises(NotFound):
        await activate(bot.context, 3, URGENT)
    read = etag(await targets.get(bot.context, BOT))
    await targets.update(bot.context, BOT, {"description": "d"})
    with pytest.raises(Stale):
        await versions.activate(bot.context, BOT, 2, read, URGENT)
    assert await overridden(bot.context) == []


class TestOverrides:
    async def test_an_owner_may_and_all_of_it_is_kept(self, bot: Gated) -> None:
        run = await bot.run(7, errors=1)
        state = await bot.says()
        owner = acting(bot.context, Role.OWNER)
        changed = await activate(owner, 2, URGENT)
        assert changed.active == 2
        assert changed.active_version is not None and changed.active_version.overridden
        [made] = (await gates.overrides_of(bot.context, BOT, 1, 20)).items
        assert (made.version, made.reason, made.by) == (2, "it is urgent", "owner@example.org")
        assert made.state == state
        await bot.run(10)
        await runs.delete(bot.context, run.id)
        await set_gate(bot.context)
        assert (await gates.overrides_of(bot.context, BOT, 1, 20)).items == (made,)
        assert [version.overridden for version in (await versions.listing(bot.context, BOT, 1, 9)).items] == [
            True,
            False,
        ]

    async def test_it_is_in_the_log(self, bot: Gated) -> None:
        await activate(bot.context, 2, URGENT)
        [entry] = (await audit.listing(bot.context, action="gate.override")).items
        reason = "undecided: bot@2 has no complete run on this dataset; run it on all of its cases"
        assert entry.after == {"version": 2, "reason": "it is urgent", "gate": {"data": reason}}
        assert (entry.actor, entry.object_name) == ("local", "bot")
        [activated] = (await audit.listing(bot.context, action="version.activate")).items
        assert (activated.before, activated.after) == ({"active": 1}, {"active": 2})

    async def test_where_the_gate_allows_nothing_is_recorded(self, bot: Gated) -> None:
        await bot.run(10)
        changed = await activate(bot.context, 2, URGENT)
        assert changed.active_version is not None and not changed.active_version.overridden
        assert await overridden(bot.context) == []
        assert (await audit.listing(bot.context, action="gate.override")).total == 0

    @pytest.mark.parametrize("role", [Role.EDITOR, Role.VIEWER])
    @pytest.mark.parametrize("passed", [10, 0])
    async def test_nobody_else_may(self, bot: Gated, role: Role, passed: int) -> None:
        await bot.run(passed)
        with pytest.raises(NotPermitted, match=f"only an owner may override a gate, and your role is {role}"):
            await activate(acting(bot.context, role), 2, URGENT)
        assert await active(bot.context) == 1

    async def test_its_reason_can_be_kept_by_every_database(self, bot: Gated) -> None:
        with pytest.raises(Misfit, match="/override/reason: holds a NUL character"):
            await activate(bot.context, 2, OverrideReason(reason="urgent\0"))
        assert await active(bot.context) == 1

    async def test_each_is_kept(self, bot: Gated) -> None:
        for number in (2, 1, 2):
            await activate(bot.context, number, URGENT)
        assert await overridden(bot.context) == [2, 1, 2]
        page = await gates.overrides_of(bot.context, BOT, 2, 2)
        assert ([made.version for made in page.items], page.total) == ([2], 3)
        with pytest.raises(NotFound):
            await gates.overrides_of(bot.context, "nobody", 1, 20)


async def test_a_deleted_target_takes_its_gate_along(bot: Gated) -> None:
    run = await bot.run(8)
    await runs.delete(bot.context, run.id)
    await targets.delete(bot.context, BOT)
    with pytest.raises(NotFound):
        await gates.get(bot.context, BOT)
    again = await gated(bot.context)
    assert "no complete run" in await again.words()
