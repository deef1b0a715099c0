"""Loading a module when it is first used: the one place that does it, so that starting costs little."""

from functools import cache
from importlib import import_module
from types import ModuleType


@cache
def module(name: str) -> ModuleType:
    """A module that is too heavy to import before it is used, e.g. `aloi.llm.providers`, or may not be installed.

    Raises:
        ModuleNotFoundError: it, or one that it imports, is not installed.
    """
    return import_module(name)
