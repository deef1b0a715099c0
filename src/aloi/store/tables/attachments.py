"""The tables of files on cases; see `tables`.

A file is there once per workspace and content; `blob_id` says where its content is stored. Who refers to it stands
apart from the cases and the snapshots themselves, so that it is found without reading them. Which members sent it says
who has had it in their hands: that somebody knows its hash does not.
"""

ATTACHMENT_TABLES: tuple[str, ...] = (
    """
CREATE TABLE attachments (
  workspace_id {id} NOT NULL REFERENCES workspaces (id),
  hash {hash} NOT NULL,
  blob_id {id} NOT NULL,
  name {text} NOT NULL,
  media_type {text} NOT NULL,
  size {integer} NOT NULL,
  created_by {text} NOT NULL,
  created_at {time} NOT NULL,
  PRIMARY KEY (workspace_id, hash)
){clustered}""",
    "CREATE INDEX attachments_by_time ON attachments (workspace_id, created_at)",
    """
CREATE TABLE case_attachments (
  case_id {id} NOT NULL REFERENCES cases (id) ON DELETE CASCADE,
  workspace_id {id} NOT NULL,
  hash {hash} NOT NULL,
  PRIMARY KEY (case_id, hash),
  FOREIGN KEY (workspace_id, hash) REFERENCES attachments (workspace_id, hash)
){clustered}""",
    "CREATE INDEX case_attachments_by_hash ON case_attachments (workspace_id, hash)",
    """
CREATE TABLE revision_attachments (
  revision_id {id} NOT NULL REFERENCES dataset_revisions (id),
  workspace_id {id} NOT NULL,
  hash {hash} NOT NULL,
  PRIMARY KEY (revision_id, hash),
  FOREIGN KEY (workspace_id, hash) REFERENCES attachments (workspace_id, hash) ON DELETE CASCADE
){clustered}""",
    "CREATE INDEX revision_attachments_by_hash ON revision_attachments (workspace_id, hash)",
    "CREATE INDEX runs_by_revision ON runs (revision_id)",
    """
CREATE TABLE attachment_senders (
  workspace_id {id} NOT NULL,
  hash {hash} NOT NULL,
  member_id {id} NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  PRIMARY KEY (workspace_id, hash, member_id),
  FOREIGN KEY (workspace_id, hash) REFERENCES attachments (workspace_id, hash) ON DELETE CASCADE
){clustered}""",
    "CREATE INDEX attachment_senders_by_member ON attachment_senders (member_id)",
)
