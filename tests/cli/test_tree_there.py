"""What a server that is named does not let through: who has no key or the wrong one, whose role is too low; and none.

Each command has its line here: a new one fails the test until it has.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from aloi.cli.tree import COMMANDS, load_command
from aloi.core.access import Role
from tests.cli.conftest import Aloi
from tests.cli.serving import ThreadServer

SUITE = "SUITE"
NOTE = "note.txt"
REPLAY = {"kind": "replay", "outputs": {"a": "Paris"}}
# What a command needs, and how it is called; where several ran before, so that most find what they name.
NEEDS: tuple[tuple[Role, tuple[str, ...]], ...] = (
    (Role.EDITOR, ("run", SUITE)),
    (Role.VIEWER, ("runs", "list")),
    (Role.VIEWER, ("runs", "show", "latest")),
    (Role.VIEWER, ("runs", "export", "latest")),
    (Role.EDITOR, ("runs", "resume", "latest")),
    (Role.EDITOR, ("runs", "retry", "latest")),
    (Role.EDITOR, ("runs", "regrade", "latest")),
    (Role.EDITOR, ("runs", "cancel", "latest")),
    (Role.EDITOR, ("runs", "label", "latest", "a", "pass")),
    (Role.VIEWER, ("runs", "labels", "latest")),
    (Role.VIEWER, ("calibration",)),
    (Role.EDITOR, ("runs", "delete", "latest", "--yes")),
    (Role.VIEWER, ("compare", "latest", "latest")),
    (Role.EDITOR, ("datasets", "import", "cases.csv")),
    (Role.VIEWER, ("datasets", "list")),
    (Role.VIEWER, ("datasets", "export", "Suite")),
    (Role.VIEWER, ("evaluators", "list")),
    (Role.VIEWER, ("evaluators", "show", "contains")),
    (Role.VIEWER, ("targets", "list")),
    (Role.VIEWER, ("targets", "show", "Suite")),
    (Role.EDITOR, ("targets", "save", "Suite", json.dumps(REPLAY))),
    (Role.EDITOR, ("targets", "activate", "Suite", "1")),
    (Role.EDITOR, ("targets", "invoke", "Suite", "Hello")),
    (
        Role.EDITOR,
        ("schedules", "create", "n", "--target", "Suite", "--dataset", "Suite", "--every", "week", "--paused"),
    ),
    (Role.VIEWER, ("schedules", "list")),
    (Role.VIEWER, ("schedules", "show", "n")),
    (Role.EDITOR, ("schedules", "pause", "n")),
    (Role.EDITOR, ("schedules", "resume", "n")),
    (Role.EDITOR, ("schedules", "delete", "n")),
    (Role.EDITOR, ("online", "create", "Suite", "n", "--evaluator", '{"kind": "latency", "max": 5}')),
    (Role.VIEWER, ("online", "list", "Suite")),
    (Role.VIEWER, ("online", "show", "Suite", "n")),
    (Role.VIEWER, ("online", "results", "Suite", "n")),
    (Role.EDITOR, ("online", "disable", "Suite", "n")),
    (Role.EDITOR, ("online", "enable", "Suite", "n")),
    (Role.EDITOR, ("online", "delete", "Suite", "n")),
    (Role.VIEWER, ("gate", "check", "Suite")),
    (Role.VIEWER, ("gate", "show", "Suite")),
    (Role.OWNER, ("gate", "set", "Suite", "Suite", "0.8")),
    (Role.VIEWER, ("gate", "overrides", "Suite")),
    (Role.OWNER, ("gate", "remove", "Suite", "Suite")),
    (Role.EDITOR, ("targets", "delete", "Suite")),
    (Role.VIEWER, ("executions", "list")),
    (Role.VIEWER, ("executions", "show", "01")),
    (Role.VIEWER, ("executions", "waiting")),
    (Role.EDITOR, ("executions", "answer", "01", "approve", "yes")),
    (Role.EDITOR, ("executions", "cancel", "01")),
    (Role.EDITOR, ("executions", "to-case", "01", "Suite")),
    (Role.VIEWER, ("attachments", "list")),
    (Role.EDITOR, ("attachments", "add", NOTE)),
    (Role.EDITOR, ("attachments", "delete", hashlib.sha256(NOTE.encode()).hexdigest())),
    (Role.EDITOR, ("grade", "contains", "-p", "text=a", "-o", "a")),
    (Role.VIEWER, ("users", "list")),
    (Role.OWNER, ("users", "add", "new@example.org")),
    (Role.OWNER, ("users", "link", "new@example.org")),
    (Role.OWNER, ("users", "role", "new@example.org", "viewer")),
    (Role.OWNER, ("users", "grants", "new@example.org", "--none")),
    (Role.OWNER, ("users", "remove", "new@example.org")),
    (Role.OWNER, ("api-keys", "list")),
    (Role.OWNER, ("api-keys", "create", "ci")),
    (Role.OWNER, ("api-keys", "revoke", "ci")),
)
ASK_NO_SERVER = {"serve", "schema", "demo", "login", "logout"}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The files that the commands name, in the present folder; nothing is stored here."""
    monkeypatch.chdir(tmp_path)
    suite = {"name": "Suite", "target": REPLAY, "evaluators": [{"kind": "contains", "text": "Paris"}]}
    cases = [{"key": "a", "prompt": "Where?"}]
    (tmp_path / SUITE).write_text(json.dumps({**suite, "cases": cases}))
    (tmp_path / NOTE).write_text(NOTE)
    (tmp_path / "cases.csv").write_text("key,prompt\nx,Hello\n")
    yield
    assert not (tmp_path / "home" / "aloi.db").exists()


