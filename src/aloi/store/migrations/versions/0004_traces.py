"""Traces that come from production, what is kept of them, and executions that are listed by the million.

The trace of an execution gets a column of its own, and goes back into the outcome on the way down.
"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
HASH: Kind = sa.BLOB().with_variant(postgresql.BYTEA(), "postgresql")
TIME: Kind = sa.INTEGER().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
INTEGER: Kind = sa.INTEGER().with_variant(sa.BIGINT(), "postgresql")
TEXT: Kind = sa.TEXT().with_variant(sa.TEXT(collation="C"), "postgresql")

WITHOUT_ROWID: dict[str, Any] = {"sqlite_with_rowid": False}
OF_TRACES: dict[str, Any] = {
    "sqlite_where": sa.text("trace_id IS NOT NULL"),
    "postgresql_where": sa.text("trace_id IS NOT NULL"),
}
UNFINISHED: dict[str, Any] = {
    "sqlite_where": sa.text("progress IS NOT NULL"),
    "postgresql_where": sa.text("progress IS NOT NULL"),
}
ADDED: dict[str, Kind] = {
    "workspace_id": ID,
    "target_id": ID,
    "failed": INTEGER,
    "size": INTEGER,
    "trace_id": HASH,
    "trace": TEXT,
}
INDEXES: dict[str, list[str]] = {
    "executions_by_time": ["workspace_id", "created_at", "id"],
    "executions_by_failed": ["workspace_id", "failed", "created_at", "id"],
    "executions_by_source": ["workspace_id", "source", "created_at", "id", "size"],
    "executions_by_target": ["target_id", "created_at", "id", "source", "failed"],
}
NEW = ("traces", "received_spans", "ingestion", "retention")
FILL = """
UPDATE executions SET (workspace_id, target_id) =
  (SELECT t.workspace_id, t.id FROM target_versions v JOIN targets t ON t.id = v.target_id
   WHERE v.id = executions.target_version_id)"""
BATCH = 200
EXECUTIONS = sa.table(
    "executions",
    *[sa.column("id", ID), sa.column("body", TEXT), sa.column("trace", TEXT), sa.column("source", TEXT)],
    *[sa.column("failed", INTEGER), sa.column("size", INTEGER), sa.column("progress", TEXT)],
)


def upgrade() -> None:
    """Add the tables and the columns, and fill these."""
    for name, kind in ADDED.items():
        default = sa.text("0") if name == "size" else None
        op.add_column("executions", sa.Column(name, kind, nullable=default is None, server_default=default))
    op.execute(FILL)
    _rewrite(_apart)
    for name, columns in INDEXES.items():
        op.create_index(name, "executions", columns)
    unfinished = ["workspace_id", "progress", "created_at", "id"]
    op.create_index("executions_by_progress", "executions", unfinished, **UNFINISHED)
    op.create_index("executions_by_trace", "executions", ["workspace_id", "trace_id"], unique=True, **OF_TRACES)
    _traces()
    op.create_table(
        "ingestion",
        _workspace(),
        *(_column(name, INTEGER) for name in ("day", "spans", "rejected_spans", "left_out_spans", "dropped_traces")),
        sa.PrimaryKeyConstraint("workspace_id", "day"),
        **WITHOUT_ROWID,
    )
    op.create_table(
        "retention",
        _workspace(),
        _column("days", INTEGER, null=True),
        _column("megabytes", INTEGER, null=True),
        sa.PrimaryKeyConstraint("workspace_id"),
        **WITHOUT_ROWID,
    )


def downgrade() -> None:
    """Take it back; spans that wait and the limits of what is kept are lost."""
    for table in reversed(NEW):
        op.drop_table(table)
    for name in ("executions_by_trace", "executions_by_progress", *reversed(INDEXES)):
        op.drop_index(name, "executions")
    _rewrite(_together)
    # Not in a batch: SQLite would make the table anew, and forget what goes with its run.
    for name in ADDED:
        op.drop_column("executions", name)


def _column(name: str, kind: Kind, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=null)


def _workspace() -> sa.Column[Any]:
    return sa.Column("workspace_id", ID, sa.ForeignKey("workspaces.id"), nullable=False)


def _traces() -> None:
    op.create_table(
        "traces",
        _workspace(),
        _column("trace_id", HASH),
        _column("first_at", TIME),
        _column("due_at", TIME),
        *(_column(name, INTEGER) for name in ("spans", "size", "left_out", "works", "tries")),
        _column("claim", ID, null=True),
        _column("claimed_until", TIME, null=True),
        sa.PrimaryKeyConstraint("workspace_id", "trace_id"),
        **WITHOUT_ROWID,
    )
    op.create_index("traces_by_due", "traces", ["due_at"])
    op.create_table(
        "received_spans",
        sa.Column("id", ID, primary_key=True, nullable=False),
        _workspace(),
        _column("trace_id", HASH),
        _column("body", TEXT),
    )
    op.create_index("received_spans_by_trace", "received_spans", ["workspace_id", "trace_id", "id"])


def _rewrite(changed: Any) -> None:
    """Change every execution, a batch of them in memory."""
    connection, rows, last = op.get_bind(), EXECUTIONS.c, None
    while True:
        query = sa.select(EXECUTIONS).order_by(rows.id).limit(BATCH)
        found = connection.execute(query if last is None else query.where(rows.id > last)).all()
        if not found:
            return
        last = found[-1].id
        for row in found:
            if values := changed(row):
                connection.execute(EXECUTIONS.update().where(rows.id == row.id).values(**values))


def _apart(row: Any) -> dict[str, Any]:
    outcome = json.loads(row.body)
    trace = outcome.pop("trace", None)
    body, told = (row.body, None) if trace is None else (_text(outcome), _text(trace))
    failed = int(outcome.get("failure") is not None) if row.progress is None else None
    size = len(body) + len(told or "") if row.source == "production" else 0
    return {"body": body, "trace": told, "failed": failed, "size": size}


def _together(row: Any) -> dict[str, Any]:
    if row.trace is None:
        return {}
    return {"body": _text({**json.loads(row.body), "trace": json.loads(row.trace)}), "trace": None}


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
