"""The contract of `Administration`: every method, whoever stands behind it."""

from datetime import timedelta

import pytest

from aloi.core.access import PASSWORD_LEAST, Grants, Role
from aloi.core.errors import Conflict, InvalidInput, NotFound, Stale
from aloi.core.gate import ActivationRefused, DatasetGate, Gate
from aloi.service.clock import now
from tests.contracts.administrations import Both
from tests.contracts.clients import UNKNOWN, echo, recorded, replay, save
from tests.model_server import ModelServer

STRANGE = ("nobody", UNKNOWN, "", "a/b?c#d", "é 😀", "..")


class TestTargets:
    async def test_list_and_read(self, both: Both) -> None:
        administration, client, _ = both
        assert (await administration.targets()).items == ()
        for name in ("one", "two/é", "three"):
            await client.save_target(name, replay(a=name))
        page = await administration.targets(size=2)
        assert ([target.name for target in page.items], page.total, page.pages) == (["three", "two/é"], 3, 2)
        assert [target.name for target in (await administration.targets("O")).items] == ["two/é", "one"]
        found = await administration.target("two/é")
        assert (found.kind, found.active, found.versions) == ("replay", 1, 1)
        assert found.active_version is not None
        assert found.active_version.definition == {"kind": "replay", "outputs": {"a": "two/é"}}
        assert await administration.target(found.id) == found

    async def test_versions_and_the_active_one(self, both: Both) -> None:
        administration, client, _ = both
        first, second = [await client.save_target("bot", replay(a=answer)) for answer in ("1", "2")]
        assert (await administration.target_versions("bot")).items == (second, first)
        assert (await administration.target_versions("bot", page=2, size=1)).items == (first,)
        changed = await administration.activate("bot", 2)
        assert (changed.active, changed.active_version) == (2, second)
        assert await client.target_version("bot") == second
        for number in (3, 0, -1):
            with pytest.raises((NotFound, InvalidInput)):
                await administration.activate("bot", number)

    async def test_delete(self, both: Both) -> None:
        administration, client, _ = both
        await client.save_target("idle", replay(a="1"))
        await administration.delete_target("idle")
        with pytest.raises(NotFound, match="idle"):
            await administration.target("idle")
        await save(client, "a")
        await recorded(client, a="ok")
        with pytest.raises(Conflict, match="1 run evaluated"):
            await administration.delete_target("bot")

    async def test_invoke(self, both: Both, model_server: ModelServer) -> None:
        administration, client, _ = both
        await client.save_target("bot", echo(model_server))
        await client.save_target("bot", echo(model_server, "status:400"))
        execution = await administration.invoke("bot", "Où ?")
        assert (execution.output, execution.version, execution.target_name) == ("Où ?", 1, "bot")
        assert execution.outcome.usage.calls == 1
        failed = await administration.invoke("bot", {"q": 1}, version=2)
        assert failed.output is None and failed.outcome.failure is not None
        assert failed.outcome.failure.stage == "invoke"
        with pytest.raises(NotFound, match="9"):
            await administration.invoke("bot", "x", version=9)

    @pytest.mark.parametrize("ref", STRANGE)
    async def test_one_that_is_not_there(self, both: Both, ref: str) -> None:
        administration = both.administration
        for call in (
            administration.target(ref),
            administration.target_versions(ref),
            administration.activate(ref, 1),
            administration.delete_target(ref),
            administration.invoke(ref, "x"),
            administration.gate(ref),
            administration.set_gate(ref, Gate(policies=())),
            administration.overrides(ref),
        ):
            with pytest.raises(NotFound):
                await call


