"""What `aloi serve` says; what it does is in `tests/e2e/test_serve.py`."""

import pytest

from aloi.cli.serve import announce


def test_the_address_and_the_link(capsys: pytest.CaptureFixture[str]) -> None:
    announce(None, "http://127.0.0.1:8080", "/sign-in?token=abc")
    assert capsys.readouterr().out.splitlines() == [
        "Aloi is at http://127.0.0.1:8080",
        "Sign in, once, by: http://127.0.0.1:8080/sign-in?token=abc",
        "Ctrl-C stops it; runs that are going on are taken up again by the next `aloi serve`.",
    ]


def test_no_link_behind_a_proxy(capsys: pytest.CaptureFixture[str]) -> None:
    announce("https://aloi.example.org", "http://localhost:8080", None)
    assert capsys.readouterr().out.splitlines()[:1] == [
        "Aloi is at https://aloi.example.org, by way of http://localhost:8080"
    ]
