import stat
from pathlib import Path

import pytest

from aloi.client.credentials import save_token
from aloi.core.access import Role
from aloi.service.accounts import members
from tests.cli.conftest import Aloi
from tests.cli.serving import ThreadServer

EMAIL, PASSWORD = "ada@example.org", "four words that differ"


@pytest.fixture
def member(server: ThreadServer) -> str:
    """The id of a member with a password."""
    return server.do(members.add(server.context, EMAIL, Role.VIEWER, PASSWORD)).member.id


def test_sign_in_work_and_sign_out(aloi: Aloi, server: ThreadServer, member: str, tmp_path: Path) -> None:
    ended = aloi("login", server.url + "/", "--email", EMAIL, stdin=f"{PASSWORD}\n".encode())
    assert ended.code == 0, ended.err
    assert f"as {EMAIL} (viewer, workspace default)" in ended.out
    assert PASSWORD not in ended.out + ended.err
    kept = tmp_path / "home" / "credentials.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "There is no run here" in aloi("--server", server.url, "runs", "list").out
    assert "yours is viewer" in aloi("--server", server.url, "api-keys", "list").err
    assert aloi("logout", server.url).out == f"Signed out of {server.url}.\n"
    assert "aloi login" in aloi("--server", server.url, "runs", "list").err
    again = aloi("logout", server.url)
    assert again.code == 2
    assert "nobody is signed in" in again.err


def test_by_a_link_of_the_server_in_the_environment(
    aloi: Aloi, there: ThreadServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = aloi("users", "add", EMAIL, "--role", "owner").out
    link = said.split()[-1]
    monkeypatch.delenv("ALOI_API_KEY")
    monkeypatch.setenv("ALOI_HOME", str(there.context.settings.home / "mine"))
    ended = aloi("login", "--link", link)
    assert ended.code == 0, ended.err
    assert EMAIL in aloi("users", "list").out
    used = aloi("login", "--link", link)
    assert used.code == 2
    assert "that link was used already" in used.err


def test_a_key_in_the_environment_goes_before_it(
    aloi: Aloi, server: ThreadServer, member: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALOI_API_KEY", "aloi_old")
    ended = aloi("login", server.url, "--email", EMAIL, stdin=PASSWORD.encode())
    assert ended.code == 0
    assert "ALOI_API_KEY is set, and goes before this" in ended.err


def test_a_session_that_was_ended_there(aloi: Aloi, server: ThreadServer, member: str, tmp_path: Path) -> None:
    aloi("login", server.url, "--email", EMAIL, stdin=PASSWORD.encode())
    server.do(members.change(server.context, member, forget=True))
    ended = aloi("--server", server.url, "runs", "list")
    assert ended.code == 2
    assert "that token is not valid" in ended.err
    assert aloi("logout", server.url).code == 0


@pytest.mark.parametrize(
    ("options", "stdin", "said"),
    [
        (("--email", EMAIL), b"wrong", "the email or the password is not right"),
        (("--email", "nobody@example.org"), PASSWORD.encode(), "the email or the password is not right"),
        (("--email", EMAIL), b"", "no password was given"),
        ((), b"x", "--email"),
        (("--link", "http://elsewhere/?token=nothing"), b"", "that link was used already"),
    ],
)
def test_what_does_not_sign_in(
    aloi: Aloi, server: ThreadServer, member: str, options: tuple[str, ...], stdin: bytes, said: str, tmp_path: Path
) -> None:
    ended = aloi("login", server.url, *options, stdin=stdin)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err
    assert not (tmp_path / "home").exists()


def test_too_many_tries(aloi: Aloi, server: ThreadServer, member: str) -> None:
    codes = [aloi("login", server.url, "--email", EMAIL, stdin=b"wrong").code for _ in range(6)]
    assert codes == [2] * 5 + [3]


@pytest.mark.parametrize("command", ["login", "logout"])
@pytest.mark.parametrize(
    ("server", "code", "said"),
    [
        ((), 2, "which server?"),
        (("example.org",), 2, "'example.org' is no address"),
        (("http://127.0.0.1:1",), 3, "gives no answer"),
    ],
)
def test_which_server(aloi: Aloi, command: str, server: tuple[str, ...], code: int, said: str, tmp_path: Path) -> None:
    options = ("--link", "token") if command == "login" else ()
    if command == "logout" and code == 3:
        save_token(tmp_path / "home", server[0], "a-token")
    ended = aloi(command, *server, *options)
    assert (ended.code, ended.out) == (code, "")
    assert said in ended.err
    assert "nobody is signed in" in aloi("logout", "http://127.0.0.1:1").err
