"""The keys of programs."""

from fastapi import APIRouter, status
from pydantic import AwareDatetime, Field

from aloi.api.access import Owner
from aloi.api.paging import PageOut, Paging, paged
from aloi.core.access import NAME_LENGTH, ApiKey, NewApiKey, Role
from aloi.core.spec import Value
from aloi.service.accounts import api_keys

router = APIRouter(prefix="/auth/api-keys", tags=["api keys"])


class KeyWish(Value):
    """What a key shall be. Without `expires_at` it works until it is revoked."""

    name: str = Field(min_length=1, max_length=NAME_LENGTH)
    role: Role
    expires_at: AwareDatetime | None = None


@router.get("")
async def list_api_keys(context: Owner, paging: Paging) -> PageOut[ApiKey]:
    """The workspace's keys, newest first, without their secrets."""
    return paged(await api_keys.listing(context, paging.page, paging.size))


@router.post("", status_code=status.HTTP_201_CREATED)
async def create_api_key(body: KeyWish, context: Owner) -> NewApiKey:
    """Make a key. Its secret is in this answer and can never be read again."""
    return await api_keys.create(context, body.name, body.role, body.expires_at)


@router.delete("/{key_id}", status_code=status.HTTP_204_NO_CONTENT)
async def revoke_api_key(key_id: str, context: Owner) -> None:
    """Revoke a key: it opens nothing from now on."""
    await api_keys.revoke(context, key_id)
