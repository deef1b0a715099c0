"""Who asks, and whether they may: each route takes one of `Viewer`, `Editor`, `Owner`, or is `Public`.

What concerns all targets takes `ViewerOfAll` or `EditorOfAll`: it is not for members who are narrowed to some.

What a route gets is the service's `Context`, acting as the caller in the caller's workspace.
"""

from typing import Annotated, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer

from aloi.core.access import Principal, Role
from aloi.core.errors import NotPermitted, NotSignedIn
from aloi.service.accounts import access
from aloi.service.context import Context

COOKIE: Final = "aloi_session"
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
BEARER = HTTPBearer(scheme_name="bearer", description="A session's token or an API key (`aloi_...`).", auto_error=False)
SESSION = APIKeyCookie(
    name=COOKIE, scheme_name="cookie", description="What a browser carries after signing in.", auto_error=False
)


def _context(request: Request) -> Context:
    context = request.app.state.context
    assert isinstance(context, Context)
    return context


async def server_context(request: Request) -> Context:
    """The context of the server itself, acting as nobody: for routes that need no sign-in."""
    return _context(request)


async def token(
    request: Request,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(BEARER)],
    cookie: Annotated[str | None, Depends(SESSION)],
) -> str:
    """What the caller shows: a bearer token, else the browser's cookie.

    Raises:
        NotSignedIn: neither.
        NotPermitted: a browser was made to ask for a change by a page of another origin.
    """
    if bearer is not None:
        return bearer.credentials
    if cookie is None:
        raise NotSignedIn("sign in, or send a token as `Authorization: Bearer ...`")
    if request.method not in SAFE and "Origin" not in request.headers:
        raise NotPermitted("a change by a browser's session must say from which page it comes; use a token elsewhere")
    check_origin(request)
    return cookie


def check_origin(request: Request) -> None:
    """Let a browser change things only from our own pages. Programs, which name no origin, are let through.

    Behind a proxy that rewrites the host, our own pages are those of the public address.

    Raises:
        NotPermitted: the request comes from a page of another origin.
    """
    origin, host = request.headers.get("Origin"), request.headers.get("Host", "")
    ours = {f"http://{host}", f"https://{host}", _origin_of(_context(request).settings.public_url)}
    if request.method in SAFE or origin is None or origin in ours:
        return
    raise NotPermitted(f"the page at {origin:.200} may not change anything in Aloi; only Aloi's own pages may")


def _origin_of(address: str | None) -> str | None:
    parts = urlsplit(address or "")
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else None


Token = Annotated[str, Depends(token)]
Public = Annotated[Context, Depends(server_context)]


async def caller(context: Public, shown: Token) -> Principal:
    """Who asks.

    Raises:
        NotSignedIn: what was shown does not count, or not any more.
    """
    return await access.authenticate(context, shown)


class Needs:
    """A dependency that lets callers of a role, or a higher one, through.

    Args:
        everywhere: only those who are not narrowed to some targets.
    """

    def __init__(self, role: Role, *, everywhere: bool = False) -> None:
        self.role = role
        self.everywhere = everywhere

    async def __call__(self, context: Public, principal: Annotated[Principal, Depends(caller)]) -> Context:
        """The context acting as the caller.

        Raises:
            NotPermitted: the caller's role is too low, or their targets too few.
        """
        if not principal.role.may(self.role):
            raise NotPermitted(f"this needs the role {self.role}, and yours is {principal.role}; ask an owner")
        if self.everywhere and principal.targets is not None:
            raise NotPermitted("this concerns all targets, and you are granted some of them only; ask an owner")
        return context.acting_as(principal)


Viewer = Annotated[Context, Depends(Needs(Role.VIEWER))]
Editor = Annotated[Context, Depends(Needs(Role.EDITOR))]
Owner = Annotated[Context, Depends(Needs(Role.OWNER))]
# Of all targets: for what is not of one of them.
ViewerOfAll = Annotated[Context, Depends(Needs(Role.VIEWER, everywhere=True))]
EditorOfAll = Annotated[Context, Depends(Needs(Role.EDITOR, everywhere=True))]
