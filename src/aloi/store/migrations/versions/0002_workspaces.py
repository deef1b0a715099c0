"""Workspaces with their members, and the tables of the server.

What is there goes to the first workspace. Its results are numbered by their places.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
HASH: Kind = sa.BLOB().with_variant(postgresql.BYTEA(), "postgresql")
TIME: Kind = sa.INTEGER().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
REAL: Kind = sa.Float().with_variant(sa.REAL(), "sqlite").with_variant(sa.DOUBLE_PRECISION(), "postgresql")
INTEGER: Kind = sa.INTEGER().with_variant(sa.BIGINT(), "postgresql")
TEXT: Kind = sa.TEXT().with_variant(sa.TEXT(collation="C"), "postgresql")

FIRST = "00000000000070008000000000000001"
# The names that PostgreSQL gives by itself; SQLite keeps none, so that its constraints are found by them.
NAMES = {"uq": "%(table_name)s_%(column_0_N_name)s_key"}
WITHOUT_ROWID: dict[str, Any] = {"sqlite_with_rowid": False}
# Their columns that 0001 does not have: they are filled before they are made NOT NULL.
ADDED: dict[str, dict[str, Kind]] = {
    "targets": {"workspace_id": ID, "description": TEXT, "updated_at": TIME},
    "target_versions": {"note": TEXT},
    "datasets": {"workspace_id": ID, "target_id": ID},
    "runs": {"workspace_id": ID, "started_by": TEXT, "served": INTEGER},
    "executions": {"input": TEXT},
    "results": {"seq": INTEGER},
}
NULLABLE = {"target_id", "input"}
FILL = (
    "UPDATE targets SET workspace_id = (SELECT id FROM workspaces), description = '', updated_at = created_at",
    "UPDATE target_versions SET note = ''",
    "UPDATE datasets SET workspace_id = (SELECT id FROM workspaces)",
    "UPDATE runs SET workspace_id = (SELECT id FROM workspaces), started_by = 'local', served = 0",
    """
UPDATE results SET seq = o.number
FROM (SELECT run_id, position, trial, row_number() OVER (PARTITION BY run_id ORDER BY position, trial) AS number
      FROM results) o
WHERE o.run_id = results.run_id AND o.position = results.position AND o.trial = results.trial""",
)
NEW = (
    "workspaces",
    "members",
    "sign_in_links",
    "sessions",
    "api_keys",
    "evaluators",
    "audit_log",
    "usage",
)
SQLITE_KEPT = (
    "CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log"
    " BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END",
    "CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log"
    " BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END",
)
POSTGRES_KEPT = (
    "CREATE FUNCTION audit_log_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
    " RAISE EXCEPTION 'audit_log is append-only' USING ERRCODE = 'integrity_constraint_violation'; END $$",
    "CREATE TRIGGER audit_log_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log"
    " FOR EACH STATEMENT EXECUTE FUNCTION audit_log_kept()",
)


def upgrade() -> None:
    """Add the first workspace, and what belongs to one."""
    op.create_table("workspaces", _key("id"), _column("name", TEXT), **WITHOUT_ROWID)
    first = f"X'{FIRST}'" if _on_sqlite() else f"'{FIRST}'"
    op.execute(f"INSERT INTO workspaces (id, name) VALUES ({first}, 'default')")  # noqa: S608
    for table, columns in ADDED.items():
        for name, kind in columns.items():
            op.add_column(table, sa.Column(name, kind, nullable=True))
    for statement in FILL:
        op.execute(statement)
    op.drop_index("runs_by_time", "runs")
    _tighten()
    op.create_index("runs_by_time", "runs", ["workspace_id", "created_at"])
    op.create_index("runs_by_version", "runs", ["target_version_id"])
    op.create_index("executions_by_version", "executions", ["target_version_id", "id"])
    op.create_index("results_by_seq", "results", ["run_id", "seq"])
    _members()
    _of_workspace()
    _audit_log()
    _usage()


def downgrade() -> None:
    """Take it back. What only the server's tables hold is lost; another workspace than the first must be empty."""
    _refuse_other_workspaces()
    for table in ("targets", "datasets"):
        with op.batch_alter_table(table, naming_convention=NAMES) as batch:
            batch.drop_constraint(f"{table}_workspace_id_name_key", type_="unique")
            batch.create_unique_constraint(f"{table}_name_key", ["name"])
    for index in ("runs_by_time", "runs_by_version"):
        op.drop_index(index, "runs")
    op.drop_index("executions_by_version", "executions")
    op.drop_index("results_by_seq", "results")
    for table, columns in reversed(ADDED.items()):
        with op.batch_alter_table(table, **_unseen(table)) as batch:
            for name in columns:
                batch.drop_column(name)
    op.create_index("runs_by_time", "runs", ["created_at"])
    for table in reversed(NEW):
        op.drop_table(table)
    if not _on_sqlite():
        op.execute("DROP FUNCTION audit_log_kept()")


def _refuse_other_workspaces() -> None:
    """Two workspaces may use the same name, which the older tables cannot."""
    used = (
        "SELECT workspace_id FROM targets UNION SELECT workspace_id FROM datasets UNION SELECT workspace_id FROM runs"
    )
    if len(op.get_bind().execute(sa.text(used)).fetchall()) > 1:
        raise ValueError("several workspaces have targets, datasets or runs; delete those of all but one, then go down")


