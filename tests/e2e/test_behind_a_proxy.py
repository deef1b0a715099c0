"""`aloi serve` behind a proxy that ends TLS: what it believes of the headers that a proxy sets, and from whom."""

import json
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from tests.e2e.command import ALOI, Command

PUBLIC = "https://aloi.example.org"
EMAIL, PASSWORD = "ada@example.org", "four words that differ"
Serve = Callable[..., str]


class Answered(NamedTuple):
    """The status of an answer, and the cookie that it sets."""

    status: int
    cookie: str


@pytest.fixture
def serve(aloi: Command) -> Iterator[Serve]:
    """Starts the server with more variables in its environment; gives the address that it listens on."""
    started: list[subprocess.Popen[str]] = []

    def call(**environ: str) -> str:
        command = [ALOI, "serve", "--port", "0"]
        process = subprocess.Popen(
            command, env={**aloi.environ, **environ}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout is not None
        return process.stdout.readline().split()[-1]

    yield call
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def member(aloi: Command) -> None:
    """A member with a password."""
    added = subprocess.run(
        [ALOI, "users", "add", EMAIL, "--role", "owner", "--password"],
        env=aloi.environ,
        input=PASSWORD,
        capture_output=True,
        text=True,
        check=False,
    )
    assert added.returncode == 0, added.stderr


def sign_in(address: str, email: str = EMAIL, password: str = PASSWORD, **headers: str) -> Answered:
    """Sign in through a proxy that sets these headers: `X_Forwarded_For` and the like."""
    body = json.dumps({"email": email, "password": password}).encode()
    request = urllib.request.Request(f"{address}/api/auth/login", body, {"Content-Type": "application/json"})
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            return Answered(reply.status, reply.headers["Set-Cookie"])
    except urllib.error.HTTPError as error:
        return Answered(error.code, "")


def test_nobody_could_sign_in_yet(aloi: Command) -> None:
    """Others reach it through the proxy, so no link is printed that would make its reader the owner."""
    aloi.environ["ALOI_PUBLIC_URL"] = PUBLIC
    refused = aloi.run("serve", "--port", "0")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert f"{PUBLIC} can be reached from other machines" in refused.stderr
    assert "aloi users add EMAIL --role owner" in refused.stderr
    added = aloi.run("users", "add", "bob@example.org", "--role", "owner")
    assert re.search(rf"{PUBLIC}/sign-in\?token=\S+", added.stdout)


@pytest.mark.usefixtures("member")
def test_the_proxy_is_believed(serve: Serve) -> None:
    address = serve(ALOI_PUBLIC_URL=PUBLIC)
    assert "Secure" in sign_in(address, X_Forwarded_Proto="https").cookie
    assert "Secure" not in sign_in(address, X_Forwarded_Proto="http").cookie
    for number in range(5):
        wrong = sign_in(address, f"m{number}@example.org", "wrong", X_Forwarded_For="203.0.113.7")
        assert wrong.status == 401
    assert sign_in(address, X_Forwarded_For="203.0.113.7").status == 429
    # What a client says of itself stands before what the proxy adds.
    assert sign_in(address, X_Forwarded_For="198.51.100.1, 203.0.113.7").status == 429
    assert sign_in(address, X_Forwarded_For="203.0.113.8").status == 200


@pytest.mark.usefixtures("member")
@pytest.mark.parametrize("environ", [{}, {"ALOI_PUBLIC_URL": PUBLIC, "ALOI_PROXIES": "203.0.113.1"}])
def test_nobody_else_is_believed(serve: Serve, environ: dict[str, str]) -> None:
    address = serve(**environ)
    assert "Secure" not in sign_in(address, X_Forwarded_Proto="https").cookie
    for number in range(5):
        spoofed = {"X_Forwarded_For": f"203.0.113.{number}"}
        assert sign_in(address, f"m{number}@example.org", "wrong", **spoofed).status == 401
    assert sign_in(address, X_Forwarded_For="203.0.113.9").status == 429
