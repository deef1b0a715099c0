"""The tables of rules that grade executions of production; see `tables`."""

# `version` of a rule is the one in its settings. A row of `online_queue` is an execution that a rule grades from
# `due_at` on; who grades it holds the `claim`, and is late when it is due again. `tries` is -1 of one that was left out
# for the budget, which is remembered until it is due. A row refers to no execution, so that one that is deleted
# meanwhile can be counted. A result goes with its execution; the figures in `online_buckets`, a row for each quarter of
# an hour, and in `online_days` (UTC, when it was graded) stay.
ONLINE_TABLES: tuple[str, ...] = (
    """
CREATE TABLE online_rules (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  target_id {id} NOT NULL REFERENCES targets (id) ON DELETE CASCADE,
  name {text} NOT NULL,
  enabled {integer} NOT NULL,
  version {integer},
  settings {text} NOT NULL,
  drafts_dataset_id {id} REFERENCES datasets (id) ON DELETE SET NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  UNIQUE (target_id, name)
){clustered}""",
    """
CREATE TABLE online_queue (
  rule_id {id} NOT NULL REFERENCES online_rules (id) ON DELETE CASCADE,
  execution_id {id} NOT NULL,
  created_at {time} NOT NULL,
  due_at {time} NOT NULL,
  tries {integer} NOT NULL,
  claim {id},
  PRIMARY KEY (rule_id, execution_id)
){clustered}""",
    "CREATE INDEX online_queue_by_due ON online_queue (rule_id, due_at)",
    """
CREATE TABLE online_results (
  rule_id {id} NOT NULL REFERENCES online_rules (id) ON DELETE CASCADE,
  execution_id {id} NOT NULL REFERENCES executions (id) ON DELETE CASCADE,
  created_at {time} NOT NULL,
  graded_at {time} NOT NULL,
  verdict {text} NOT NULL,
  score {real},
  body {text} NOT NULL,
  to_draft {integer} NOT NULL,
  PRIMARY KEY (rule_id, execution_id)
){clustered}""",
    "CREATE INDEX online_results_by_time ON online_results (rule_id, created_at, execution_id)",
    "CREATE INDEX online_results_by_verdict ON online_results (rule_id, verdict, created_at, execution_id)",
    "CREATE INDEX online_results_by_execution ON online_results (execution_id)",
    "CREATE INDEX online_results_to_draft ON online_results (rule_id) WHERE to_draft = 1",
    """
CREATE TABLE online_buckets (
  rule_id {id} NOT NULL REFERENCES online_rules (id) ON DELETE CASCADE,
  start_at {time} NOT NULL,
  passed {integer} NOT NULL,
  failed {integer} NOT NULL,
  errors {integer} NOT NULL,
  skipped {integer} NOT NULL,
  gone {integer} NOT NULL,
  judge_variance {real} NOT NULL,
  cost {real},
  unpriced {integer} NOT NULL,
  PRIMARY KEY (rule_id, start_at)
){clustered}""",
    """
CREATE TABLE online_days (
  rule_id {id} NOT NULL REFERENCES online_rules (id) ON DELETE CASCADE,
  day {integer} NOT NULL,
  graded {integer} NOT NULL,
  skipped {integer} NOT NULL,
  cost {real},
  PRIMARY KEY (rule_id, day)
){clustered}""",
)
