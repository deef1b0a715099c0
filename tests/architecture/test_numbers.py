"""Wherever people write a number, `true` is none: in every kind, and in the body of every route."""

import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
from fastapi.routing import iter_route_contexts
from pydantic import BaseModel, ValidationError

from aloi.api.app import create_app
from aloi.core.evaluator import Evaluator
from aloi.core.spec import Spec
from aloi.core.step import Step
from aloi.core.target import Target
from aloi.core.tool import Tool
from aloi.plugins import kinds, load

FAMILIES: dict[str, type[Spec]] = {"evaluators": Evaluator, "targets": Target, "steps": Step, "tools": Tool}


def parts(annotation: Any) -> Iterator[Any]:
    """The types that an annotation is made of."""
    if get_origin(annotation) is Literal:
        return
    yield annotation
    for inner in get_args(annotation):
        yield from parts(inner)


def models(annotation: Any, known: set[type[BaseModel]]) -> set[type[BaseModel]]:
    """The models in an annotation, with those of their fields."""
    for part in parts(annotation):
        if isinstance(part, type) and issubclass(part, BaseModel) and part not in known:
            known.add(part)
            for field in part.model_fields.values():
                models(field.annotation, known)
    return known


def alternatives(annotation: Any) -> set[Any]:
    """What a value itself may be."""
    if get_origin(annotation) is Annotated:
        return alternatives(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        return set[Any]().union(*map(alternatives, get_args(annotation)))
    return {annotation}


def numbers(model: type[BaseModel]) -> list[str]:
    """The fields of a model that are a number, and never true or false."""
    wanted = {int, float, type(None)}
    return [
        name
        for name, field in model.model_fields.items()
        if (found := alternatives(field.annotation)) & {int, float} and found <= wanted
    ]


def takes(model: type[BaseModel], name: str) -> bool:
    """Whether a field takes `true`."""
    try:
        model.model_validate({name: True, "spec": {}})  # an evaluator without its spec apart is another form
    except ValidationError as error:
        return not any(fault["loc"][:1] == (name,) for fault in error.errors())
    return True


def flagged(roots: Iterator[Any]) -> list[str]:
    """The fields that take `true` for a number."""
    known: set[type[BaseModel]] = set()
    for root in roots:
        models(root, known)
    return sorted(f"{model.__name__}.{name}" for model in known for name in numbers(model) if takes(model, name))


@pytest.mark.parametrize("family", FAMILIES)
def test_no_kind_takes_true_for_a_number(family: str) -> None:
    assert flagged(load(family, kind, FAMILIES[family]) for kind in kinds(family)) == []


def test_no_body_takes_true_for_a_number() -> None:
    fields = [getattr(route, "body_field", None) for route in iter_route_contexts(create_app(None).routes)]
    bodies = [field.field_info.annotation for field in fields if field is not None]
    assert len(bodies) > 20
    assert flagged(iter(bodies)) == []
