"""Optimistic concurrency: every object has an ETag, and a change may say which one it was read as."""

from typing import Annotated

from fastapi import Header, Response
from pydantic import BaseModel

from aloi.core.identity import etag

IfMatch = Annotated[
    str | None, Header(description="The ETag that the object was read with; a change of any other is refused.")
]


def tag(response: Response, value: BaseModel) -> None:
    """Answer with the ETag of an object."""
    response.headers["ETag"] = f'"{etag(value)}"'


def wanted(if_match: str | None) -> str | None:
    """The tag that a caller names, bare; null for any."""
    if if_match is None or if_match.strip() == "*":
        return None
    return if_match.strip().removeprefix("W/").strip('"')
