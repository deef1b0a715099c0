"""Roles and what they include."""

import pytest
from pydantic import ValidationError

from aloi.core.access import LOCAL, Role, Workspace


@pytest.mark.parametrize(
    ("role", "needed", "may"),
    [
        (Role.VIEWER, Role.VIEWER, True),
        (Role.VIEWER, Role.EDITOR, False),
        (Role.VIEWER, Role.OWNER, False),
        (Role.EDITOR, Role.VIEWER, True),
        (Role.EDITOR, Role.EDITOR, True),
        (Role.EDITOR, Role.OWNER, False),
        (Role.OWNER, Role.VIEWER, True),
        (Role.OWNER, Role.EDITOR, True),
        (Role.OWNER, Role.OWNER, True),
    ],
)
def test_a_higher_role_includes_the_lower_ones(role: Role, needed: Role, may: bool) -> None:
    assert role.may(needed) is may


def test_the_local_user_owns_the_first_workspace() -> None:
    assert (LOCAL.role, LOCAL.kind, LOCAL.member_id) == (Role.OWNER, "local", None)


@pytest.mark.parametrize("name", ["", "x" * 201])
def test_a_workspace_has_a_name(name: str) -> None:
    with pytest.raises(ValidationError):
        Workspace(id=LOCAL.workspace.id, name=name)
