"""Targets that members are narrowed to."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

Kind = sa.types.TypeEngine[Any]
ID: Kind = sa.BLOB().with_variant(sa.Uuid(), "postgresql")
INTEGER: Kind = sa.INTEGER().with_variant(sa.BIGINT(), "postgresql")
WITHOUT_ROWID: dict[str, Any] = {"sqlite_with_rowid": False}


def upgrade() -> None:
    """Add the tables; nobody is narrowed."""
    op.add_column("members", sa.Column("narrowed", INTEGER, nullable=False, server_default=sa.text("0")))
    op.create_table(
        "member_grants",
        sa.Column("member_id", ID, sa.ForeignKey("members.id", ondelete="CASCADE"), nullable=False),
        sa.Column("target_id", ID, sa.ForeignKey("targets.id", ondelete="CASCADE"), nullable=False),
        sa.PrimaryKeyConstraint("member_id", "target_id"),
        **WITHOUT_ROWID,
    )
    op.create_index("member_grants_by_target", "member_grants", ["target_id"])
    op.create_table("orphans", sa.Column("id", ID, primary_key=True, nullable=False), **WITHOUT_ROWID)


def downgrade() -> None:
    """Take it back: everybody sees all targets."""
    op.drop_table("orphans")
    op.drop_table("member_grants")
    # Not in a batch: SQLite would make the table anew, and forget what goes with a member.
    op.drop_column("members", "narrowed")
