"""Gates with their overrides, labels, simulations, and executions that wait for people.

Complete runs that are there count for gates from now on.
"""

import json
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
HASH: Kind = sa.BLOB().with_variant(postgresql.BYTEA(), "postgresql")
TIME: Kind = sa.INTEGER().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
REAL: Kind = sa.Float().with_variant(sa.REAL(), "sqlite").with_variant(sa.DOUBLE_PRECISION(), "postgresql")
INTEGER: Kind = sa.INTEGER().with_variant(sa.BIGINT(), "postgresql")
TEXT: Kind = sa.TEXT().with_variant(sa.TEXT(collation="C"), "postgresql")

NAMES = {"uq": "%(table_name)s_%(column_0_N_name)s_key"}
WITHOUT_ROWID: dict[str, Any] = {"sqlite_with_rowid": False}
UNFINISHED: dict[str, Any] = {
    "sqlite_where": sa.text("progress IS NOT NULL"),
    "postgresql_where": sa.text("progress IS NOT NULL"),
}
SIMULATED = ("datasets", "dataset_revisions")
NEW = ("human_steps", "labels", "gate_policies", "gate_runs", "overrides")
SQLITE_KEPT = (
    "CREATE TRIGGER overrides_no_update BEFORE UPDATE ON overrides"
    " BEGIN SELECT RAISE(ABORT, 'overrides is append-only'); END",
    "CREATE TRIGGER overrides_no_delete BEFORE DELETE ON overrides"
    " BEGIN SELECT RAISE(ABORT, 'overrides is append-only'); END",
    "CREATE TRIGGER overrides_no_replace BEFORE INSERT ON overrides"
    " WHEN EXISTS (SELECT 1 FROM overrides WHERE id = NEW.id)"
    " BEGIN SELECT RAISE(ABORT, 'overrides is append-only'); END",
    "CREATE TRIGGER audit_log_no_replace BEFORE INSERT ON audit_log"
    " WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id)"
    " BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END",
)
POSTGRES_KEPT = (
    "CREATE FUNCTION overrides_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " RAISE EXCEPTION 'overrides is append-only' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    "CREATE TRIGGER overrides_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON overrides"
    " FOR EACH STATEMENT EXECUTE FUNCTION overrides_kept()",
)
# What a gate may look at: runs of all cases that came to their end.
COMPLETED = """
SELECT u.id, u.target_version_id, u.dataset_id, r.content_hash, u.spec, u.summary, u.finished_at
FROM runs u JOIN dataset_revisions r ON r.id = u.revision_id
WHERE u.status = 'completed' AND u.summary IS NOT NULL AND u.finished_at IS NOT NULL"""


def upgrade() -> None:
    """Add the tables and the columns."""
    for table in SIMULATED:
        op.add_column(table, sa.Column("simulations", TEXT, nullable=True))
        op.execute(f"UPDATE {table} SET simulations = '{{}}'")  # noqa: S608
        with op.batch_alter_table(table, naming_convention=NAMES) as batch:
            batch.alter_column("simulations", existing_type=TEXT, nullable=False)
    for name, kind in {"progress": TEXT, "state": TEXT, "lease_owner": TEXT, "lease_until": TIME}.items():
        op.add_column("executions", sa.Column(name, kind, nullable=True))
    op.create_index("executions_unfinished", "executions", ["progress", "id"], **UNFINISHED)
    _human_steps()
    _labels()
    _gates()
    _overrides()
    _count_completed()


def downgrade() -> None:
    """Take it back; what only the new tables and columns hold is lost."""
    for table in reversed(NEW):
        op.drop_table(table)
    if _on_sqlite():
        op.execute("DROP TRIGGER audit_log_no_replace")
    else:
        op.execute("DROP FUNCTION overrides_kept()")
    op.drop_index("executions_unfinished", "executions")
    # Not in a batch: SQLite would make the table anew, and forget what goes with its run.
    for name in ("progress", "state", "lease_owner", "lease_until"):
        op.drop_column("executions", name)
    for table in SIMULATED:
        op.drop_column(table, "simulations")


def _on_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _column(name: str, kind: Kind, *rules: sa.ForeignKey, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, *rules, nullable=null)


