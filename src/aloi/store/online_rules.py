"""Rules that grade production executions."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from pydantic_core import from_json

from aloi.core.binding import Binding
from aloi.core.errors import Conflict, NotFound
from aloi.core.online_rule import BudgetUse, OnlineFilters, OnlineRule, OnlineRuleGiven
from aloi.store.codec import id_or_none, json_of, pack_id, pack_time, unpack_id, unpack_time
from aloi.store.connection import Connection, Param, Params, Row, held, marks
from aloi.store.matching import any_contains, pattern
from aloi.store.usage import day_number

RULE = """
r.id, r.target_id, r.name, r.enabled, r.settings, r.drafts_dataset_id, d.name, r.created_at, r.updated_at
FROM online_rules r LEFT JOIN datasets d ON d.id = r.drafts_dataset_id"""
RULES = f"SELECT {RULE} WHERE r.workspace_id = ?"
COUNT = "SELECT count(*) FROM online_rules r WHERE r.workspace_id = ?"
INSERT = """
INSERT INTO online_rules
  (name, enabled, version, settings, drafts_dataset_id, created_at, updated_at, id, target_id, workspace_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
UPDATE = """
UPDATE online_rules
SET name = ?, enabled = ?, version = ?, settings = ?, drafts_dataset_id = ?, created_at = ?, updated_at = ?
WHERE id = ? AND target_id = ? AND workspace_id = ?"""
SAMPLING = """
SELECT r.id, r.target_id, r.settings, v.id FROM online_rules r
LEFT JOIN target_versions v ON v.target_id = r.target_id AND v.number = r.version
WHERE r.enabled = 1 AND r.target_id IN ({ids})"""
USED = "SELECT rule_id, graded, skipped, cost FROM online_days WHERE day = ? AND rule_id IN ({ids})"
WAITING = "SELECT rule_id, count(*) FROM online_queue WHERE tries >= 0 AND rule_id IN ({ids}) GROUP BY rule_id"
SAVED = "SELECT id, name, spec, version FROM evaluators WHERE workspace_id = ? AND id IN ({ids})"
BINDING = "SELECT name FROM online_rules WHERE workspace_id = ? AND settings LIKE ? ORDER BY name"
# What stands in columns of its own, is known from elsewhere, or is counted.
SETTINGS = set(OnlineRuleGiven.model_fields) - {"name", "enabled", "drafts_dataset_id"}


class Sampling(NamedTuple):
    """What says whether a rule grades an execution. `version_id` is null for all versions, or one that is not there."""

    rule_id: str
    target_id: str
    share: float
    filters: OnlineFilters
    version_id: str | None


async def create(tx: Connection, rule: OnlineRule) -> None:
    """Store a new rule.

    Raises:
        Conflict: its name is taken.
    """
    await _name_is_free(tx, rule)
    await tx.execute(INSERT, _params(tx, rule))


async def update(tx: Connection, rule: OnlineRule) -> None:
    """Replace what is stored of a rule that is held.

    Raises:
        Conflict: its new name is taken.
        NotFound: it is not there.
    """
    await _name_is_free(tx, rule)
    if not await tx.execute(UPDATE, _params(tx, rule)):
        raise _absent(rule.id)


async def delete(tx: Connection, rule: OnlineRule) -> None:
    """Delete a rule with its results, its figures, and what waits to be graded by it."""
    await tx.execute("DELETE FROM online_rules WHERE id = ? AND workspace_id = ?", (pack_id(rule.id), tx.workspace))


async def get(rx: Connection, target_id: str, ref: str) -> OnlineRule:
    """A rule of a target, by its id or its name.

    Raises:
        NotFound: there is none.
    """
    packed, where = id_or_none(ref), RULES + " AND r.target_id = ?"
    mine = (rx.workspace, pack_id(target_id))
    row = packed and await rx.fetch_one(where + " AND r.id = ?", (*mine, packed))
    row = row or await rx.fetch_one(where + " AND r.name = ?", (*mine, ref))
    if not row:
        raise _absent(ref)
    return rule_of(row)


async def hold(tx: Connection, target_id: str, ref: str) -> OnlineRule:
    """As `get`; nobody else changes it until the transaction ends."""
    found = await get(tx, target_id, ref)
    await held(tx, "SELECT 1 FROM online_rules WHERE id = ?", (pack_id(found.id),))
    return await get(tx, target_id, found.id)


async def page(rx: Connection, target_id: str, q: str, offset: int, limit: int) -> list[OnlineRule]:
    """One page of a target's rules, newest first; `q`: a text in the name."""
    where, params = _filter(rx, target_id, q)
    order = " ORDER BY r.created_at DESC, r.id DESC LIMIT ? OFFSET ?"
    return list(map(rule_of, await rx.fetch(RULES + where + order, (*params, limit, offset))))


async def count(rx: Connection, target_id: str, q: str) -> int:
    """How many rules of a target there are; `q`: a text in the name."""
    where, params = _filter(rx, target_id, q)
    row = await rx.fetch_one(COUNT + where, params)
    return row[0] if row else 0


def _filter(rx: Connection, target_id: str, q: str) -> tuple[str, list[Param]]:
    where, params = " AND r.target_id = ?", [rx.workspace, pack_id(target_id)]
    if not q:
        return where, list[Param](params)
    return f"{where} AND {any_contains('r.name')}", [*params, pattern(q)]


async def sampling(rx: Connection, target_ids: Sequence[str]) -> list[Sampling]:
    """The enabled rules of some targets."""
    rows = await rx.fetch(SAMPLING.format(ids=marks(len(target_ids))), list(map(pack_id, target_ids)))
    return [_sampling(row) for row in rows]


def _sampling(row: Row) -> Sampling:
    packed, target_id, settings, version_id = row
    given = from_json(settings)
    return Sampling(
        rule_id=unpack_id(packed),
        target_id=unpack_id(target_id),
        share=given["share"],
        filters=OnlineFilters.model_validate(given["filters"]),
        version_id=None if version_id is None else unpack_id(version_id),
    )


async def used(rx: Connection, rule_ids: Sequence[str], day: date) -> dict[str, BudgetUse]:
    """What rules did on a day (UTC), by their ids; a rule that did nothing is left out."""
    params = (day_number(day), *map(pack_id, rule_ids))
    rows = await rx.fetch(USED.format(ids=marks(len(rule_ids))), params) if rule_ids else []
    return {
        unpack_id(packed): BudgetUse(graded=graded, skipped=skipped, cost=cost)
        for packed, graded, skipped, cost in rows
    }


async def waiting(rx: Connection, rule_ids: Sequence[str]) -> dict[str, int]:
    """How many executions wait for each of some rules; a rule for which none does is left out."""
    rows = await rx.fetch(WAITING.format(ids=marks(len(rule_ids))), list(map(pack_id, rule_ids))) if rule_ids else []
    return {unpack_id(packed): number for packed, number in rows}


async def saved(rx: Connection, evaluator_ids: Sequence[str]) -> dict[str, Binding]:
    """Saved evaluators as they are now, by their ids, with a weight of 1; one that is not there is left out."""
    params = (rx.workspace, *map(pack_id, evaluator_ids))
    rows = await rx.fetch(SAVED.format(ids=marks(len(evaluator_ids))), params) if evaluator_ids else []
    return {
        unpack_id(packed): Binding(name=name, spec=from_json(spec), evaluator_id=unpack_id(packed), version=version)
        for packed, name, spec, version in rows
    }


async def names_binding(rx: Connection, evaluator_id: str) -> list[str]:
    """The names of the rules that use a saved evaluator."""
    like = f'%"evaluator_id":"{evaluator_id}"%'
    return [name for (name,) in await rx.fetch(BINDING, (rx.workspace, like))]


async def _name_is_free(tx: Connection, rule: OnlineRule) -> None:
    taken = "SELECT 1 FROM online_rules WHERE target_id = ? AND name = ? AND id <> ?"
    if await tx.fetch_one(taken, (pack_id(rule.target_id), rule.name, pack_id(rule.id))):
        raise Conflict(f"the target has an online rule {rule.name!r} already; give this one another name")


def _absent(ref: str) -> NotFound:
    return NotFound(f"the target has no online rule {ref!r:.100}")


def _params(tx: Connection, rule: OnlineRule) -> Params:
    return (
        rule.name,
        int(rule.enabled),
        rule.filters.version,
        json_of(rule.model_dump(mode="json", include=SETTINGS), f"the online rule {rule.name!r}"),
        None if rule.drafts_dataset_id is None else pack_id(rule.drafts_dataset_id),
        pack_time(rule.created_at),
        pack_time(rule.updated_at),
        pack_id(rule.id),
        pack_id(rule.target_id),
        tx.workspace,
    )


def rule_of(row: Sequence[Any]) -> OnlineRule:
    """The rule of a row that `RULE` gave."""
    packed, target_id, name, enabled, settings, dataset_id, dataset_name, created_at, updated_at = row
    return OnlineRule(
        **from_json(settings),
        id=unpack_id(packed),
        target_id=unpack_id(target_id),
        name=name,
        enabled=bool(enabled),
        drafts_dataset_id=None if dataset_id is None else unpack_id(dataset_id),
        drafts_dataset_name=dataset_name,
        created_at=unpack_time(created_at),
        updated_at=unpack_time(updated_at),
    )
