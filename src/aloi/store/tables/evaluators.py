"""The tables of saved evaluators and of their versions; see `tables`."""

# A version outlives its evaluator, so that what a run was graded with can always be told: it refers to none.
EVALUATOR_TABLES = (
    """
CREATE TABLE evaluators (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  name {text} NOT NULL,
  description {text} NOT NULL,
  spec {text} NOT NULL,
  created_at {time} NOT NULL,
  updated_at {time} NOT NULL,
  target_id {id} REFERENCES targets (id) ON DELETE SET NULL,
  version {integer} DEFAULT 1 NOT NULL,
  UNIQUE (workspace_id, name)
){clustered}""",
    "CREATE INDEX evaluators_by_target ON evaluators (target_id) WHERE target_id IS NOT NULL",
    """
CREATE TABLE evaluator_versions (
  id {id} NOT NULL PRIMARY KEY,
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  evaluator_id {id} NOT NULL,
  number {integer} NOT NULL,
  spec {text} NOT NULL,
  note {text} NOT NULL,
  restores {integer},
  created_by {text} NOT NULL,
  created_at {time} NOT NULL,
  UNIQUE (evaluator_id, number)
){clustered}""",
)