def _key(name: str) -> sa.Column[Any]:
    return sa.Column(name, ID, primary_key=True, nullable=False)


def _human_steps() -> None:
    op.create_table(
        "human_steps",
        _column("execution_id", ID, sa.ForeignKey("executions.id", ondelete="CASCADE")),
        _column("step", TEXT),
        _column("position", INTEGER),
        _column("question", TEXT),
        _column("answer_schema", TEXT, null=True),
        _column("asked_at", TIME),
        _column("answer", TEXT, null=True),
        _column("answered_by", TEXT, null=True),
        _column("answered_at", TIME, null=True),
        sa.PrimaryKeyConstraint("execution_id", "step"),
        **WITHOUT_ROWID,
    )


def _labels() -> None:
    op.create_table(
        "labels",
        _column("run_id", ID, sa.ForeignKey("runs.id", ondelete="CASCADE")),
        _column("position", INTEGER),
        _column("trial", INTEGER),
        _column("verdict", TEXT),
        _column("note", TEXT),
        _column("blind", INTEGER),
        _column("labelled_by", TEXT),
        _column("labelled_at", TIME),
        sa.PrimaryKeyConstraint("run_id", "position", "trial"),
        **WITHOUT_ROWID,
    )


def _gates() -> None:
    op.create_table(
        "gate_policies",
        _column("target_id", ID, sa.ForeignKey("targets.id", ondelete="CASCADE")),
        _column("dataset_id", ID, sa.ForeignKey("datasets.id")),
        _column("threshold", REAL),
        _column("enabled", INTEGER),
        sa.PrimaryKeyConstraint("target_id", "dataset_id"),
        **WITHOUT_ROWID,
    )
    op.create_index("gate_policies_by_dataset", "gate_policies", ["dataset_id"])
    op.create_table(
        "gate_runs",
        _key("run_id"),
        _column("target_version_id", ID, sa.ForeignKey("target_versions.id")),
        _column("dataset_id", ID),
        _column("revision_hash", HASH),
        _column("judge_samples", INTEGER, null=True),
        _column("passed", INTEGER),
        _column("failed", INTEGER),
        _column("errors", INTEGER),
        _column("finished_at", TIME),
        _column("outcomes_at", TIME),
        **WITHOUT_ROWID,
    )
    op.create_index("gate_runs_by_version", "gate_runs", ["target_version_id", "dataset_id", "outcomes_at"])


def _overrides() -> None:
    op.create_table(
        "overrides",
        _key("id"),
        _column("workspace_id", ID, sa.ForeignKey("workspaces.id")),
        _column("target_id", ID),
        _column("version", INTEGER),
        _column("reason", TEXT),
        _column("made_by", TEXT),
        _column("made_at", TIME),
        _column("state", TEXT),
        **WITHOUT_ROWID,
    )
    op.create_index("overrides_by_target", "overrides", ["target_id", "id"])
    for statement in SQLITE_KEPT if _on_sqlite() else POSTGRES_KEPT:
        op.execute(statement)


def _count_completed() -> None:
    """Write the figures of the complete runs that are there down for the gates."""
    found = [row for row in op.get_bind().execute(sa.text(COMPLETED)) if json.loads(row.spec).get("complete", True)]
    columns = ("run_id", "target_version_id", "dataset_id", "revision_hash", "finished_at", "outcomes_at")
    counts = ("judge_samples", "passed", "failed", "errors")
    kinds = [ID, ID, ID, HASH, TIME, TIME, *[INTEGER] * len(counts)]
    table = sa.table("gate_runs", *map(sa.column, (*columns, *counts), kinds))
    rows: list[dict[str, Any]] = [dict(zip((*columns, *counts), _figures(row), strict=True)) for row in found]
    if rows:
        op.bulk_insert(table, rows)


def _figures(row: Any) -> tuple[Any, ...]:
    summary, judge = json.loads(row.summary), json.loads(row.spec).get("judge")
    samples = None if judge is None else judge.get("samples", 1)
    head = (row.id, row.target_version_id, row.dataset_id, row.content_hash, row.finished_at, row.finished_at)
    return (*head, samples, summary["passed"], summary["failed"], summary["errors"])
