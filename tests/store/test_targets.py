"""Targets and their versions."""

import pytest

from aloi.core.errors import Conflict, NotFound
from aloi.store import targets
from aloi.store.database import Database
from tests.store.samples import HASH, NOW, new_id

OTHER_HASH = "cd" * 32


async def test_a_target_is_created_once(db: Database):
    async with db.transaction() as tx:
        first = await targets.ensure(tx, "bot", "openai", new_id, NOW)
        assert await targets.ensure(tx, "bot", "openai", new_id, NOW) == first
        with pytest.raises(Conflict, match="'bot' is of kind openai, not http"):
            await targets.ensure(tx, "bot", "http", new_id, NOW)


async def test_an_equal_version_is_used_again_even_when_it_is_not_the_newest(db: Database):
    async with db.transaction() as tx:
        bot = await targets.ensure(tx, "bot", "openai", new_id, NOW)
        one = await targets.add_version(tx, bot, {"model": "é"}, {"source": "x"}, HASH, new_id, NOW)
        two = await targets.add_version(tx, bot, {"model": "b"}, {}, OTHER_HASH, new_id, NOW)
        assert (one.number, two.number) == (1, 2)
        assert await targets.add_version(tx, bot, {"model": "é"}, {"source": "x"}, HASH, new_id, NOW) == one
    async with db.read() as rx:
        assert await targets.version_by_id(rx, one.id) == one
        assert await targets.version(rx, "bot", 2) == two


async def test_the_first_version_is_active_and_stays_so(db: Database):
    async with db.transaction() as tx:
        bot = await targets.ensure(tx, "bot", "openai", new_id, NOW)
        with pytest.raises(NotFound, match="no active version"):
            await targets.version(tx, "bot")
        one = await targets.add_version(tx, bot, {}, {}, HASH, new_id, NOW)
        await targets.add_version(tx, bot, {"a": 1}, {}, OTHER_HASH, new_id, NOW)
        assert await targets.version(tx, "bot") == one
        assert await targets.get(tx, bot.id) == await targets.get(tx, "bot")
        assert [(t.name, t.active, t.versions) for t in await targets.listing(tx)] == [("bot", 1, 2)]


async def test_a_target_that_has_an_id_for_its_name_does_not_stand_in_the_place_of_another(db: Database):
    async with db.transaction() as tx:
        bot = await targets.ensure(tx, "bot", "openai", new_id, NOW)
        shadow = await targets.ensure(tx, bot.id, "openai", new_id, NOW)
        assert shadow.id != bot.id
        assert (await targets.get(tx, bot.id), await targets.hold(tx, bot.id)) == (bot, bot)
        assert await targets.get(tx, shadow.id) == shadow
        with pytest.raises(Conflict, match="already"):
            await targets.create(tx, shadow.model_copy(update={"id": new_id()}))


async def test_what_is_not_there_is_named(db: Database):
    async with db.transaction() as tx:
        bot = await targets.ensure(tx, "bot", "openai", new_id, NOW)
        await targets.add_version(tx, bot, {}, {}, HASH, new_id, NOW)
    async with db.read() as rx:
        with pytest.raises(NotFound, match="'nobody'"):
            await targets.version(rx, "nobody")
        with pytest.raises(NotFound, match="no version 7; its versions are 1 to 1"):
            await targets.version(rx, "bot", 7)
        with pytest.raises(NotFound, match="no target version"):
            await targets.version_by_id(rx, new_id())
