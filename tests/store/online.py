"""A target with rules on it."""

from typing import Any

from aloi.core.online_rule import OnlineRule
from aloi.store import online_rules
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import CONTAINS, NOW, a_version, new_id


async def a_rule(tx: Connection, name: str = "rule", **fields: Any) -> OnlineRule:
    """A stored rule, on the target `bot` unless another one's id is given."""
    target_id = fields.pop("target_id", None) or (await a_version(tx)).target_id
    times = {"created_at": NOW, "updated_at": NOW}
    given = {"id": new_id(), "target_id": target_id, "name": name, "evaluators": [CONTAINS], **times, **fields}
    rule = OnlineRule.model_validate(given)
    await online_rules.create(tx, rule)
    return rule


async def stored_rule(db: Database, name: str = "rule", **fields: Any) -> OnlineRule:
    """As `a_rule`, in a transaction of its own."""
    async with db.transaction() as tx:
        return await a_rule(tx, name, **fields)
