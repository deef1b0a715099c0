"""Which evaluators a dataset binds: saved ones, which follow every change, and ones that are written there alone."""

from collections.abc import Sequence

from aloi.core.binding import Binding
from aloi.core.dataset import Dataset
from aloi.core.errors import NotFound
from aloi.core.misfit import Misplaced, pointer
from aloi.core.spec import JsonObject
from aloi.service.accounts.narrowed import refuse_change
from aloi.service.changes import record_change
from aloi.service.checks import checked, refuse, refuse_stale, spec_faults
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.evaluators import evaluator_builder
from aloi.store import datasets as stored
from aloi.store import evaluators
from aloi.store.connection import Connection


async def bind(context: Context, dataset_id: str, given: Sequence[JsonObject], if_match: str | None = None) -> Dataset:
    """Bind these evaluators to a dataset, and no others.

    Args:
        given: each either `{"evaluator_id", "weight"?}`, or one that is written here (see `written`).
        if_match: the dataset's ETag.

    Raises:
        Misfit: one does not fit; its place in the list is told.
        NotPermitted: one runs code, which the operator does not allow.
        NotFound: there is no such dataset.
        Stale: the dataset was changed.
    """
    async with context.database.transaction() as tx:
        await evaluators.lock(tx)
        dataset = await stored.hold_by_id(tx, dataset_id)
        await refuse_change(context, tx, dataset)
        refuse_stale(dataset.edited(), if_match, f"the dataset {dataset.name!r}")
        bindings = [await _bound(context, tx, fields, index) for index, fields in enumerate(given)]
        _saved_once(bindings)
        # Built anew, so that the names are made unique.
        changed = Dataset.model_validate({**dict(dataset), "bindings": tuple(bindings), "updated_at": now()})
        await stored.update(tx, changed)
        await record_change(context, tx, "dataset.bind", (dataset.id, dataset.name), dataset, changed)
    return changed


async def _bound(context: Context, tx: Connection, fields: JsonObject, index: int) -> Binding:
    """One evaluator as it is bound; `index` is its place in what was given."""
    evaluator_id = fields.get("evaluator_id")
    if isinstance(evaluator_id, str):
        weight = checked(Binding, {"name": "-", "spec": {}, "weight": fields.get("weight", 1.0)}, (index,)).weight
        return await _saved(tx, evaluator_id, weight, pointer((index, "evaluator_id")))
    binding = checked(Binding, written(fields), (index,))
    refuse(spec_faults(evaluator_builder(context.settings.allow_code), binding.spec, (index, *spec_place(fields))))
    return binding


async def _saved(tx: Connection, evaluator_id: str, weight: float, place: str) -> Binding:
    try:
        saved = await evaluators.get(tx, evaluator_id)
    except NotFound as absent:
        refuse([Misplaced(place, str(absent))])
        raise
    return saved.bound(weight)


def _saved_once(bindings: Sequence[Binding]) -> None:
    seen: set[str] = set()
    for index, binding in enumerate(bindings):
        if binding.evaluator_id in seen:
            place = pointer((index, "evaluator_id"))
            refuse([Misplaced(place, f"{binding.name!r} is bound twice; bind it once, with the weight it should have")])
        seen |= {binding.evaluator_id} if binding.evaluator_id else set()


def written(fields: JsonObject) -> JsonObject:
    """An evaluator that somebody wrote, as a `Binding` takes it.

    Args:
        fields: flat, `{"kind": "contains", "text": "Paris", "weight"?, "name"?}`, or with its spec apart,
            `{"spec": {"kind": ...}, "weight"?, "name"?}`. Null stands for what was not given.
    """
    own = ("evaluator_id", "kind", "name", "spec", "weight")
    given = {name: value for name, value in fields.items() if value is not None or name not in own}
    spec = given.get("spec")
    if isinstance(spec, dict) and "kind" in spec:
        return {"name": spec["kind"], **given}
    return given


def spec_place(fields: JsonObject) -> tuple[str, ...]:
    """Where the fields of a spec stand in what was written."""
    return ("spec",) if fields.get("spec") is not None else ()


async def resolved(context: Context, tx: Connection, bindings: Sequence[Binding]) -> tuple[Binding, ...]:
    """The bindings with what is saved now of those that name a saved evaluator; the others are checked.

    Raises:
        InvalidInput: a spec does not fit its kind, or there is no such saved evaluator.
        NotPermitted: one runs code, which the operator does not allow.
    """
    build = evaluator_builder(context.settings.allow_code)
    if any(binding.evaluator_id for binding in bindings):
        await evaluators.lock(tx)
    found: list[Binding] = []
    for binding in bindings:
        if binding.evaluator_id is None:
            build(binding.spec)
            found.append(binding)
        else:
            found.append(await _saved(tx, binding.evaluator_id, binding.weight, f"evaluator {binding.name!r}"))
    return tuple(found)
