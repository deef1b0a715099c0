"""Every test of a route runs on every kind of database."""

import pytest

from tests.store.backends import BACKENDS

ADDRESS = "database_address"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test that needs a database one of each kind, unless it says itself which."""
    named = [str(mark.args[0]) for mark in metafunc.definition.iter_markers("parametrize")]
    if ADDRESS in metafunc.fixturenames and not any(ADDRESS in names for names in named):
        metafunc.parametrize(ADDRESS, BACKENDS, indirect=True)
