"""Rules that grade the production executions of a target; what grades by them is in `grading`."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from pydantic import JsonValue

from aloi.core.binding import Binding
from aloi.core.case import Case
from aloi.core.errors import Conflict, NotFound
from aloi.core.listing import Page
from aloi.core.misfit import Misplaced, pointer
from aloi.core.online_result import bucket_of
from aloi.core.online_rule import BudgetUse, OnlineRule, OnlineRuleGiven
from aloi.core.saved_evaluator import SavedEvaluator
from aloi.core.spec import JsonObject
from aloi.service.accounts.narrowed import refuse_change
from aloi.service.binding import spec_place, written
from aloi.service.changes import record_change
from aloi.service.checks import checked, refuse, refuse_stale, spec_faults
from aloi.service.clock import new_id, now
from aloi.service.context import Context
from aloi.service.evaluators import evaluator_builder
from aloi.service.judges import judge_model
from aloi.service.online.verdict import unpriced_judge
from aloi.store import datasets, evaluators, online_figures, targets
from aloi.store import online_rules as stored
from aloi.store.connection import Connection
from aloi.store.narrowing import whole

RECENT = timedelta(hours=24)
NAMED = 20
FIELDS = set(OnlineRuleGiven.model_fields)
# An execution of production has an input, and nothing that was expected of it.
PLAIN = Case(input="an input")


async def create(context: Context, target: str, fields: JsonObject) -> OnlineRule:
    """A new rule. It grades executions that end from now on.

    Args:
        fields: those of `OnlineRuleGiven`; each evaluator as `binding.bind` takes it; the dataset by id or name.

    Raises:
        NotFound: there is no such target.
        Misfit: a field does not fit, or an evaluator needs what an execution of production has not.
        NotPermitted: an evaluator runs code, which the operator does not allow; or the dataset is none that the caller
            may change.
        Conflict: the name is taken.
    """
    at = now()
    async with context.database.transaction() as tx:
        target_id = (await targets.get(tx, target)).id
        rule = await _checked(context, tx, fields, (new_id(), target_id, at, at))
        await stored.create(tx, rule)
        made = await _shown(tx, await stored.get(tx, target_id, rule.id), at)
        await record_change(context, tx, "online_rule.create", (made.id, made.name), None, made.edited())
    return made


async def get(context: Context, target: str, ref: str) -> OnlineRule:
    """A rule of a target by its id or its name.

    Raises:
        NotFound: there is none.
    """
    async with context.database.read() as rx:
        return await _shown(rx, await stored.get(rx, (await targets.get(rx, target)).id, ref), now())


async def page(context: Context, target: str, q: str, number: int, size: int) -> Page[OnlineRule]:
    """A page, counted from 1, of a target's rules, newest first; `q`: a text in the name.

    Raises:
        NotFound: there is no such target.
    """
    async with context.database.read() as rx:
        target_id = (await targets.get(rx, target)).id
        found = await stored.page(rx, target_id, q, (number - 1) * size, size)
        items = await _all_shown(rx, found, now())
        total = await stored.count(rx, target_id, q)
    return Page(items=tuple(items), total=total, page=number, size=size)


async def update(
    context: Context, target: str, ref: str, changes: JsonObject, if_match: str | None = None
) -> OnlineRule:
    """Change a rule; what is not given stays, null clears. Executions that wait are graded by it as it then is.

    Raises:
        NotFound: there is none.
        Misfit, NotPermitted, Conflict: as `create`.
        Stale: it was changed by somebody else.
    """
    async with context.database.transaction() as tx:
        target_id = (await targets.get(tx, target)).id
        present = await stored.hold(tx, target_id, ref)
        refuse_stale(present.edited(), if_match, f"the online rule {present.name!r}")
        at = now()
        own = present.id, target_id, present.created_at, at
        changed = await _checked(context, tx, _cleared(changes), own, present)
        await stored.update(tx, changed)
        after = await _shown(tx, await stored.get(tx, target_id, present.id), at)
        thing = (after.id, after.name)
        await record_change(context, tx, "online_rule.update", thing, present.edited(), after.edited())
    return after


async def delete(context: Context, target: str, ref: str, if_match: str | None = None) -> None:
    """Delete a rule with its results and its figures. What its judges used stays counted.

    Raises:
        NotFound: there is none.
        Stale: it was changed by somebody else.
    """
    async with context.database.transaction() as tx:
        present = await stored.hold(tx, (await targets.get(tx, target)).id, ref)
        refuse_stale(present.edited(), if_match, f"the online rule {present.name!r}")
        await stored.delete(tx, present)
        await record_change(context, tx, "online_rule.delete", (present.id, present.name), present.edited(), None)


async def refuse_while_used(tx: Connection, evaluator: SavedEvaluator) -> None:
    """Nothing when no rule uses a saved evaluator.

    Raises:
        Conflict: some do; up to 20 are named.
    """
    names = await stored.names_binding(whole(tx), evaluator.id)
    if names:
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        raise Conflict(
            f"online rules use the evaluator {evaluator.name!r}: {', '.join(names[:NAMED])}{more}; take it off them "
            "first"
        )


async def present_evaluators(rx: Connection, rules: Sequence[OnlineRule]) -> list[tuple[Binding, ...]]:
    """The evaluators of each rule, those that are saved as they are now."""
    used = {binding.evaluator_id for rule in rules for binding in rule.evaluators}
    known = await stored.saved(rx, sorted(evaluator_id for evaluator_id in used if evaluator_id is not None))
    return [tuple(_as_now(binding, known) for binding in rule.evaluators) for rule in rules]


def _as_now(binding: Binding, known: Mapping[str, Binding]) -> Binding:
    """A binding as the saved evaluator is; one that is gone stays as it was."""
    now_saved = known.get(binding.evaluator_id or "")
    return binding if now_saved is None else now_saved.model_copy(update={"weight": binding.weight})


def _cleared(changes: JsonObject) -> JsonObject:
    """The changes with the default of each field that was cleared, where it has one that is not null."""
    fields = OnlineRuleGiven.model_fields
    return {
        name: fields[name].get_default(call_default_factory=True)
        if value is None and name in fields and not fields[name].is_required()
        else value
        for name, value in changes.items()
    }


async def _checked(
    context: Context,
    tx: Connection,
    fields: JsonObject,
    own: tuple[str, str, datetime, datetime],
    present: OnlineRule | None = None,
) -> OnlineRule:
    """The rule that was written. What is not written stays as it is, and is not looked at again.

    Args:
        fields: what was written.
        own: its id, its target's, when it was made and changed.
        present: the rule as it is; null for a new one.
    """
    kept: JsonObject = {} if present is None else present.model_dump(mode="json", include=FIELDS)
    given = fields.get("evaluators")
    bindings: JsonObject = {}
    if isinstance(given, list):
        await evaluators.lock(tx)
        found = [await _binding(context, tx, one, place) for place, one in enumerate(given)]
        bindings["evaluators"] = [one.model_dump(mode="json") for one in found]
    # A rule that is there may be switched off, whatever has become of its evaluators.
    rule = checked(OnlineRuleGiven, {**kept, **fields, **bindings})
    if fields.keys() & {"evaluators", "cost_per_day"}:
        _check_cost(context, rule)
    dataset_id = rule.drafts_dataset_id
    if fields.get("drafts_dataset_id") is not None:
        dataset_id = await _dataset_id(context, tx, dataset_id or "")
    rule_id, target_id, created_at, updated_at = own
    if fields.get("filters") is not None:
        await _check_version(tx, target_id, rule.filters.version)
    ids = {"id": rule_id, "target_id": target_id, "drafts_dataset_id": dataset_id}
    times = {"created_at": created_at, "updated_at": updated_at}
    return OnlineRule.model_validate({**dict(rule), **ids, **times})


async def _dataset_id(context: Context, tx: Connection, ref: str) -> str:
    """The id of the dataset that drafts go to, which the caller must be allowed to change."""
    try:
        dataset = await datasets.get(tx, ref)
    except NotFound as absent:
        refuse([Misplaced(pointer(("drafts_dataset_id",)), str(absent))])
        raise
    await refuse_change(context, tx, dataset)
    return dataset.id


async def _check_version(tx: Connection, target_id: str, number: int | None) -> None:
    try:
        if number is not None:
            await targets.version(tx, target_id, number)
    except NotFound as absent:
        refuse([Misplaced(pointer(("filters", "version")), str(absent))])


async def _binding(context: Context, tx: Connection, given: JsonValue, index: int) -> Binding:
    """One evaluator of a rule, which must grade without anything that was expected."""
    path = ("evaluators", index)
    fields = given if isinstance(given, dict) else {}
    evaluator_id = fields.get("evaluator_id")
    place: tuple[str | int, ...] = (*path, *spec_place(fields))
    if isinstance(evaluator_id, str):
        weight = checked(Binding, {"name": "-", "spec": {}, "weight": fields.get("weight", 1.0)}, path).weight
        place = (*path, "evaluator_id")
        try:
            binding = (await evaluators.get(tx, evaluator_id)).bound(weight)
        except NotFound as absent:
            refuse([Misplaced(pointer(place), str(absent))])
            raise
    else:
        binding = checked(Binding, written(fields), path)
        refuse(spec_faults(evaluator_builder(context.settings.allow_code), binding.spec, place))
    refuse(_faults(context, binding, place))
    return binding


def _faults(context: Context, binding: Binding, place: Sequence[str | int]) -> list[Misplaced]:
    """Why an evaluator cannot grade production."""
    evaluator = evaluator_builder(context.settings.allow_code)(binding.spec)
    lacking = evaluator.missing(PLAIN)
    if lacking is not None:
        reason = (
            f"{evaluator.kind} needs {lacking}, and an execution of production brings nothing that was expected; "
            "write it in the evaluator itself where its kind has a field for it, or choose another kind"
        )
        return [Misplaced(pointer(place), reason)]
    if evaluator.judges and judge_model(None, context.settings) is None:
        return [Misplaced(pointer(place), f"{evaluator.kind} asks a judge, and none is set; set ALOI_JUDGE_MODEL")]
    return []


def _check_cost(context: Context, rule: OnlineRuleGiven) -> None:
    """See that what the judge costs is known, where it is limited."""
    build = evaluator_builder(context.settings.allow_code)
    if rule.cost_per_day is None or not any(build(one.spec).judges for one in rule.evaluators):
        return
    if judge := unpriced_judge(context):
        reason = f"the price of {judge} is not known, so nothing can be held to it; give most_per_day instead"
        refuse([Misplaced(pointer(("cost_per_day",)), reason)])


async def _shown(rx: Connection, rule: OnlineRule, at: datetime) -> OnlineRule:
    return (await _all_shown(rx, [rule], at))[0]


async def _all_shown(rx: Connection, rules: Sequence[OnlineRule], at: datetime) -> list[OnlineRule]:
    """The rules with what came of them."""
    ids = [rule.id for rule in rules]
    until = online_figures.quarter(at) + online_figures.QUARTER
    recent = await online_figures.between(rx, ids, until - RECENT, until)
    used, waiting = await stored.used(rx, ids, at.date()), await stored.waiting(rx, ids)
    evaluators_now = await present_evaluators(rx, rules)
    return [
        rule.model_copy(
            update={
                "evaluators": bindings,
                "recent": bucket_of(until - RECENT, until, [counts for _, counts in recent[rule.id]]),
                "today": used.get(rule.id, BudgetUse()),
                "waiting": waiting.get(rule.id, 0),
            }
        )
        for rule, bindings in zip(rules, evaluators_now, strict=True)
    ]
