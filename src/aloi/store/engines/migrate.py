"""Moves a schema between its versions with Alembic. Imported only when that must be done: it costs half a second."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from aloi.core.errors import StoreUnavailable

MIGRATIONS = Path(__file__).parents[1] / "migrations"


def upgrade(path: str, revision: str = "head") -> None:
    """Bring a SQLite file up to a version, all steps in one transaction."""
    _migrate(path, revision, up=True)


def downgrade(path: str, revision: str) -> None:
    """Take a SQLite file down to a version; `base` is nothing at all."""
    _migrate(path, revision, up=False)


def move(connection: sa.Connection, revision: str, up: bool) -> None:
    """Run the steps to a version, in the connection's transaction."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    (command.upgrade if up else command.downgrade)(config, revision)


def _migrate(path: str, revision: str, up: bool) -> None:
    engine = sa.create_engine(sa.URL.create("sqlite", database=path))
    try:
        with engine.connect() as connection:
            # A table that is made anew is dropped meanwhile, which must not delete what refers to it.
            connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
            # Python's driver would begin only at the first INSERT, and so leave table changes outside.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            move(connection, revision, up)
            lost = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            if lost is not None:
                raise StoreUnavailable(
                    f"the database {path} cannot be migrated: a row of its table {lost[0]} refers to one of {lost[2]} "
                    "that is gone; nothing was changed; restore it from a backup"
                )
            connection.commit()
    finally:
        engine.dispose()
