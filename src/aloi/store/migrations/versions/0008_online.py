"""Rules that grade executions of production, and what came of it."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
TIME: Kind = sa.INTEGER().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
INTEGER: Kind = sa.INTEGER().with_variant(sa.BIGINT(), "postgresql")
REAL: Kind = sa.Float().with_variant(sa.REAL(), "sqlite").with_variant(sa.DOUBLE_PRECISION(), "postgresql")
TEXT: Kind = sa.TEXT().with_variant(sa.TEXT(collation="C"), "postgresql")

WITHOUT_ROWID: dict[str, Any] = {"sqlite_with_rowid": False}
NEW = ("online_rules", "online_queue", "online_results", "online_buckets", "online_days")


def upgrade() -> None:
    """Add the tables."""
    _rules()
    _queue()
    _results()
    _figures()


def downgrade() -> None:
    """Take them back."""
    for table in reversed(NEW):
        op.drop_table(table)


def _column(name: str, kind: Kind, *rules: sa.ForeignKey, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, *rules, nullable=null)


def _of_rule() -> sa.Column[Any]:
    return _column("rule_id", ID, sa.ForeignKey("online_rules.id", ondelete="CASCADE"))


def _rules() -> None:
    op.create_table(
        "online_rules",
        sa.Column("id", ID, primary_key=True, nullable=False),
        _column("workspace_id", ID, sa.ForeignKey("workspaces.id")),
        _column("target_id", ID, sa.ForeignKey("targets.id", ondelete="CASCADE")),
        _column("name", TEXT),
        _column("enabled", INTEGER),
        _column("version", INTEGER, null=True),
        _column("settings", TEXT),
        _column("drafts_dataset_id", ID, sa.ForeignKey("datasets.id", ondelete="SET NULL"), null=True),
        _column("created_at", TIME),
        _column("updated_at", TIME),
        sa.UniqueConstraint("target_id", "name"),
        **WITHOUT_ROWID,
    )


def _queue() -> None:
    op.create_table(
        "online_queue",
        _of_rule(),
        _column("execution_id", ID),
        _column("created_at", TIME),
        _column("due_at", TIME),
        _column("tries", INTEGER),
        _column("claim", ID, null=True),
        sa.PrimaryKeyConstraint("rule_id", "execution_id"),
        **WITHOUT_ROWID,
    )
    op.create_index("online_queue_by_due", "online_queue", ["rule_id", "due_at"])


def _results() -> None:
    op.create_table(
        "online_results",
        _of_rule(),
        _column("execution_id", ID, sa.ForeignKey("executions.id", ondelete="CASCADE")),
        _column("created_at", TIME),
        _column("graded_at", TIME),
        _column("verdict", TEXT),
        _column("score", REAL, null=True),
        _column("body", TEXT),
        _column("to_draft", INTEGER),
        sa.PrimaryKeyConstraint("rule_id", "execution_id"),
        **WITHOUT_ROWID,
    )
    op.create_index("online_results_by_time", "online_results", ["rule_id", "created_at", "execution_id"])
    by_verdict = ["rule_id", "verdict", "created_at", "execution_id"]
    op.create_index("online_results_by_verdict", "online_results", by_verdict)
    op.create_index("online_results_by_execution", "online_results", ["execution_id"])
    chosen = sa.text("to_draft = 1")
    op.create_index(
        "online_results_to_draft", "online_results", ["rule_id"], sqlite_where=chosen, postgresql_where=chosen
    )


def _figures() -> None:
    counts = ("passed", "failed", "errors", "skipped", "gone")
    op.create_table(
        "online_buckets",
        _of_rule(),
        _column("start_at", TIME),
        *(_column(name, INTEGER) for name in counts),
        _column("judge_variance", REAL),
        _column("cost", REAL, null=True),
        _column("unpriced", INTEGER),
        sa.PrimaryKeyConstraint("rule_id", "start_at"),
        **WITHOUT_ROWID,
    )
    op.create_table(
        "online_days",
        _of_rule(),
        _column("day", INTEGER),
        _column("graded", INTEGER),
        _column("skipped", INTEGER),
        _column("cost", REAL, null=True),
        sa.PrimaryKeyConstraint("rule_id", "day"),
        **WITHOUT_ROWID,
    )
