"""The tables of what comes from production, and the lists of executions; see `tables`."""

# Usage outlives its source and its target, so it refers to neither; `target_id` is null where it was for none. A row of
# `traces` is a trace that spans came of lately, until an execution was made of them; who makes it holds the
# `claim` of it. `spans`, `size` (characters) and `left_out` are of what waits in `received_spans`, a row for each
# request. `works`: whether any of it is work of an agent, a model or a tool. Of `executions` only those of a trace have
# a `trace_id`; `failed` is null of those that are not over; `size` is 0 where nothing of it ever expires.
# Lists are sorted by `id` too where times are the same. Two indexes do without it, as that is done with what was found;
# that of targets does not: for who is narrowed to some the newest of each are looked up, of which few are shown.
# `failed` stands in the index of those that failed so that SQLite need not look into the table for it.
TRAFFIC_TABLES = (
    """
CREATE TABLE usage (
  source_id {id} NOT NULL,
  side {text} NOT NULL,
  model {text} NOT NULL,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  day {integer} NOT NULL,
  calls {integer} NOT NULL,
  input_tokens {integer},
  output_tokens {integer},
  cost {real},
  unpriced {integer} NOT NULL,
  target_id {id},
  PRIMARY KEY (source_id, side, model)
){clustered}""",
    "CREATE INDEX usage_by_day ON usage (workspace_id, day)",
    "CREATE INDEX executions_by_time ON executions (workspace_id, created_at, failed)",
    "CREATE INDEX executions_by_failed ON executions (workspace_id, failed, created_at, id) WHERE failed = 1",
    "CREATE INDEX executions_by_source ON executions (workspace_id, source, created_at, size)",
    "CREATE INDEX executions_by_target ON executions (target_id, created_at, id, source, failed)",
    "CREATE INDEX executions_by_progress ON executions (workspace_id, progress, created_at, id)"
    " WHERE progress IS NOT NULL",
    "CREATE UNIQUE INDEX executions_by_trace ON executions (workspace_id, trace_id) WHERE trace_id IS NOT NULL",
    """
CREATE TABLE traces (
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  trace_id {hash} NOT NULL,
  first_at {time} NOT NULL,
  due_at {time} NOT NULL,
  spans {integer} NOT NULL,
  size {integer} NOT NULL,
  left_out {integer} NOT NULL,
  works {integer} NOT NULL,
  tries {integer} NOT NULL,
  claim {id},
  claimed_until {time},
  PRIMARY KEY (workspace_id, trace_id)
){clustered}""",
    "CREATE INDEX traces_by_due ON traces (due_at)",
    """
CREATE TABLE received_spans (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  trace_id {hash} NOT NULL,
  body {text} NOT NULL
)""",
    "CREATE INDEX received_spans_by_trace ON received_spans (workspace_id, trace_id, id)",
    """
CREATE TABLE ingestion (
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  day {integer} NOT NULL,
  spans {integer} NOT NULL,
  rejected_spans {integer} NOT NULL,
  left_out_spans {integer} NOT NULL,
  dropped_traces {integer} NOT NULL,
  PRIMARY KEY (workspace_id, day)
){clustered}""",
    """
CREATE TABLE retention (
  workspace_id {id} NOT NULL PRIMARY KEY REFERENCES workspaces (id),
  days {integer},
  megabytes {integer}
){clustered}""",
)
