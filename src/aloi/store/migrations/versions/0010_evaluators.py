"""Versions of saved evaluators, and evaluators that belong to a target.

What an evaluator is now becomes its version 1, also where datasets bind it.
"""

import json
import uuid
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

Binding = dict[str, Any]
Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
TIME: Kind = sa.INTEGER().with_variant(sa.TIMESTAMP(timezone=True), "postgresql")
INTEGER: Kind = sa.INTEGER().with_variant(sa.BIGINT(), "postgresql")
TEXT: Kind = sa.TEXT().with_variant(sa.TEXT(collation="C"), "postgresql")

WITHOUT_ROWID: dict[str, Any] = {"sqlite_with_rowid": False}
OF_TARGETS: dict[str, Any] = {
    "sqlite_where": sa.text("target_id IS NOT NULL"),
    "postgresql_where": sa.text("target_id IS NOT NULL"),
}
KEPT = {
    "sqlite": (
        "CREATE TRIGGER evaluator_versions_no_update BEFORE UPDATE ON evaluator_versions"
        " BEGIN SELECT RAISE(ABORT, 'evaluator_versions is append-only'); END",
        "CREATE TRIGGER evaluator_versions_no_delete BEFORE DELETE ON evaluator_versions"
        " BEGIN SELECT RAISE(ABORT, 'evaluator_versions is append-only'); END",
        "CREATE TRIGGER evaluator_versions_no_replace BEFORE INSERT ON evaluator_versions"
        " WHEN EXISTS (SELECT 1 FROM evaluator_versions WHERE id = NEW.id)"
        " BEGIN SELECT RAISE(ABORT, 'evaluator_versions is append-only'); END",
    ),
    "postgresql": (
        "CREATE FUNCTION evaluator_versions_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " RAISE EXCEPTION 'evaluator_versions is append-only' USING ERRCODE = 'integrity_constraint_violation'; END $$",
        "CREATE TRIGGER evaluator_versions_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON evaluator_versions"
        " FOR EACH STATEMENT EXECUTE FUNCTION evaluator_versions_kept()",
    ),
}
# In SQL: with a reference, `op.add_column` would have SQLite make the table anew.
BELONGS = {
    "sqlite": "ALTER TABLE evaluators ADD COLUMN target_id BLOB REFERENCES targets (id) ON DELETE SET NULL",
    "postgresql": "ALTER TABLE evaluators ADD COLUMN target_id UUID REFERENCES targets (id) ON DELETE SET NULL",
}
EVALUATORS = sa.table(
    "evaluators",
    *[sa.column("id", ID), sa.column("workspace_id", ID), sa.column("spec", TEXT), sa.column("updated_at", TIME)],
)
VERSIONS = sa.table(
    "evaluator_versions",
    *[sa.column("id", ID), sa.column("workspace_id", ID), sa.column("evaluator_id", ID), sa.column("number", INTEGER)],
    *[sa.column("spec", TEXT), sa.column("note", TEXT), sa.column("restores", INTEGER)],
    *[sa.column("created_by", TEXT), sa.column("created_at", TIME)],
)
DATASETS = sa.table("datasets", sa.column("id", ID), sa.column("bindings", TEXT))


def upgrade() -> None:
    """Add the table and the columns, and fill them."""
    dialect = op.get_bind().dialect.name
    op.execute(BELONGS[dialect])
    op.add_column("evaluators", sa.Column("version", INTEGER, nullable=False, server_default=sa.text("1")))
    op.create_index("evaluators_by_target", "evaluators", ["target_id"], **OF_TARGETS)
    op.create_table(
        "evaluator_versions",
        sa.Column("id", ID, primary_key=True, nullable=False),
        sa.Column("workspace_id", ID, sa.ForeignKey("workspaces.id"), nullable=False),
        *(sa.Column(name, kind, nullable=False) for name, kind in (("evaluator_id", ID), ("number", INTEGER))),
        *(sa.Column(name, TEXT, nullable=False) for name in ("spec", "note")),
        sa.Column("restores", INTEGER, nullable=True),
        sa.Column("created_by", TEXT, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.UniqueConstraint("evaluator_id", "number"),
        **WITHOUT_ROWID,
    )
    _first_versions()
    _rebind(_as_first)
    for statement in KEPT[dialect]:
        op.execute(statement)


def downgrade() -> None:
    """Take it back; earlier versions are lost."""
    _rebind(_without_version)
    op.drop_table("evaluator_versions")
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION evaluator_versions_kept()")
    op.drop_index("evaluators_by_target", "evaluators")
    # Not in a batch: SQLite would make the table anew.
    op.drop_column("evaluators", "version")
    op.drop_column("evaluators", "target_id")


def _first_versions() -> None:
    """What each evaluator is now, as its version 1. Who made it is not known any more."""
    connection, columns = op.get_bind(), EVALUATORS.c
    rows = connection.execute(sa.select(columns.id, columns.workspace_id, columns.spec, columns.updated_at)).all()
    as_bytes = connection.dialect.name == "sqlite"
    for evaluator_id, workspace_id, spec, at in rows:
        made = uuid.uuid4()
        connection.execute(
            VERSIONS.insert().values(
                id=made.bytes if as_bytes else made,
                workspace_id=workspace_id,
                evaluator_id=evaluator_id,
                number=1,
                spec=spec,
                note="",
                restores=None,
                created_by="",
                created_at=at,
            )
        )


def _as_first(binding: Binding) -> Binding:
    return {**binding, "version": 1} if binding.get("evaluator_id") else binding


def _without_version(binding: Binding) -> Binding:
    return {name: value for name, value in binding.items() if name != "version"}


def _rebind(changed: Callable[[Binding], Binding]) -> None:
    """Change the bindings of datasets that bind saved evaluators."""
    connection, columns = op.get_bind(), DATASETS.c
    query = sa.select(columns.id, columns.bindings).where(columns.bindings.contains('"evaluator_id":"'))
    for dataset_id, bindings in connection.execute(query).all():
        text = json.dumps(list(map(changed, json.loads(bindings))), ensure_ascii=False, separators=(",", ":"))
        connection.execute(DATASETS.update().where(columns.id == dataset_id).values(bindings=text))
