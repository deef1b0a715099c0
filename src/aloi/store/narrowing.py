"""What is seen from some targets alone: the rows of those, and of what belongs to no target.

This is the one place that sees to it, and no query can forget it: before each stand, for the tables that it names,
common table expressions of their names with the rows that are seen, which hide the tables themselves. Of a table that
has no rule here nothing is seen. Changes are carried out as they are: what somebody changes they had to find first.
"""

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import lru_cache
from typing import NamedTuple

from aloi.store.connection import Connection, Dialect, Params, Row
from aloi.store.tables import TABLES

ALL, NOTHING = "1 = 1", "1 = 0"
GRANTED = "target_id IN (SELECT id FROM granted)"


def of(things: str, column: str) -> str:
    """The rule for rows whose `column` has the id of one of the `things` that are of a granted target."""
    return f"EXISTS (SELECT 1 FROM {{schema}}{things} x WHERE x.id = o.{column} AND x.{GRANTED})"  # noqa: S608


def of_run(column: str) -> str:
    """As `of`, for a run."""
    versions = f"SELECT id FROM {{schema}}target_versions v WHERE v.{GRANTED}"  # noqa: S608
    return f"EXISTS (SELECT 1 FROM {{schema}}runs x WHERE x.id = o.{column} AND x.target_version_id IN ({versions}))"  # noqa: S608


def of_schedule(schedule: str, run: str) -> str:
    """The rule for rows of a schedule that is of a granted target; not those of a run while it was of another."""
    there = f"EXISTS (SELECT 1 FROM {{schema}}runs x WHERE x.id = o.{run})"  # noqa: S608
    return f"{of('schedules', schedule)} AND (NOT {there} OR {of_run(run)})"


def whose(rule: str, things: str, column: str) -> str:
    """The rule for rows whose `column` has the id of one of the `things` for which that rule holds."""
    return f"o.{column} IN (SELECT o.id FROM {{schema}}{things} o WHERE {rule})"  # noqa: S608


OWN = f"o.{GRANTED}"
OF_NONE = "o.target_id IS NULL AND o.id NOT IN (SELECT id FROM {schema}orphans)"
# One of another target too, where it tells of a granted one: its gate, or a schedule, is on it.
DATASET = f"""{OWN} OR {OF_NONE}
  OR o.id IN (SELECT dataset_id FROM {{schema}}gate_policies WHERE {GRANTED})
  OR o.id IN (SELECT dataset_id FROM {{schema}}schedules WHERE {GRANTED})"""  # noqa: S608
EVALUATOR = f"{OWN} OR {OF_NONE}"
CASE = whose(DATASET, "datasets", "dataset_id")
# A file of a case that is seen, or of one that a run froze, or one that they sent themselves.
FILE = f"""EXISTS (SELECT 1 FROM {{schema}}case_attachments a WHERE a.workspace_id = o.workspace_id AND a.hash = o.hash
    AND a.case_id IN (SELECT o.id FROM {{schema}}cases o WHERE {CASE}))
  OR EXISTS (SELECT 1 FROM {{schema}}revision_attachments a JOIN {{schema}}runs r ON r.revision_id = a.revision_id
    JOIN {{schema}}target_versions v ON v.id = r.target_version_id
    WHERE a.workspace_id = o.workspace_id AND a.hash = o.hash AND v.{GRANTED})
  OR EXISTS (SELECT 1 FROM {{schema}}attachment_senders a WHERE a.workspace_id = o.workspace_id AND a.hash = o.hash
    AND a.member_id IN (SELECT id FROM reader))"""  # noqa: S608
# Which rows `o` of a table are seen. A rule names itself and tables below it: there a name still means the table.
RULES = {
    "attachments": FILE,
    "usage": OWN,
    "labels": of_run("run_id"),
    "results": of_run("run_id"),
    "notices": f"{of_run('run_id')} OR {of_schedule('schedule_id', 'run_id')}",
    "firings": of_schedule("schedule_id", "run_id"),
    "gate_runs": of("target_versions", "target_version_id"),
    "runs": of("target_versions", "target_version_id"),
    "human_steps": of("executions", "execution_id"),
    "online_results": of("online_rules", "rule_id"),
    "online_queue": of("online_rules", "rule_id"),
    "online_buckets": of("online_rules", "rule_id"),
    "online_days": of("online_rules", "rule_id"),
    "online_rules": OWN,
    "executions": OWN,
    "attachment_senders": "o.member_id IN (SELECT id FROM reader)",
    "case_attachments": whose(CASE, "cases", "case_id"),
    "cases": CASE,
    "datasets": DATASET,
    "evaluator_versions": whose(EVALUATOR, "evaluators", "evaluator_id"),
    "evaluators": EVALUATOR,
    "gate_policies": OWN,
    "overrides": OWN,
    "schedules": OWN,
    "target_versions": OWN,
    "targets": "o.id IN (SELECT id FROM granted)",
    # The workspace's own; and what is only found by way of the above, or by a secret.
    **dict.fromkeys(("workspaces", "members", "webhooks", "retention", "sign_in_links", "sessions"), ALL),
    **dict.fromkeys(("dataset_revisions", "revision_cases", "revision_attachments", "case_snapshots"), ALL),
    **dict.fromkeys(("traces", "received_spans", "expected_traces", "notice_reads"), ALL),
    **dict.fromkeys(("served_sessions", "served_calls", "served_answers"), ALL),
    # What owners and the program itself read.
    **dict.fromkeys(("audit_log", "api_keys", "member_grants", "orphans", "ingestion"), NOTHING),
}
CREATED = re.compile(r"CREATE TABLE (\w+)")
WORD = re.compile(r"\w+")
SOME = (
    "granted AS (SELECT id FROM {schema}targets WHERE {chosen}),"
    " reader AS (SELECT id FROM {schema}members WHERE id = ?)"
)
SEEN = "{table} AS NOT MATERIALIZED (SELECT o.* FROM {schema}{table} o WHERE {rule})"


