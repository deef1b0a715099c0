"""The tables of evidence that comes from elsewhere while a case runs; see `tables`."""

# What is served to one invocation until it ends, known by the hash of the token in its address; its calls, counted by
# `seq` from 0, with a `turn_key` where fixed answers take turns. `served_answers` are those that a model wrote, for all
# calls alike in one `scope`, a run.
SERVED_TABLES = (
    """
CREATE TABLE served_sessions (
  token_hash {hash} NOT NULL PRIMARY KEY,
  body {text} NOT NULL,
  until {time} NOT NULL
){clustered}""",
    "CREATE INDEX served_sessions_by_end ON served_sessions (until)",
    """
CREATE TABLE served_calls (
  token_hash {hash} NOT NULL REFERENCES served_sessions (token_hash) ON DELETE CASCADE,
  seq {integer} NOT NULL,
  tool {text} NOT NULL,
  turn_key {text} NOT NULL,
  body {text} NOT NULL,
  PRIMARY KEY (token_hash, seq)
){clustered}""",
    """
CREATE TABLE served_answers (
  scope {id} NOT NULL,
  call_hash {hash} NOT NULL,
  answer {text} NOT NULL,
  until {time} NOT NULL,
  PRIMARY KEY (scope, call_hash)
){clustered}""",
    "CREATE INDEX served_answers_by_end ON served_answers (until)",
)
# Traces that invocations of ours were sent with, each until its invocation is stored at the latest.
EXPECTED_TABLES = (
    """
CREATE TABLE expected_traces (
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  trace_id {hash} NOT NULL,
  until {time} NOT NULL,
  PRIMARY KEY (workspace_id, trace_id)
){clustered}""",
    "CREATE INDEX expected_traces_by_end ON expected_traces (until)",
)
EVIDENCE_TABLES: tuple[str, ...] = (*SERVED_TABLES, *EXPECTED_TABLES)