def test_every_command_has_its_line() -> None:
    leaves = {
        (name, *inner)
        for name, entry in COMMANDS.items()
        if name not in ASK_NO_SERVER
        for inner in [(part,) for part in getattr(load_command(entry), "commands", {})] or [()]
    }
    assert leaves == {words[:2] if words[:2] in leaves else words[:1] for _, words in NEEDS}


def test_an_owner_may_do_everything(aloi: Aloi, there: ThreadServer) -> None:
    refused = {words for _, words in NEEDS if "needs the role" in aloi(*words).err}
    assert refused == set()


@pytest.mark.parametrize("role", [Role.VIEWER, Role.EDITOR])
def test_a_lower_role_is_told_what_it_needs(
    aloi: Aloi, there: ThreadServer, role: Role, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert aloi("run", SUITE).code == aloi("users", "add", "new@example.org").code == 0
    assert aloi("attachments", "add", NOTE).code == 0
    assert aloi("gate", "set", "Suite", "Suite", "0.8").code == 0
    monkeypatch.setenv("ALOI_API_KEY", there.key(role))
    for needed, words in NEEDS:
        ended = aloi(*words)
        if role.may(needed):
            assert "needs the role" not in ended.err, words
        else:
            assert (ended.code, ended.out) == (2, ""), words
            assert f"this needs the role {needed}, and yours is {role}; ask an owner" in ended.err, words
    if role is Role.VIEWER:
        assert aloi("runs", "list").out.count("completed") == 1


@pytest.mark.parametrize(("key", "said"), [(None, "sign in"), ("aloi_wrong", "that token is not valid")])
def test_without_a_key_or_with_a_wrong_one(
    aloi: Aloi, server: ThreadServer, monkeypatch: pytest.MonkeyPatch, key: str | None, said: str
) -> None:
    monkeypatch.setenv("ALOI_SERVER", server.url)
    if key is not None:
        monkeypatch.setenv("ALOI_API_KEY", key)
    for _, words in NEEDS:
        ended = aloi(*words)
        assert (ended.code, ended.out) == (2, ""), words
        assert said in ended.err and f"aloi login {server.url}, or set ALOI_API_KEY" in ended.err, words


def test_a_server_that_is_not_there(aloi: Aloi) -> None:
    for _, words in NEEDS:
        ended = aloi("--server", "http://127.0.0.1:1", *words)
        assert (ended.code, ended.out) == (3, ""), words
        assert "the server http://127.0.0.1:1 gives no answer" in ended.err, words


def test_what_is_no_address(aloi: Aloi) -> None:
    for _, words in NEEDS:
        ended = aloi("--server", "example.org", *words)
        assert (ended.code, ended.out) == (2, ""), words
        assert "'example.org' is no address of a server" in ended.err, words
