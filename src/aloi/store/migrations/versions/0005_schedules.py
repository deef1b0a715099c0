"""Schedules with their firings, what they tell people, and where that is sent."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
TIME: Kind = sa.INTEGER().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
INTEGER: Kind = sa.INTEGER().with_variant(sa.BIGINT(), "postgresql")
TEXT: Kind = sa.TEXT().with_variant(sa.TEXT(collation="C"), "postgresql")

WITHOUT_ROWID: dict[str, Any] = {"sqlite_with_rowid": False}
NEW = ("schedules", "firings", "notices", "notice_reads", "webhooks")


def upgrade() -> None:
    """Add the tables, and which schedule started a run."""
    op.add_column("runs", _column("schedule_id", ID, null=True))
    _index("runs_by_schedule", "runs", ["schedule_id", "created_at"], "schedule_id IS NOT NULL")
    _schedules()
    _firings()
    _notices()
    op.create_table(
        "webhooks",
        _column("workspace_id", ID, sa.ForeignKey("workspaces.id")),
        _column("url", TEXT),
        _column("secret", TEXT),
        _column("updated_at", TIME),
        sa.PrimaryKeyConstraint("workspace_id"),
        **WITHOUT_ROWID,
    )


def downgrade() -> None:
    """Take it back; the runs of schedules stay."""
    for table in reversed(NEW):
        op.drop_table(table)
    op.drop_index("runs_by_schedule", "runs")
    # Not in a batch: SQLite would make the table anew, and forget what goes with a run.
    op.drop_column("runs", "schedule_id")


def _column(name: str, kind: Kind, *rules: sa.ForeignKey, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, *rules, nullable=null)


def _key() -> sa.Column[Any]:
    return sa.Column("id", ID, primary_key=True, nullable=False)


def _index(name: str, table: str, columns: list[str], where: str) -> None:
    """An index over some rows."""
    chosen = sa.text(where)
    op.create_index(name, table, columns, sqlite_where=chosen, postgresql_where=chosen)


def _schedules() -> None:
    op.create_table(
        "schedules",
        _key(),
        _column("workspace_id", ID, sa.ForeignKey("workspaces.id")),
        _column("name", TEXT),
        _column("target_id", ID, sa.ForeignKey("targets.id")),
        _column("dataset_id", ID, sa.ForeignKey("datasets.id")),
        _column("start_at", TIME),
        _column("end_at", TIME, null=True),
        _column("zone", TEXT),
        _column("recurrence", TEXT),
        _column("paused", INTEGER),
        _column("next_at", TIME, null=True),
        _column("created_by", TEXT),
        _column("created_at", TIME),
        _column("updated_at", TIME),
        sa.UniqueConstraint("workspace_id", "name"),
        **WITHOUT_ROWID,
    )
    _index("schedules_due", "schedules", ["next_at"], "next_at IS NOT NULL")
    op.create_index("schedules_by_target", "schedules", ["target_id"])
    op.create_index("schedules_by_dataset", "schedules", ["dataset_id"])


def _firings() -> None:
    op.create_table(
        "firings",
        _key(),
        _column("schedule_id", ID, sa.ForeignKey("schedules.id", ondelete="CASCADE")),
        _column("due_at", TIME),
        _column("fired_at", TIME),
        _column("status", TEXT),
        _column("run_id", ID, sa.ForeignKey("runs.id", ondelete="SET NULL"), null=True),
        _column("reason", TEXT, null=True),
        _column("told", INTEGER),
        sa.UniqueConstraint("schedule_id", "due_at"),
        **WITHOUT_ROWID,
    )
    _index("firings_by_run", "firings", ["run_id"], "run_id IS NOT NULL")
    _index("firings_untold", "firings", ["schedule_id"], "told = 0")


def _notices() -> None:
    op.create_table(
        "notices",
        _key(),
        _column("workspace_id", ID, sa.ForeignKey("workspaces.id")),
        _column("schedule_id", ID),
        _column("schedule_name", TEXT),
        _column("run_id", ID, null=True),
        _column("kind", TEXT),
        _column("text", TEXT),
        _column("at", TIME),
        _column("delivery", TEXT),
        _column("attempts", INTEGER),
        _column("next_try_at", TIME, null=True),
        _column("refusal", TEXT, null=True),
        _column("delivered_at", TIME, null=True),
        **WITHOUT_ROWID,
    )
    op.create_index("notices_by_time", "notices", ["workspace_id", "at"])
    _index("notices_to_send", "notices", ["workspace_id", "next_try_at"], "next_try_at IS NOT NULL")
    op.create_table(
        "notice_reads",
        _column("notice_id", ID, sa.ForeignKey("notices.id", ondelete="CASCADE")),
        _column("reader", TEXT),
        _column("read_at", TIME),
        sa.PrimaryKeyConstraint("notice_id", "reader"),
        **WITHOUT_ROWID,
    )
