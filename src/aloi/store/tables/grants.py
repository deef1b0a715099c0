"""The tables of targets that members are narrowed to; see `tables`."""

# Of a member who is `narrowed`, `member_grants` has the targets; without a row there are none. What was of a target
# that was deleted is an orphan: else it would be of no target, and be seen by those who were not granted that target.
GRANT_TABLES: tuple[str, ...] = (
    """
CREATE TABLE member_grants (
  member_id {id} NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  target_id {id} NOT NULL REFERENCES targets (id) ON DELETE CASCADE,
  PRIMARY KEY (member_id, target_id)
){clustered}""",
    "CREATE INDEX member_grants_by_target ON member_grants (target_id)",
    "CREATE TABLE orphans (id {id} NOT NULL PRIMARY KEY){clustered}",
)
