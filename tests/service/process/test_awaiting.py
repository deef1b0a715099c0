"""When a trace that is waited for has come to rest."""

from pathlib import Path

import pytest

from aloi.core.access import FIRST_WORKSPACE
from aloi.service.context import Context
from aloi.service.process.awaiting import Awaited, Watch


@pytest.fixture
def watch(context: Context) -> Watch:
    return Watch(context.database, FIRST_WORKSPACE, "ab" * 16, idle=1.0)


async def test_something_came_and_then_nothing_for_a_while(watch: Watch):
    for count, at in ((0, 1.0), (0, 9.0), (2, 10.0), (2, 10.9)):
        watch.saw(count, at)
    assert not await watch.came_to_rest(0)
    watch.saw(2, 11.0)
    assert await watch.came_to_rest(0)


async def test_it_is_told_once_until_something_comes_again(watch: Watch):
    for count, at in ((2, 10.0), (2, 11.0), (2, 12.0)):
        watch.saw(count, at)
    assert await watch.came_to_rest(0)
    watch.saw(2, 13.0)
    assert not await watch.came_to_rest(0)
    watch.saw(3, 14.0)
    watch.saw(3, 15.0)
    assert await watch.came_to_rest(0)


async def test_a_database_that_is_gone_for_a_moment_ends_no_watch(context: Context, tmp_path: Path):
    awaited = Awaited()
    gone = await Context.open(context.settings.model_copy(update={"home": tmp_path / "gone"}), {})
    await gone.close()
    with awaited.watching(Watch(gone.database, FIRST_WORKSPACE, "ab" * 16, idle=0.1)) as watch:
        assert not await watch.came_to_rest(0.15)
        assert awaited.looks >= 1
