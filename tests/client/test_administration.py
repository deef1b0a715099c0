"""Both kinds of `Administration` have its methods, with the same parameters."""

import inspect

import pytest

from aloi.client.administration import Administration
from aloi.client.http_administration import HttpAdministration
from aloi.client.local_administration import LocalAdministration

METHODS = [name for name in vars(Administration) if not name.startswith("_")]


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("kind", [LocalAdministration, HttpAdministration])
def test_a_method_has_the_parameters_of_the_protocol(kind: type, name: str) -> None:
    promised = inspect.signature(getattr(Administration, name))
    assert inspect.signature(getattr(kind, name)).parameters == promised.parameters
