"""The tables, in the SQL that all databases share. A change here goes with a new file in `migrations/versions`."""

from aloi.store.tables.attachments import ATTACHMENT_TABLES
from aloi.store.tables.evaluators import EVALUATOR_TABLES
from aloi.store.tables.evidence import EVIDENCE_TABLES
from aloi.store.tables.grants import GRANT_TABLES
from aloi.store.tables.online import ONLINE_TABLES
from aloi.store.tables.schedules import SCHEDULE_TABLES
from aloi.store.tables.traffic import TRAFFIC_TABLES

# Names in braces are column types of the dialect. What a run froze stays when its dataset goes, so a revision's
# `dataset_id` refers to nothing; nor does the source of usage, which outlives it. The name and the text of a case are
# in its snapshot, shared by all revisions. The figures of `gate_runs` outlive their run, and overrides their target, so
# that nothing that a gate said can be deleted with them. An execution with `progress` is not over yet; its `trace`,
# which is packed (see `packing`), comes last, so that who lists executions does not read through it.
TABLES = (
    """
CREATE TABLE workspaces (
  id {id} NOT NULL PRIMARY KEY,
  name {text} NOT NULL
){clustered}""",
    """
CREATE TABLE targets (
  id {id} NOT NULL PRIMARY KEY,
  name {text} NOT NULL,
  kind {text} NOT NULL,
  active {integer},
  created_at {time} NOT NULL,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  description {text} NOT NULL,
  updated_at {time} NOT NULL,
  UNIQUE (workspace_id, name)
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
  note {text} NOT NULL,
  UNIQUE (target_id, number)
)""",
    """
CREATE TABLE datasets (
  id {id} NOT NULL PRIMARY KEY,
  name {text} NOT NULL,
  description {text} NOT NULL,
  judge_samples {integer} NOT NULL,
  bindings {text} NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  target_id {id} REFERENCES targets (id) ON DELETE SET NULL,
  simulations {text} NOT NULL,
  UNIQUE (workspace_id, name)
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
  simulations {text} NOT NULL,
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
  lease_until {time},
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  started_by {text} NOT NULL,
  served {integer} NOT NULL,
  schedule_id {id}
)""",
    "CREATE INDEX runs_by_time ON runs (workspace_id, created_at)",
    "CREATE INDEX runs_by_version ON runs (target_version_id)",
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
  input {text},
  progress {text},
  state {text},
  lease_owner {text},
  lease_until {time},
  workspace_id {id},
  target_id {id},
  failed {integer},
  size {integer} DEFAULT 0 NOT NULL,
  trace_id {hash},
  trace {packed},
  UNIQUE (run_id, position, trial)
)""",
    "CREATE INDEX executions_by_version ON executions (target_version_id)",
    "CREATE INDEX executions_unfinished ON executions (progress, id) WHERE progress IS NOT NULL",
    """
CREATE TABLE human_steps (
  execution_id {id} NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
  step {text} NOT NULL,
  position {integer} NOT NULL,
  question {text} NOT NULL,
  answer_schema {text},
  asked_at {time} NOT NULL,
  answer {text},
  answered_by {text},
  answered_at {time},
  PRIMARY KEY (execution_id, step)
){clustered}""",
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
  seq {integer} NOT NULL,
  PRIMARY KEY (run_id, position, trial)
){clustered}""",
    "CREATE INDEX results_by_execution ON results (execution_id)",
    "CREATE INDEX results_by_seq ON results (run_id, seq)",
    """
CREATE TABLE labels (
  run_id {id} NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  position {integer} NOT NULL,
  trial {integer} NOT NULL,
  verdict {text} NOT NULL,
  note {text} NOT NULL,
  blind {integer} NOT NULL,
  labelled_by {text} NOT NULL,
  labelled_at {time} NOT NULL,
  PRIMARY KEY (run_id, position, trial)
){clustered}""",
    """
CREATE TABLE gate_policies (
  target_id {id} NOT NULL REFERENCES targets (id) ON DELETE CASCADE,
  dataset_id {id} NOT NULL REFERENCES datasets (id),
  threshold {real} NOT NULL,
  enabled {integer} NOT NULL,
  PRIMARY KEY (target_id, dataset_id)
){clustered}""",
    "CREATE INDEX gate_policies_by_dataset ON gate_policies (dataset_id)",
    """
CREATE TABLE gate_runs (
  run_id {id} NOT NULL PRIMARY KEY,
  target_version_id {id} NOT NULL REFERENCES target_versions (id),
  dataset_id {id} NOT NULL,
  revision_hash {hash} NOT NULL,
  judge_samples {integer},
  passed {integer} NOT NULL,
  failed {integer} NOT NULL,
  errors {integer} NOT NULL,
  finished_at {time} NOT NULL,
  outcomes_at {time} NOT NULL
){clustered}""",
    "CREATE INDEX gate_runs_by_version ON gate_runs (target_version_id, dataset_id, outcomes_at)",
    """
CREATE TABLE overrides (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  target_id {id} NOT NULL,
  version {integer} NOT NULL,
  reason {text} NOT NULL,
  made_by {text} NOT NULL,
  made_at {time} NOT NULL,
  state {text} NOT NULL
){clustered}""",
    "CREATE INDEX overrides_by_target ON overrides (target_id, id)",
    """
CREATE TABLE members (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  email {text} NOT NULL UNIQUE,
  role {text} NOT NULL,
  password_hash {text},
  created_at {time} NOT NULL,
  last_seen_at {time},
  narrowed {integer} DEFAULT 0 NOT NULL
){clustered}""",
    """
CREATE TABLE sign_in_links (
  hash {hash} NOT NULL PRIMARY KEY,
  member_id {id} NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  created_at {time} NOT NULL,
  expires_at {time} NOT NULL
){clustered}""",
    """
CREATE TABLE sessions (
  hash {hash} NOT NULL PRIMARY KEY,
  member_id {id} NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  created_at {time} NOT NULL,
  expires_at {time} NOT NULL,
  last_seen_at {time} NOT NULL
){clustered}""",
    """
CREATE TABLE api_keys (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  name {text} NOT NULL,
  prefix {text} NOT NULL,
  hash {hash} NOT NULL UNIQUE,
  role {text} NOT NULL,
  created_by {text} NOT NULL,
  created_at {time} NOT NULL,
  expires_at {time},
  last_used_at {time}
){clustered}""",
    """
CREATE TABLE audit_log (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  at {time} NOT NULL,
  actor {text} NOT NULL,
  action {text} NOT NULL,
  object_kind {text} NOT NULL,
  object_id {text} NOT NULL,
  object_name {text} NOT NULL,
  before {text},
  after {text}
){clustered}""",
    "CREATE INDEX audit_log_by_time ON audit_log (workspace_id, at)",
    *TRAFFIC_TABLES,
    *SCHEDULE_TABLES,
    *ATTACHMENT_TABLES,
    *GRANT_TABLES,
    *ONLINE_TABLES,
    *EVIDENCE_TABLES,
    *EVALUATOR_TABLES,
)
# What was written there is never changed and never deleted.
APPEND_ONLY = ("audit_log", "overrides", "evaluator_versions")
