"""Members, keys and files by what people call them."""

from aloi.client.administration import Administration
from aloi.client.paging import every
from aloi.client.protocol import Client
from aloi.core.access import ApiKey, Member
from aloi.core.attachment import AttachmentEntry
from aloi.core.errors import InvalidInput, NotFound


async def attachment_of(client: Client, beginning: str) -> AttachmentEntry:
    """The file whose hash begins so.

    Raises:
        NotFound: there is none.
        InvalidInput: there are several.
    """
    found = [file async for file in every(client.attachments) if beginning and file.hash.startswith(beginning)]
    if not found:
        raise NotFound(f"there is no file {beginning!r}; see `aloi attachments list`")
    if len(found) > 1:
        raise InvalidInput(
            f"the hashes of {len(found)} files begin with {beginning!r}; give more of the one that is meant"
        )
    return found[0]


async def member_of(client: Administration, ref: str) -> Member:
    """The member of an email or an id.

    Raises:
        NotFound: there is none.
    """
    async for member in every(client.members):
        if ref == member.id or ref.strip().lower() == member.email:
            return member
    raise NotFound(f"there is no member {ref!r}; see `aloi users list`")


async def key_of(client: Administration, ref: str) -> ApiKey:
    """The API key of an id or a name.

    Raises:
        NotFound: there is none.
        InvalidInput: several bear the name.
    """
    named: list[ApiKey] = []
    async for key in every(client.api_keys):
        if ref == key.id:
            return key
        if ref == key.name:
            named.append(key)
    if len(named) > 1:
        raise InvalidInput(
            f"{len(named)} keys are named {ref!r}; give one's id instead: {', '.join(k.id for k in named)}"
        )
    if not named:
        raise NotFound(f"there is no key {ref!r}; see `aloi api-keys list`")
    return named[0]
