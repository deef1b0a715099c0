"""Finds kinds by name: the one place that imports them, and only when one is built or described.

A kind is found in the folder of its family (`aloi.evaluators.contains`) or, from other packages, under the entry-point
group of that name. No list is edited to add one.
"""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, TypeVar

from aloi.core.errors import InvalidInput
from aloi.core.loading import module as module
from aloi.core.spec import Spec, valid

S = TypeVar("S", bound=Spec)


@cache
def kinds(family: str) -> tuple[str, ...]:
    """The names of all kinds of a family (`evaluators`, `targets`, `tools`), sorted; imports none of them."""
    return tuple(sorted({*_own(family), *_registered(family)}))


def has_kind(family: str, kind: str) -> bool:
    """Whether a family has a kind. Other packages are asked only when it is none of ours."""
    return kind in _own(family) or kind in _registered(family)


@cache
def _own(family: str) -> frozenset[str]:
    spec = find_spec(f"aloi.{family}")
    folders = spec.submodule_search_locations if spec else None
    names = (module.name for module in pkgutil.iter_modules(folders)) if folders else ()
    return frozenset(name for name in names if not name.startswith("_"))


@cache
def _registered(family: str) -> dict[str, str]:
    """Kinds of other packages, with their modules. Reading what is installed takes time, so it is done when needed."""
    points = module("importlib.metadata").entry_points(group=f"aloi.{family}")
    return {point.name: point.module for point in points}


def asked_others() -> bool:
    """Whether this process looked for kinds among other packages, so that code of theirs may have been imported."""
    return _registered.cache_info().currsize > 0


@cache
def load(family: str, kind: str, base: type[S]) -> type[S]:
    """The class of a kind, imported now.

    Raises:
        InvalidInput: there is no such kind; the message lists those there are.
    """
    if not has_kind(family, kind):
        raise InvalidInput(f"there is no kind {kind!r} among the {family}; the kinds are: {', '.join(kinds(family))}")
    source = import_module(f"aloi.{family}.{kind}" if kind in _own(family) else _registered(family)[kind])
    found = _class_in(source, kind, base)
    if found is None:
        raise InvalidInput(f"module {source.__name__} defines no {base.__name__} of kind {kind!r}")
    return found


def _class_in(source: ModuleType, kind: str, base: type[S]) -> type[S] | None:
    for value in vars(source).values():
        if isinstance(value, type) and issubclass(value, base) and getattr(value, "kind", None) == kind:
            return value
    return None


def build(family: str, spec: Mapping[str, Any], base: type[S]) -> S:
    """The instance that a stored spec describes.

    Raises:
        InvalidInput: no such kind, or fields that do not fit it; the message names each field.
    """
    fields = dict(spec)
    kind = fields.pop("kind", None)
    if not isinstance(kind, str):
        raise InvalidInput(f"a spec among the {family} lacks its kind; the kinds are: {', '.join(kinds(family))}")
    return valid(load(family, kind, base), fields, f"{family.removesuffix('s')} {kind}")
