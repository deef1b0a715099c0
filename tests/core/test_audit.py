"""What changed between two states of an object."""

from datetime import UTC, datetime

from aloi.core.access import LOCAL, Member, Role, Workspace
from aloi.core.audit import changed_fields

MEMBER = Member(id="m", email="a@b.c", role=Role.VIEWER, created_at=datetime(2026, 1, 1, tzinfo=UTC))


def test_only_the_fields_that_differ() -> None:
    after = MEMBER.model_copy(update={"role": Role.OWNER, "last_seen_at": datetime(2026, 1, 2, tzinfo=UTC)})
    assert changed_fields(MEMBER, after) == (
        {"role": "viewer", "last_seen_at": None},
        {"role": "owner", "last_seen_at": "2026-01-02T00:00:00Z"},
    )


def test_nothing_changed() -> None:
    assert changed_fields(MEMBER, MEMBER) == ({}, {})


def test_a_field_that_one_lacks_is_left_out_there() -> None:
    before, after = changed_fields(Workspace(id="m", name="x"), LOCAL.model_copy(update={"name": "x"}))
    assert before == {"id": "m"}
    assert set(after) == {"workspace", "role", "kind", "member_id", "targets"}
