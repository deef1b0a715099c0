"""What members who are narrowed to some targets may not change; what they may not see, `store.narrowing` withholds."""

from collections.abc import Sequence

from aloi.core.dataset import Dataset
from aloi.core.errors import NotFound, NotPermitted
from aloi.core.listing import DatasetEntry
from aloi.service.context import Context
from aloi.store import gates, targets
from aloi.store.connection import Connection
from aloi.store.narrowing import whole

ASK = "ask an owner"
MAKING = "make targets"


def refuse_narrowed(context: Context, doing: str) -> None:
    """Nothing for who sees all targets.

    Args:
        doing: what is refused, as in "you may not make targets".

    Raises:
        NotPermitted: the caller is narrowed to some.
    """
    if context.principal.targets is not None:
        raise NotPermitted(f"you are granted some targets only, so you may not {doing}; {ASK}")


async def refuse_new_target(context: Context, tx: Connection, name: str) -> None:
    """Nothing when there is a target of that name, or the caller may make one.

    Raises:
        NotPermitted: they are narrowed, and see none.
    """
    if context.principal.targets is None:
        return
    try:
        await targets.get(tx, name)
    except NotFound:
        refuse_narrowed(context, MAKING)


async def refuse_change(context: Context, tx: Connection, dataset: Dataset) -> None:
    """Nothing when the caller may change a dataset, or make it: it decides about targets that they are granted alone.

    Raises:
        NotPermitted: they are narrowed, and it is not of a target of theirs, or another target's gate is on it.
    """
    granted = context.principal.targets
    if granted is None:
        return
    if dataset.target_id not in granted:
        raise NotPermitted(
            f"the dataset {dataset.name!r} is not of a target that you are granted, so you may use it, not change it; "
            f"take one of a target of yours, or {ASK}"
        )
    if await gates.others_on(whole(tx), dataset.id, granted):
        raise NotPermitted(
            f"the dataset {dataset.name!r} decides which versions of a target may become active that you are not "
            f"granted, so you may not change it; {ASK}"
        )


async def with_changeable(context: Context, rx: Connection, entries: Sequence[DatasetEntry]) -> list[DatasetEntry]:
    """Datasets of a list, each with whether `refuse_change` would let the caller change it."""
    granted = context.principal.targets
    if granted is None:
        return list(entries)
    return [entry.model_copy(update={"may_change": await _is_theirs(rx, entry, granted)}) for entry in entries]


async def _is_theirs(rx: Connection, entry: DatasetEntry, granted: Sequence[str]) -> bool:
    return entry.target_id in granted and not await gates.others_on(whole(rx), entry.id, granted)
