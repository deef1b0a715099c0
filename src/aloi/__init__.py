"""Aloi: evaluate AI agents and workflows before and after they are deployed.

`evaluate`, `evaluate_sync` and `grade` are loaded when they are first used, so that importing a part of Aloi costs
nothing of the rest.
"""

from typing import TYPE_CHECKING, Any

from aloi.core.loading import module

if TYPE_CHECKING:
    from aloi.sdk.evaluate import Report, evaluate, evaluate_sync
    from aloi.sdk.grade import grade

__all__ = ["Report", "evaluate", "evaluate_sync", "grade"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(module("aloi.sdk.grade" if name == "grade" else "aloi.sdk.evaluate"), name)
    raise AttributeError(f"module 'aloi' has no attribute {name!r}")
