"""The first tables."""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
HASH: Kind = sa.BLOB().with_variant(postgresql.BYTEA(), "postgresql")
TIME: Kind = sa.INTEGER().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
REAL: Kind = sa.Float().with_variant(sa.REAL(), "sqlite").with_variant(sa.DOUBLE_PRECISION(), "postgresql")
INTEGER: Kind = sa.INTEGER().with_variant(sa.BIGINT(), "postgresql")
TEXT: Kind = sa.TEXT().with_variant(sa.TEXT(collation="C"), "postgresql")
NAMES = (
    "targets",
    "target_versions",
    "datasets",
    "cases",
    "case_snapshots",
    "dataset_revisions",
    "revision_cases",
    "runs",
    "executions",
    "results",
)


def upgrade() -> None:
    """Create all tables."""
    _targets()
    _datasets()
    _revisions()
    _runs()
    _results()


def downgrade() -> None:
    """Drop all tables."""
    for name in reversed(NAMES):
        op.drop_table(name)


def _column(name: str, kind: Kind, *rules: sa.ForeignKey, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, *rules, nullable=null)


def _key(name: str, kind: Kind = ID) -> sa.Column[Any]:
    return sa.Column(name, kind, primary_key=True, nullable=False)


def _of(target: str, cascade: bool = False) -> sa.ForeignKey:
    return sa.ForeignKey(target, ondelete="CASCADE" if cascade else None)


def _targets() -> None:
    op.create_table(
        "targets",
        _key("id"),
        _column("name", TEXT),
        _column("kind", TEXT),
        _column("active", INTEGER, null=True),
        _column("created_at", TIME),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "target_versions",
        _key("id"),
        _column("target_id", ID, _of("targets.id")),
        _column("number", INTEGER),
        _column("kind", TEXT),
        _column("definition", TEXT),
        _column("fingerprint", TEXT),
        _column("content_hash", HASH),
        _column("created_at", TIME),
        sa.UniqueConstraint("target_id", "number"),
    )


def _datasets() -> None:
    op.create_table(
        "datasets",
        _key("id"),
        _column("name", TEXT),
        _column("description", TEXT),
        _column("judge_samples", INTEGER),
        _column("bindings", TEXT),
        _column("created_at", TIME),
        _column("updated_at", TIME),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "cases",
        _key("id"),
        _column("dataset_id", ID, _of("datasets.id", cascade=True)),
        _column("position", INTEGER),
        _column("key", TEXT),
        _column("enabled", INTEGER),
        _column("status", TEXT),
        _column("body", TEXT),
        sa.UniqueConstraint("dataset_id", "key"),
    )
    op.create_index("cases_in_order", "cases", ["dataset_id", "position"])


def _revisions() -> None:
    op.create_table("case_snapshots", _key("hash", HASH), _column("body", TEXT))
    op.create_table(
        "dataset_revisions",
        _key("id"),
        _column("dataset_id", ID),
        _column("content_hash", HASH),
        _column("bindings", TEXT),
        _column("case_count", INTEGER),
        _column("created_at", TIME),
        sa.UniqueConstraint("dataset_id", "content_hash"),
    )
    op.create_table(
        "revision_cases",
        _column("revision_id", ID, _of("dataset_revisions.id")),
        _column("position", INTEGER),
        _column("case_id", ID),
        _column("key", TEXT),
        _column("name", TEXT),
        _column("tags", TEXT),
        _column("hash", HASH, _of("case_snapshots.hash")),
        sa.PrimaryKeyConstraint("revision_id", "position"),
        sqlite_with_rowid=False,
    )


def _runs() -> None:
    op.create_table(
        "runs",
        _key("id"),
        _column("spec", TEXT),
        _column("target_version_id", ID, _of("target_versions.id")),
        _column("revision_id", ID, _of("dataset_revisions.id")),
        _column("dataset_id", ID),
        _column("dataset_name", TEXT),
        _column("target_name", TEXT),
        _column("target_version", INTEGER),
        _column("status", TEXT),
        _column("reason", TEXT, null=True),
        _column("total", INTEGER),
        _column("skipped", TEXT),
        _column("summary", TEXT, null=True),
        _column("parent_id", ID, null=True),
        _column("created_at", TIME),
        _column("started_at", TIME, null=True),
        _column("finished_at", TIME, null=True),
        _column("lease_owner", TEXT, null=True),
        _column("lease_until", TIME, null=True),
    )
    op.create_index("runs_by_time", "runs", ["created_at"])


def _results() -> None:
    op.create_table(
        "executions",
        _key("id"),
        _column("run_id", ID, _of("runs.id", cascade=True), null=True),
        _column("position", INTEGER, null=True),
        _column("trial", INTEGER, null=True),
        _column("target_version_id", ID, _of("target_versions.id")),
        _column("source", TEXT),
        _column("created_at", TIME),
        _column("body", TEXT),
        sa.UniqueConstraint("run_id", "position", "trial"),
    )
    op.create_table(
        "results",
        _column("run_id", ID, _of("runs.id", cascade=True)),
        _column("position", INTEGER),
        _column("trial", INTEGER),
        _column("execution_id", ID, _of("executions.id")),
        _column("verdict", TEXT),
        _column("score", REAL, null=True),
        _column("tokens", INTEGER, null=True),
        _column("cost", REAL, null=True),
        _column("carried_over", INTEGER),
        _column("figures", TEXT),
        _column("body", TEXT),
        sa.PrimaryKeyConstraint("run_id", "position", "trial"),
        sqlite_with_rowid=False,
    )
    op.create_index("results_by_execution", "results", ["execution_id"])
