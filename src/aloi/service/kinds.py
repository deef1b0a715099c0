"""What kinds there are of evaluators, targets and tools."""

from aloi.core.errors import InvalidInput
from aloi.core.evaluator import Evaluator
from aloi.core.listing import KindInfo
from aloi.core.spec import Spec, valid
from aloi.core.target import Target
from aloi.core.tool import Tool
from aloi.plugins import kinds, load
from aloi.service.context import Context

FAMILIES: dict[str, type[Spec]] = {"evaluators": Evaluator, "targets": Target, "tools": Tool}


def described(context: Context, family: str) -> list[KindInfo]:
    """Every kind of a family, by name.

    Raises:
        InvalidInput: there is no such family.
    """
    if family not in FAMILIES:
        raise InvalidInput(f"there is no family {family!r} of kinds; the families are: {', '.join(FAMILIES)}")
    found = [load(family, kind, FAMILIES[family]) for kind in kinds(family)]
    return [
        valid(KindInfo, {**kind.describe(), "allowed": _allowed(context, kind)}, f"kind {kind.kind}") for kind in found
    ]


def _allowed(context: Context, kind: type[Spec]) -> bool:
    runs_code = bool(getattr(kind, "runs_code", False))
    return context.settings.allow_code or not runs_code
