"""The members of the workspace."""

from typing import Annotated

from fastapi import APIRouter, status
from pydantic import Field

from aloi.api.access import Owner, Viewer
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.access import EMAIL_LENGTH, NAME_LENGTH, PASSWORD_LEAST, PASSWORD_MOST, Grants, Member, NewMember, Role
from aloi.core.spec import Value
from aloi.service.accounts import grants, members

router = APIRouter(prefix="/members", tags=["members"])


Targets = list[Annotated[str, Field(max_length=NAME_LENGTH)]]


class MemberWish(Value):
    """Who shall be a member. One without a password signs in by a one-time link, and may set one then."""

    email: str = Field(max_length=EMAIL_LENGTH)
    role: Role
    password: str | None = Field(default=None, min_length=PASSWORD_LEAST, max_length=PASSWORD_MOST)
    targets: Targets | None = Field(
        default=None, max_length=grants.MOST, description="Those that they shall see, by id or name; null for all."
    )


class MemberChange(Value):
    """What to change: an absent key leaves the field, and so does a null role.

    A null password takes the password away, e.g. when it was forgotten.
    """

    role: Role | None = None
    password: str | None = Field(default=None, min_length=PASSWORD_LEAST, max_length=PASSWORD_MOST)


class GrantsWish(Value):
    """To which targets a member shall be narrowed: by id or name, none for an empty list; null for all."""

    targets: Targets | None = Field(max_length=grants.MOST)


@router.get("")
async def list_members(context: Viewer, paging: Paging) -> PageOut[Member]:
    """The workspace's members, newest first."""
    return paged(await members.listing(context, paging.page, paging.size))


@router.post("", status_code=status.HTTP_201_CREATED)
async def add_member(body: MemberWish, context: Owner) -> NewMember:
    """Add a member. Without a password the answer has the path of a one-time link that signs them in.

    With `targets` they are narrowed to these from the beginning, as by `PUT /api/members/{member_id}/grants`.
    """
    return await members.add(context, body.email, body.role, body.password, body.targets)


@router.put("/{member_id}")
async def update_member(member_id: str, body: MemberChange, context: Owner) -> Member:
    """Change a member's role or password. Whose password changed is signed out everywhere."""
    forget = "password" in body.model_fields_set and body.password is None
    return await members.change(context, member_id, role=body.role, password=body.password, forget=forget)


@router.delete("/{member_id}", status_code=status.HTTP_204_NO_CONTENT)
async def remove_member(member_id: str, context: Owner) -> None:
    """Remove a member: they are signed out at once; what they made stays. The last owner cannot be removed."""
    await members.remove(context, member_id)


@router.post("/{member_id}/link", status_code=status.HTTP_201_CREATED)
async def create_sign_in_link(member_id: str, context: Owner) -> NewMember:
    """Make a fresh one-time link that signs a member in within 30 minutes; an earlier one does not work any more."""
    return await members.link(context, member_id)


@router.get("/{member_id}/grants")
async def get_grants(member_id: str, context: Owner) -> Grants:
    """Read to which targets a member is narrowed; null for all."""
    return await grants.get(context, member_id)


@router.put("/{member_id}/grants")
async def update_grants(member_id: str, body: GrantsWish, context: Owner) -> Grants:
    """Narrow a member to some targets; it counts from their next request on. Owners see all: 409.

    They see those targets with what is theirs, and datasets and evaluators of no target. They change only what is of
    their targets and no other target's gate is on, and make no targets.
    """
    return await grants.replace(context, member_id, body.targets)
