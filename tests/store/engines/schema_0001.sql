-- The tables as the program of version 0001 made them in a new SQLite file.
CREATE TABLE targets (
  id BLOB NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  active INTEGER,
  created_at INTEGER NOT NULL
);
CREATE TABLE target_versions (
  id BLOB NOT NULL PRIMARY KEY,
  target_id BLOB NOT NULL REFERENCES targets (id),
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  definition TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (target_id, number)
);
CREATE TABLE datasets (
  id BLOB NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  description TEXT NOT NULL,
  judge_samples INTEGER NOT NULL,
  bindings TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE TABLE cases (
  id BLOB NOT NULL PRIMARY KEY,
  dataset_id BLOB NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  status TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (dataset_id, key)
);
CREATE INDEX cases_in_order ON cases (dataset_id, position);
CREATE TABLE case_snapshots (
  hash BLOB NOT NULL PRIMARY KEY,
  body TEXT NOT NULL
);
CREATE TABLE dataset_revisions (
  id BLOB NOT NULL PRIMARY KEY,
  dataset_id BLOB NOT NULL,
  content_hash BLOB NOT NULL,
  bindings TEXT NOT NULL,
  case_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (dataset_id, content_hash)
);
CREATE TABLE revision_cases (
  revision_id BLOB NOT NULL REFERENCES dataset_revisions (id),
  position INTEGER NOT NULL,
  case_id BLOB NOT NULL,
  key TEXT NOT NULL,
  name TEXT NOT NULL,
  tags TEXT NOT NULL,
  hash BLOB NOT NULL REFERENCES case_snapshots (hash),
  PRIMARY KEY (revision_id, position)
) WITHOUT ROWID;
CREATE TABLE runs (
  id BLOB NOT NULL PRIMARY KEY,
  spec TEXT NOT NULL,
  target_version_id BLOB NOT NULL REFERENCES target_versions (id),
  revision_id BLOB NOT NULL REFERENCES dataset_revisions (id),
  dataset_id BLOB NOT NULL,
  dataset_name TEXT NOT NULL,
  target_name TEXT NOT NULL,
  target_version INTEGER NOT NULL,
  status TEXT NOT NULL,
  reason TEXT,
  total INTEGER NOT NULL,
  skipped TEXT NOT NULL,
  summary TEXT,
  parent_id BLOB,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  lease_owner TEXT,
  lease_until INTEGER
);
CREATE INDEX runs_by_time ON runs (created_at);
CREATE TABLE executions (
  id BLOB NOT NULL PRIMARY KEY,
  run_id BLOB REFERENCES runs (id) ON DELETE CASCADE,
  position INTEGER,
  trial INTEGER,
  target_version_id BLOB NOT NULL REFERENCES target_versions (id),
  source TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (run_id, position, trial)
);
CREATE TABLE results (
  run_id BLOB NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  trial INTEGER NOT NULL,
  execution_id BLOB NOT NULL REFERENCES executions (id),
  verdict TEXT NOT NULL,
  score REAL,
  tokens INTEGER,
  cost REAL,
  carried_over INTEGER NOT NULL,
  figures TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (run_id, position, trial)
) WITHOUT ROWID;
CREATE INDEX results_by_execution ON results (execution_id);
CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);
