"""Who may do what: workspaces, their members, and the keys of programs."""

from enum import StrEnum
from typing import Literal

from pydantic import AwareDatetime, Field

from aloi.core.spec import Value

EMAIL_LENGTH = 254
NAME_LENGTH = 200
# In characters, the least and the most.
PASSWORD_LEAST, PASSWORD_MOST = 10, 1000
# The workspace of a new database, and of a program that works on the database itself.
FIRST_WORKSPACE = "00000000-0000-7000-8000-000000000001"


class Role(StrEnum):
    """A viewer reads; an editor also creates, edits and runs; an owner also manages members, keys and gates."""

    VIEWER = "viewer"
    EDITOR = "editor"
    OWNER = "owner"

    def may(self, needed: "Role") -> bool:
        """Whether this role includes what the needed one may do."""
        ranks = list(Role)
        return ranks.index(self) >= ranks.index(needed)


class Workspace(Value):
    """A tenant: nothing of one workspace is seen from another."""

    id: str
    name: str = Field(min_length=1, max_length=NAME_LENGTH)


class Member(Value):
    """A user in a workspace. `has_password` is false for one who signs in by a one-time link alone.

    `granted`: to how many targets the member is narrowed; null for one who is not, and sees all.
    """

    id: str
    email: str = Field(max_length=EMAIL_LENGTH)
    role: Role
    has_password: bool = False
    created_at: AwareDatetime
    last_seen_at: AwareDatetime | None = None
    granted: int | None = None


class GrantedTarget(Value):
    """A target as the list of a member's grants names it."""

    id: str
    name: str
    kind: str


class Grants(Value):
    """The targets that a member is narrowed to, by name; null for all targets, those to come included."""

    targets: tuple[GrantedTarget, ...] | None


class ApiKey(Value):
    """What is known of a program's key; the key itself is shown once, when it is made.

    `prefix` is how the key begins. `expires_at` is null for one that does not expire.
    """

    id: str
    name: str = Field(min_length=1, max_length=NAME_LENGTH)
    prefix: str
    role: Role
    created_by: str
    created_at: AwareDatetime
    expires_at: AwareDatetime | None = None
    last_used_at: AwareDatetime | None = None


class NewApiKey(Value):
    """A key that was just made, with its secret: the only time that it can be read."""

    key: ApiKey
    secret: str


class NewMember(Value):
    """A member who was just added, and the one-time path that signs them in where they have no password."""

    member: Member
    link: str | None = None


class Principal(Value):
    """Who asks, and for which workspace. `name` is an email, the name of a key, or `local` for this machine's user.

    `member_id` is null for keys and for the local user. `targets`: the ids of those that a member is narrowed to; null
    for all.
    """

    workspace: Workspace
    name: str
    role: Role
    kind: Literal["member", "api_key", "local"]
    member_id: str | None = None
    targets: tuple[str, ...] | None = None


class SignIn(Value):
    """A session that just began: its token, and until when it works if it is not used. Each use prolongs it."""

    token: str
    expires_at: AwareDatetime
    principal: Principal


LOCAL = Principal(workspace=Workspace(id=FIRST_WORKSPACE, name="default"), name="local", role=Role.OWNER, kind="local")
