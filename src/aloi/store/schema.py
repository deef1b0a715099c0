"""The tables, in the SQL that all databases share. A change here goes with a new file in `migrations/versions`."""

from importlib.resources import files

from aloi.core.errors import StoreUnavailable
from aloi.store.connection import Backend, Connection

# Who creates or migrates the tables holds the lock of this name.
LOCK = "schema"
# Names in braces are column types of the dialect. What a run froze stays when its dataset goes, so a revision's
# `dataset_id` refers to nothing. The name and the text of a case are in its snapshot, shared by all revisions.
TABLES = (
    """
CREATE TABLE targets (
  id {id} NOT NULL PRIMARY KEY,
  name {text} NOT NULL UNIQUE,
  kind {text} NOT NULL,
  active {integer},
  created_at {time} NOT NULL
)""",
    """
CREATE TABLE target_versions (
  id {id} NOT NULL PRIMARY KEY,
  target_id {id} NOT NULL REFERENCES targets (id),
  number {integer} NOT NULL,
  kind {text} NOT NULL,
  definition {text} NOT NULL,
  fingerprint {text} NOT NULL,
  content_hash {hash} NOT NULL,
  created_at {time} NOT NULL,
  UNIQUE (target_id, number)
)""",
    """
CREATE TABLE datasets (
  id {id} NOT NULL PRIMARY KEY,
  name {text} NOT NULL UNIQUE,
  description {text} NOT NULL,
  judge_samples {integer} NOT NULL,
  bindings {text} NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL
)""",
    """
CREATE TABLE cases (
  id {id} NOT NULL PRIMARY KEY,
  dataset_id {id} NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
  position {integer} NOT NULL,
  key {text} NOT NULL,
  enabled {integer} NOT NULL,
  status {text} NOT NULL,
  body {text} NOT NULL,
  UNIQUE (dataset_id, key)
)""",
    "CREATE INDEX cases_in_order ON cases (dataset_id, position)",
    """
CREATE TABLE case_snapshots (
  hash {hash} NOT NULL PRIMARY KEY,
  body {text} NOT NULL
)""",
    """
CREATE TABLE dataset_revisions (
  id {id} NOT NULL PRIMARY KEY,
  dataset_id {id} NOT NULL,
  content_hash {hash} NOT NULL,
  bindings {text} NOT NULL,
  case_count {integer} NOT NULL,
  created_at {time} NOT NULL,
  UNIQUE (dataset_id, content_hash)
)""",
    """
CREATE TABLE revision_cases (
  revision_id {id} NOT NULL REFERENCES dataset_revisions (id),
  position {integer} NOT NULL,
  case_id {id} NOT NULL,
  key {text} NOT NULL,
  name {text} NOT NULL,
  tags {text} NOT NULL,
  hash {hash} NOT NULL REFERENCES case_snapshots (hash),
  PRIMARY KEY (revision_id, position)
){clustered}""",
    """
CREATE TABLE runs (
  id {id} NOT NULL PRIMARY KEY,
  spec {text} NOT NULL,
  target_version_id {id} NOT NULL REFERENCES target_versions (id),
  revision_id {id} NOT NULL REFERENCES dataset_revisions (id),
  dataset_id {id} NOT NULL,
  dataset_name {text} NOT NULL,
  target_name {text} NOT NULL,
  target_version {integer} NOT NULL,
  status {text} NOT NULL,
  reason {text},
  total {integer} NOT NULL,
  skipped {text} NOT NULL,
  summary {text},
  parent_id {id},
  created_at {time} NOT NULL,
  started_at {time},
  finished_at {time},
  lease_owner {text},
  lease_until {time}
)""",
    "CREATE INDEX runs_by_time ON runs (created_at)",
    """
CREATE TABLE executions (
  id {id} NOT NULL PRIMARY KEY,
  run_id {id} REFERENCES runs (id) ON DELETE CASCADE,
  position {integer},
  trial {integer},
  target_version_id {id} NOT NULL REFERENCES target_versions (id),
  source {text} NOT NULL,
  created_at {time} NOT NULL,
  body {text} NOT NULL,
  UNIQUE (run_id, position, trial)
)""",
    """
CREATE TABLE results (
  run_id {id} NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  position {integer} NOT NULL,
  trial {integer} NOT NULL,
  execution_id {id} NOT NULL REFERENCES executions (id),
  verdict {text} NOT NULL,
  score {real},
  tokens {integer},
  cost {real},
  carried_over {integer} NOT NULL,
  figures {text} NOT NULL,
  body {text} NOT NULL,
  PRIMARY KEY (run_id, position, trial)
){clustered}""",
    "CREATE INDEX results_by_execution ON results (execution_id)",
)


def versions() -> list[str]:
    """The numbers of all migrations, oldest first: from their file names, so that Alembic is not imported."""
    folder = files("aloi.store") / "migrations" / "versions"
    return sorted(entry.name.split("_")[0] for entry in folder.iterdir() if entry.name[:4].isdigit())


async def prepare(backend: Backend) -> None:
    """Make the schema of a database that of this program: create it, or migrate it; nothing when it is already.

    Raises:
        StoreUnavailable: it is newer than this program, or has to be written and cannot be.
    """
    known = versions()
    async with backend.read() as reading:
        found = await _version(reading)
    if found == known[-1]:
        return
    if found is not None and found not in {*known, ""}:
        raise StoreUnavailable(
            f"the database {backend.name} has schema {found}, newer than this program ({known[-1]}); upgrade aloi"
        )
    if backend.read_only:
        raise StoreUnavailable(
            f"the database {backend.name} has no schema of this program yet and is opened read-only; "
            "open it once for writing"
        )
    if found is None:
        async with backend.transaction() as tx:
            await tx.lock(LOCK)
            found = await _version(tx)
            if found is None:
                await create(tx, known[-1])
    if found is not None and found != known[-1]:
        await backend.migrate()


async def _version(connection: Connection) -> str | None:
    """The schema's version; "" when it was taken down to nothing, null when nothing was ever there."""
    if not await connection.fetch_one(connection.dialect.table_exists, ("alembic_version",)):
        return None
    row = await connection.fetch_one("SELECT version_num FROM alembic_version")
    return str(row[0]) if row else ""


async def create(tx: Connection, version: str) -> None:
    """Create all tables in an empty database and stamp it with the version that they have."""
    for statement in TABLES:
        await tx.execute(statement.format_map(tx.dialect.types))
    await tx.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
    await tx.execute("INSERT INTO alembic_version (version_num) VALUES (?)", (version,))