class TestGates:
    async def bot(self, both: Both) -> None:
        """A target of two versions; each of two cases passes in the second alone. Its threshold on them is 1."""
        await save(both.client, "a", "b")
        await recorded(both.client, a="ok", b="no")
        await recorded(both.client, a="ok", b="ok")
        await both.administration.set_gate("bot", Gate(policies=(DatasetGate(dataset_id="data", threshold=1),)))

    async def test_what_it_says(self, both: Both) -> None:
        administration, client, _ = both
        await self.bot(both)
        newest, first = await administration.gate("bot"), await administration.gate("bot", 1)
        assert (newest.version, newest.allowed, first.version, first.allowed) == (2, True, 1, False)
        [policy] = first.policies
        assert (policy.dataset_name, policy.standing, policy.decision.ruling) == ("data", "found", "below")
        assert policy.dataset_id == (await client.dataset("data")).id
        with pytest.raises(NotFound):
            await administration.gate("bot", 3)

    async def test_it_is_set_whole_and_as_it_was_read(self, both: Both) -> None:
        administration = both.administration
        await self.bot(both)
        read = (await administration.gate("bot")).gate
        changed = await administration.set_gate("bot", Gate(policies=()), read)
        assert (changed.policies, changed.allowed) == ((), True)
        with pytest.raises(Stale, match="'bot'"):
            await administration.set_gate("bot", Gate(policies=()), read)
        with pytest.raises(InvalidInput, match="nothing"):
            await administration.set_gate("bot", Gate(policies=(DatasetGate(dataset_id="nothing", threshold=1),)))

    async def test_a_refusal_has_all_figures(self, both: Both) -> None:
        administration = both.administration
        await self.bot(both)
        await administration.activate("bot", 2)
        with pytest.raises(ActivationRefused, match="bot@1 may not become active: on 'data' refused: 1/2") as refused:
            await administration.activate("bot", 1)
        assert refused.value.state == await administration.gate("bot", 1)

    async def test_an_override_is_kept(self, both: Both) -> None:
        administration = both.administration
        await self.bot(both)
        await administration.activate("bot", 2, override="not needed")
        assert (await administration.overrides("bot")).items == ()
        changed = await administration.activate("bot", 1, override="é urgent")
        assert changed.active_version is not None and changed.active_version.overridden
        page = await administration.overrides("bot", size=1)
        assert [(made.version, made.reason) for made in page.items] == [(1, "é urgent")]
        assert page.items[0].state == await administration.gate("bot", 1)
        for reason in ("", " "):
            with pytest.raises(InvalidInput, match="reason"):
                await administration.activate("bot", 2, override=reason)


