"""Members and keys by what people call them."""

from aloi.client.administration import Administration
from aloi.core.access import ApiKey, Member
from aloi.core.errors import InvalidInput, NotFound

PAGE = 200


async def member_of(client: Administration, ref: str) -> Member:
    """The member of an email or an id.

    Raises:
        NotFound: there is none.
    """
    number, pages = 1, 1
    while number <= pages:
        page = await client.members(number, PAGE)
        for member in page.items:
            if ref == member.id or ref.strip().lower() == member.email:
                return member
        number, pages = number + 1, page.pages
    raise NotFound(f"there is no member {ref!r}; see `aloi users list`")


async def key_of(client: Administration, ref: str) -> ApiKey:
    """The API key of an id or a name.

    Raises:
        NotFound: there is none.
        InvalidInput: several bear the name.
    """
    named: list[ApiKey] = []
    number, pages = 1, 1
    while number <= pages:
        page = await client.api_keys(number, PAGE)
        for key in page.items:
            if ref == key.id:
                return key
            if ref == key.name:
                named.append(key)
        number, pages = number + 1, page.pages
    if len(named) > 1:
        raise InvalidInput(
            f"{len(named)} keys are named {ref!r}; give one's id instead: {', '.join(k.id for k in named)}"
        )
    if not named:
        raise NotFound(f"there is no key {ref!r}; see `aloi api-keys list`")
    return named[0]