def _on_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"


def _unseen(table: str) -> dict[str, Any]:
    """What SQLAlchemy does not see of a table when SQLite makes it anew: how it is kept, and what goes with its run."""
    if table not in ("executions", "results"):
        return {}
    run = sa.ForeignKey("runs.id", ondelete="CASCADE")
    if table == "executions":
        return {"reflect_args": [sa.Column("run_id", ID, run, nullable=True)]}
    key = sa.Column("run_id", ID, run, primary_key=True, nullable=False)
    return {"reflect_args": [key], "table_kwargs": WITHOUT_ROWID}


def _tighten() -> None:
    """What holds of the new columns now that they are filled. SQLite makes each table anew for it, once."""
    for table, columns in ADDED.items():
        if not set(columns) - NULLABLE:
            continue
        with op.batch_alter_table(table, naming_convention=NAMES, **_unseen(table)) as batch:
            for name, kind in columns.items():
                if name not in NULLABLE:
                    batch.alter_column(name, existing_type=kind, nullable=False)
            if "workspace_id" in columns:
                batch.create_foreign_key(f"{table}_workspace_id_fkey", "workspaces", ["workspace_id"], ["id"])
            if "target_id" in columns:
                batch.create_foreign_key(
                    f"{table}_target_id_fkey", "targets", ["target_id"], ["id"], ondelete="SET NULL"
                )
            if table in ("targets", "datasets"):
                batch.drop_constraint(f"{table}_name_key", type_="unique")
                batch.create_unique_constraint(f"{table}_workspace_id_name_key", ["workspace_id", "name"])


def _column(name: str, kind: Kind, *rules: sa.ForeignKey, null: bool = False) -> sa.Column[Any]:
    return sa.Column(name, kind, *rules, nullable=null)


def _key(name: str, kind: Kind = ID) -> sa.Column[Any]:
    return sa.Column(name, kind, primary_key=True, nullable=False)


def _workspace() -> sa.Column[Any]:
    return _column("workspace_id", ID, sa.ForeignKey("workspaces.id"))


def _member() -> sa.Column[Any]:
    return _column("member_id", ID, sa.ForeignKey("members.id", ondelete="CASCADE"))


def _members() -> None:
    op.create_table(
        "members",
        _key("id"),
        _workspace(),
        _column("email", TEXT),
        _column("role", TEXT),
        _column("password_hash", TEXT, null=True),
        _column("created_at", TIME),
        _column("last_seen_at", TIME, null=True),
        sa.UniqueConstraint("email"),
        **WITHOUT_ROWID,
    )
    op.create_table(
        "sign_in_links",
        _key("hash", HASH),
        _member(),
        _column("created_at", TIME),
        _column("expires_at", TIME),
        **WITHOUT_ROWID,
    )
    op.create_table(
        "sessions",
        _key("hash", HASH),
        _member(),
        _column("created_at", TIME),
        _column("expires_at", TIME),
        _column("last_seen_at", TIME),
        **WITHOUT_ROWID,
    )


def _of_workspace() -> None:
    op.create_table(
        "api_keys",
        _key("id"),
        _workspace(),
        _column("name", TEXT),
        _column("prefix", TEXT),
        _column("hash", HASH),
        _column("role", TEXT),
        _column("created_by", TEXT),
        _column("created_at", TIME),
        _column("expires_at", TIME, null=True),
        _column("last_used_at", TIME, null=True),
        sa.UniqueConstraint("hash"),
        **WITHOUT_ROWID,
    )
    op.create_table(
        "evaluators",
        _key("id"),
        _workspace(),
        _column("name", TEXT),
        _column("description", TEXT),
        _column("spec", TEXT),
        _column("created_at", TIME),
        _column("updated_at", TIME),
        sa.UniqueConstraint("workspace_id", "name"),
        **WITHOUT_ROWID,
    )


def _audit_log() -> None:
    op.create_table(
        "audit_log",
        _key("id"),
        _workspace(),
        _column("at", TIME),
        _column("actor", TEXT),
        _column("action", TEXT),
        _column("object_kind", TEXT),
        _column("object_id", TEXT),
        _column("object_name", TEXT),
        _column("before", TEXT, null=True),
        _column("after", TEXT, null=True),
        **WITHOUT_ROWID,
    )
    op.create_index("audit_log_by_time", "audit_log", ["workspace_id", "at"])
    for statement in SQLITE_KEPT if _on_sqlite() else POSTGRES_KEPT:
        op.execute(statement)


def _usage() -> None:
    op.create_table(
        "usage",
        _column("source_id", ID),
        _column("side", TEXT),
        _column("model", TEXT),
        _workspace(),
        _column("day", INTEGER),
        _column("calls", INTEGER),
        _column("input_tokens", INTEGER, null=True),
        _column("output_tokens", INTEGER, null=True),
        _column("cost", REAL, null=True),
        _column("unpriced", INTEGER),
        sa.PrimaryKeyConstraint("source_id", "side", "model"),
        **WITHOUT_ROWID,
    )
    op.create_index("usage_by_day", "usage", ["workspace_id", "day"])