class TestMembers:
    async def test_add_with_and_without_a_password(self, both: Both) -> None:
        administration = both.administration
        assert (await administration.members()).items == ()
        ada = await administration.add_member(" Ada@Example.org ", Role.OWNER)
        assert (ada.member.email, ada.member.role, ada.member.has_password) == ("ada@example.org", Role.OWNER, False)
        assert ada.link is not None and ada.link.startswith("/sign-in?token=")
        bob = await administration.add_member("bob@example.org", Role.VIEWER, "p" * PASSWORD_LEAST)
        assert (bob.member.has_password, bob.link) == (True, None)
        assert (await administration.members()).items == (bob.member, ada.member)
        assert (await administration.members(page=2, size=1)).items == (ada.member,)

    async def test_roles_and_links(self, both: Both) -> None:
        administration = both.administration
        await administration.add_member("ada@example.org", Role.OWNER)
        bob = (await administration.add_member("bob@example.org", Role.VIEWER)).member
        assert (await administration.set_role("BOB@example.org", Role.EDITOR)).role is Role.EDITOR
        assert (await administration.set_role(bob.id, Role.EDITOR)).role is Role.EDITOR
        links = {(await administration.sign_in_link(ref)).link for ref in (bob.id, bob.email)}
        assert len(links) == 2 and None not in links

    async def test_an_owner_stays(self, both: Both) -> None:
        administration = both.administration
        await administration.add_member("ada@example.org", Role.OWNER)
        with pytest.raises(Conflict, match="only owner"):
            await administration.set_role("ada@example.org", Role.VIEWER)
        with pytest.raises(Conflict, match="only owner"):
            await administration.remove_member("ada@example.org")
        await administration.add_member("bob@example.org", Role.OWNER)
        await administration.remove_member("ada@example.org")
        assert [member.email for member in (await administration.members()).items] == ["bob@example.org"]

    async def test_grants(self, both: Both) -> None:
        administration = both.administration
        await both.client.save_target("bot", replay(a="1"))
        await administration.add_member("ada@example.org", Role.OWNER)
        bob = (await administration.add_member("bob@example.org", Role.EDITOR)).member
        assert await administration.grants("BOB@example.org") == Grants(targets=None)
        for ref in ("bot", (await administration.target("bot")).id):
            narrowed = await administration.set_grants(bob.id, [ref, "bot"])
            assert narrowed.targets and [target.name for target in narrowed.targets] == ["bot"]
            assert await administration.grants(bob.id) == narrowed
        assert [member.granted for member in (await administration.members()).items] == [1, None]
        assert (await administration.set_grants(bob.id, [])).targets == ()
        with pytest.raises(Conflict, match=r"narrowed to 0 targets.*grant them all targets first"):
            await administration.set_role(bob.id, Role.OWNER)
        assert (await administration.set_grants(bob.id, None)).targets is None
        assert (await administration.set_role(bob.id, Role.OWNER)).granted is None
        with pytest.raises(Conflict, match="is an owner"):
            await administration.set_grants(bob.id, ["bot"])
        eve = (await administration.add_member("eve@example.org", Role.VIEWER)).member
        with pytest.raises(NotFound, match="there is no target 'nobody'"):
            await administration.set_grants(eve.id, ["nobody"])

    async def test_narrowed_from_the_beginning(self, both: Both) -> None:
        administration = both.administration
        await both.client.save_target("bot", replay(a="1"))
        await administration.add_member("ada@example.org", Role.OWNER)
        bob = (await administration.add_member("bob@example.org", Role.EDITOR, targets=["bot"])).member
        seen = (await administration.grants(bob.id)).targets
        assert (bob.granted, seen and [target.name for target in seen]) == (1, ["bot"])
        assert (await administration.add_member("eve@example.org", Role.VIEWER, targets=[])).member.granted == 0
        with pytest.raises(Conflict, match="is an owner"):
            await administration.add_member("leo@example.org", Role.OWNER, targets=[])
        assert len((await administration.members()).items) == 3

    async def test_what_does_not_do(self, both: Both) -> None:
        administration = both.administration
        await administration.add_member("ada@example.org", Role.EDITOR)
        with pytest.raises(Conflict, match=r"ada@example\.org"):
            await administration.add_member("ADA@example.org", Role.EDITOR)
        for email, password in (("nobody", None), ("x" * 300 + "@example.org", None), ("b@example.org", "short")):
            with pytest.raises(InvalidInput):
                await administration.add_member(email, Role.EDITOR, password)
        assert (await administration.members()).total == 1

    @pytest.mark.parametrize("ref", STRANGE)
    async def test_one_that_is_not_there(self, both: Both, ref: str) -> None:
        administration = both.administration
        for call in (
            administration.set_role(ref, Role.VIEWER),
            administration.sign_in_link(ref),
            administration.remove_member(ref),
            administration.grants(ref),
            administration.set_grants(ref, None),
        ):
            with pytest.raises(NotFound, match="aloi users list"):
                await call


class TestKeys:
    async def test_create_list_and_revoke(self, both: Both) -> None:
        administration, _, before = both
        soon = now() + timedelta(days=1)
        made = await administration.create_api_key("ci", Role.EDITOR, soon)
        assert made.secret.startswith(made.key.prefix)
        assert (made.key.name, made.key.role, made.key.last_used_at) == ("ci", Role.EDITOR, None)
        assert made.key.expires_at is not None and abs(made.key.expires_at - soon) < timedelta(seconds=1)
        page = await administration.api_keys(size=1)
        assert (page.items, page.total) == ((made.key,), 1 + before)
        await administration.revoke_api_key("ci")
        assert (await administration.api_keys()).total == before

    async def test_those_of_one_name_go_by_their_ids(self, both: Both) -> None:
        administration, _, before = both
        keys = [(await administration.create_api_key("ci", Role.VIEWER)).key for _ in range(2)]
        with pytest.raises(InvalidInput, match=keys[0].id):
            await administration.revoke_api_key("ci")
        await administration.revoke_api_key(keys[0].id)
        await administration.revoke_api_key("ci")
        assert (await administration.api_keys()).total == before

    async def test_what_does_not_do(self, both: Both) -> None:
        administration, _, before = both
        for name, expires_at in (("", None), ("x" * 300, None), ("past", now() - timedelta(days=1))):
            with pytest.raises(InvalidInput):
                await administration.create_api_key(name, Role.VIEWER, expires_at)
        assert (await administration.api_keys()).total == before

    @pytest.mark.parametrize("ref", STRANGE)
    async def test_one_that_is_not_there(self, both: Both, ref: str) -> None:
        with pytest.raises(NotFound, match="aloi api-keys list"):
            await both.administration.revoke_api_key(ref)
