"""API keys."""

from datetime import timedelta

import pytest

from aloi.core.access import ApiKey, Role
from aloi.core.errors import InvalidInput, NotFound, NotPermitted, NotSignedIn
from aloi.service import audit
from aloi.service.accounts import access, api_keys
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.store import api_keys as stored
from aloi.store.database import Database


async def test_a_key_opens_its_workspace_on_an_empty_home(context: Context) -> None:
    made = await api_keys.create(context, "ci", Role.EDITOR)
    principal = await access.authenticate(context, made.secret)
    assert (principal.name, principal.role, principal.kind, principal.member_id) == ("ci", Role.EDITOR, "api_key", None)
    assert principal.workspace == context.principal.workspace
    assert made.secret.startswith(made.key.prefix) and len(made.key.prefix) == 11
    assert made.key.created_by == "local"


@pytest.mark.parametrize("name", ["bob@example.org", " Bob@Example.org ", "local", "LOCAL"])
async def test_it_passes_for_nobody_else(context: Context, name: str) -> None:
    with pytest.raises(InvalidInput, match="name it after what uses it"):
        await api_keys.create(context, name, Role.EDITOR)
    assert (await api_keys.create(context, "mail of bob@example.org", Role.EDITOR)).key.name


async def test_its_secret_is_stored_nowhere(context: Context) -> None:
    made = await api_keys.create(context, "ci", Role.EDITOR)
    [listed] = (await api_keys.listing(context)).items
    [entry] = (await audit.listing(context)).items
    assert made.secret not in listed.model_dump_json() + entry.model_dump_json()
    for file in context.settings.home.iterdir():
        assert made.secret[11:].encode() not in file.read_bytes()


async def test_use_is_written_down_once_a_minute(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    made = await api_keys.create(context, "ci", Role.EDITOR)

    async def last_used() -> ApiKey:
        [key] = (await api_keys.listing(context)).items
        return key

    assert (await last_used()).last_used_at is None
    await access.authenticate(context, made.secret)
    first = (await last_used()).last_used_at
    assert first is not None
    await access.authenticate(context, made.secret)
    assert (await last_used()).last_used_at == first
    monkeypatch.setattr(access, "now", lambda: first + timedelta(minutes=1))
    await access.authenticate(context, made.secret)
    assert (await last_used()).last_used_at == first + timedelta(minutes=1)


async def test_revoked_or_expired_it_opens_nothing(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = await api_keys.create(context, "kept", Role.VIEWER)
    revoked = await api_keys.create(context, "revoked", Role.VIEWER)
    expiring = await api_keys.create(context, "expiring", Role.VIEWER, now() + timedelta(hours=1))
    assert (await access.authenticate(context, expiring.secret)).name == "expiring"
    await api_keys.revoke(context, revoked.key.id)
    with pytest.raises(NotSignedIn):
        await access.authenticate(context, revoked.secret)
    monkeypatch.setattr(access, "now", lambda: now() + timedelta(hours=1, seconds=1))
    with pytest.raises(NotSignedIn):
        await access.authenticate(context, expiring.secret)
    assert (await access.authenticate(context, kept.secret)).name == "kept"
    actions = [entry.action for entry in (await audit.listing(context)).items]
    assert actions == ["api_key.revoke", *["api_key.create"] * 3]


async def test_no_role_above_ones_own(context: Context) -> None:
    editor = context.acting_as(context.principal.model_copy(update={"role": Role.EDITOR}))
    with pytest.raises(NotPermitted, match="owner is above your own role editor"):
        await api_keys.create(editor, "too much", Role.OWNER)
    assert (await api_keys.create(editor, "equal", Role.EDITOR)).key.role is Role.EDITOR


@pytest.mark.parametrize("name", ["", "x" * 201])
async def test_its_name(context: Context, name: str) -> None:
    with pytest.raises(InvalidInput, match="name"):
        await api_keys.create(context, name, Role.VIEWER)


async def test_it_cannot_have_expired_already(context: Context) -> None:
    with pytest.raises(InvalidInput, match="past"):
        await api_keys.create(context, "late", Role.VIEWER, now())


async def test_an_unknown_key(context: Context) -> None:
    for key_id in (new_id(), "nope", ""):
        with pytest.raises(NotFound, match="no API key"):
            await api_keys.revoke(context, key_id)


async def test_a_database_that_is_only_read_is_not_written(context: Context) -> None:
    made = await api_keys.create(context, "ci", Role.VIEWER)
    database = await Database.open(context.settings.database, read_only=True)
    try:
        reading = Context(context.settings, {}, database, context.models, context.blobs)
        assert (await access.authenticate(reading, made.secret)).name == "ci"
        async with database.read() as rx:
            assert (await stored.get(rx, made.key.id)).last_used_at is None
    finally:
        await database.close()
