"""The versions of saved evaluators: reading them, bringing one back, and telling which ones graded a run."""

from aloi.core.binding import Binding
from aloi.core.errors import NotFound
from aloi.core.listing import Page
from aloi.core.run import GradedBy
from aloi.core.saved_evaluator import EvaluatorVersion, SavedEvaluator
from aloi.service import saved_evaluators
from aloi.service.checks import refuse, refuse_stale, spec_faults
from aloi.service.clock import now
from aloi.service.context import Context
from aloi.service.evaluators import evaluator_builder
from aloi.store import evaluator_versions as stored
from aloi.store import evaluators, revisions, runs


async def listing(context: Context, evaluator_id: str, number: int, size: int) -> Page[EvaluatorVersion]:
    """A page, counted from 1, of an evaluator's versions, newest first; also of one that was deleted.

    Raises:
        NotFound: there never was such an evaluator.
    """
    async with context.database.read() as rx:
        total = await stored.count(rx, evaluator_id)
        items = await stored.page(rx, evaluator_id, (number - 1) * size, size)
    if not total:
        raise NotFound(f"there is no saved evaluator {evaluator_id!r}")
    return Page(items=tuple(items), total=total, page=number, size=size)


async def get(context: Context, evaluator_id: str, number: int) -> EvaluatorVersion:
    """A version by its number; also of an evaluator that was deleted.

    Raises:
        NotFound: there is none.
    """
    async with context.database.read() as rx:
        return await stored.get(rx, evaluator_id, number)


async def restore(context: Context, evaluator_id: str, number: int, if_match: str | None = None) -> SavedEvaluator:
    """Make what an earlier version says a new version; nothing where it is what the present one says.

    Raises:
        NotFound: there is no such evaluator, or no such version of it.
        Misfit: what it said does not fit its kind any more.
        NotPermitted: it runs code, which the operator does not allow.
        Stale: it was changed by somebody else.
    """
    async with context.database.transaction() as tx:
        await evaluators.lock(tx)
        present = await evaluators.get(tx, evaluator_id)
        refuse_stale(present.edited(), if_match, f"the evaluator {present.name!r}")
        version = await stored.get(tx, present.id, number)
        refuse(spec_faults(evaluator_builder(context.settings.allow_code), version.spec, ("spec",)))
        changed = present.model_copy(update={"spec": version.spec, "updated_at": now()})
        return await saved_evaluators.put(context, tx, present, changed, restores=number)


async def of_run(context: Context, ref: str) -> tuple[Binding, ...]:
    """The evaluators that a run froze, each saved one with the version that it was then.

    A revision is shared by all runs to which it is the same, whatever the version; so the run says which it was.

    Raises:
        NotFound: there is no such run.
    """
    async with context.database.read() as rx:
        run = await runs.get(rx, ref)
        revision = await revisions.get(rx, run.spec.revision_id)
    saved = {graded.name: graded for graded in run.spec.saved_evaluators}
    return tuple(_as_then(binding, saved.get(binding.name)) for binding in revision.bindings)


def _as_then(binding: Binding, saved: GradedBy | None) -> Binding:
    known = {"evaluator_id": saved and saved.evaluator_id, "version": saved and saved.version}
    return binding.model_copy(update=known)