def tables() -> list[str]:
    """The names of all tables: those with a rule first, in its order."""
    created = (name for statement in TABLES for name in CREATED.findall(statement))
    return list(dict.fromkeys((*RULES, *created)))


@lru_cache(maxsize=500)
def seen(sql: str, count: int, schema: str) -> str:
    """A statement that reads rows of so many targets alone; its first parameters are their ids, and the reader's own.

    Args:
        schema: as in `Dialect`.

    Raises:
        ValueError: it begins with a word that is not known here.
    """
    verb, _, _ = sql.strip().partition(" ")
    if verb in {"UPDATE", "DELETE"} or (verb == "INSERT" and "SELECT" not in sql):
        return sql
    if verb not in {"SELECT", "INSERT"}:
        raise ValueError(f"a statement that begins with {verb} cannot be narrowed to targets; begin it with SELECT")
    chosen = f"id IN ({', '.join('?' * count)})" if count else NOTHING
    words = set(WORD.findall(sql))
    parts = [SOME.format(schema=schema, chosen=chosen)]
    for table in tables():
        if table in words:
            rule = RULES.get(table, NOTHING).format(schema=schema)
            parts.append(SEEN.format(table=table, schema=schema, rule=rule))
    return f"WITH {', '.join(parts)} {sql.strip()}"


class Sight(NamedTuple):
    """What somebody sees: the ids of the targets, and of the member, whose own files are seen too; null for nobody."""

    targets: tuple[bytes, ...]
    member: bytes | None = None


class Narrowed:
    """A `Connection` by which somebody sees some targets alone."""

    def __init__(self, connection: Connection, sight: Sight) -> None:
        self.whole = connection
        self.sight = sight

    @property
    def dialect(self) -> Dialect:
        """As that of the whole connection."""
        return self.whole.dialect

    @property
    def workspace(self) -> bytes:
        """As that of the whole connection."""
        return self.whole.workspace

    async def execute(self, sql: str, params: Params = ()) -> int:
        """Run one statement; the number of rows that it changed."""
        return await self.whole.execute(*self._seen(sql, params))

    async def execute_many(self, *statements: tuple[str, Sequence[Params]]) -> None:
        """Run statements in order, each once per row of its parameters."""
        for sql, rows in statements:
            if rows:
                statement, _ = self._seen(sql, ())
                await self.whole.execute_many((statement, [self._seen(sql, row)[1] for row in rows]))

    async def fetch(self, sql: str, params: Params = ()) -> list[Row]:
        """All rows of a query that are seen."""
        if self._is_lock(sql):
            found = await self.fetch_one(sql, params)
            return [] if found is None else await self.whole.fetch(sql, params)
        return await self.whole.fetch(*self._seen(sql, params))

    async def fetch_one(self, sql: str, params: Params = ()) -> Row | None:
        """The first row of a query that is seen, or null."""
        if self._is_lock(sql):
            found = await self.whole.fetch_one(*self._seen(sql.removesuffix(self.dialect.for_update), params))
            return None if found is None else await self.whole.fetch_one(sql, params)
        return await self.whole.fetch_one(*self._seen(sql, params))

    async def lock(self, name: str) -> None:
        """As that of the whole connection."""
        await self.whole.lock(name)

    def _is_lock(self, sql: str) -> bool:
        """Whether a query holds its rows: PostgreSQL holds none of what a common table expression gives."""
        return bool(self.dialect.for_update) and sql.endswith(self.dialect.for_update)

    def _seen(self, sql: str, params: Params) -> tuple[str, Params]:
        targets, member = self.sight
        statement = seen(sql, len(targets), self.dialect.schema)
        return statement, params if statement is sql else (*targets, member, *params)


def whole(connection: Connection) -> Connection:
    """The connection that sees all targets: for what is decided on more than the caller may see."""
    return connection.whole if isinstance(connection, Narrowed) else connection


def granted(connection: Connection) -> tuple[bytes, ...] | None:
    """The ids of the targets that a connection sees; null for all."""
    return connection.sight.targets if isinstance(connection, Narrowed) else None


@asynccontextmanager
async def narrowing(block: AbstractAsyncContextManager[Connection], sight: Sight) -> AsyncGenerator[Connection]:
    """A transaction that sees some targets alone."""
    async with block as connection:
        yield Narrowed(connection, sight)
