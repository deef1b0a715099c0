"""The tables of schedules and of what they tell; see `tables`."""

# A schedule with `next_at` fires then: it is neither paused nor over. A firing that is `told` of is done with. What was
# told stays when its schedule or its run goes, so a notice refers to neither; one with `next_try_at` waits to be sent.
SCHEDULE_TABLES = (
    "CREATE INDEX runs_by_schedule ON runs (schedule_id, created_at) WHERE schedule_id IS NOT NULL",
    """
CREATE TABLE schedules (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  name {text} NOT NULL,
  target_id {id} NOT NULL REFERENCES targets (id),
  dataset_id {id} NOT NULL REFERENCES datasets (id),
  start_at {time} NOT NULL,
  end_at {time},
  zone {text} NOT NULL,
  recurrence {text} NOT NULL,
  paused {integer} NOT NULL,
  next_at {time},
  created_by {text} NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  UNIQUE (workspace_id, name)
){clustered}""",
    "CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL",
    "CREATE INDEX schedules_by_target ON schedules (target_id)",
    "CREATE INDEX schedules_by_dataset ON schedules (dataset_id)",
    """
CREATE TABLE firings (
  id {id} NOT NULL PRIMARY KEY,
  schedule_id {id} NOT NULL REFERENCES schedules (id) ON DELETE CASCADE,
  due_at {time} NOT NULL,
  fired_at {time} NOT NULL,
  status {text} NOT NULL,
  run_id {id} REFERENCES runs (id) ON DELETE SET NULL,
  reason {text},
  told {integer} NOT NULL,
  UNIQUE (schedule_id, due_at)
){clustered}""",
    "CREATE INDEX firings_by_run ON firings (run_id) WHERE run_id IS NOT NULL",
    "CREATE INDEX firings_untold ON firings (schedule_id) WHERE told = 0",
    """
CREATE TABLE notices (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  schedule_id {id} NOT NULL,
  schedule_name {text} NOT NULL,
  run_id {id},
  kind {text} NOT NULL,
  text {text} NOT NULL,
  at {time} NOT NULL,
  delivery {text} NOT NULL,
  attempts {integer} NOT NULL,
  next_try_at {time},
  refusal {text},
  delivered_at {time}
){clustered}""",
    "CREATE INDEX notices_by_time ON notices (workspace_id, at)",
    "CREATE INDEX notices_to_send ON notices (workspace_id, next_try_at) WHERE next_try_at IS NOT NULL",
    """
CREATE TABLE notice_reads (
  notice_id {id} NOT NULL REFERENCES notices (id) ON DELETE CASCADE,
  reader {text} NOT NULL,
  read_at {time} NOT NULL,
  PRIMARY KEY (notice_id, reader)
){clustered}""",
    """
CREATE TABLE webhooks (
  workspace_id {id} NOT NULL PRIMARY KEY REFERENCES workspaces (id),
  url {text} NOT NULL,
  secret {text} NOT NULL,
  updated_at {time} NOT NULL
){clustered}""",
)
