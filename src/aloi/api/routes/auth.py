"""Signing in and out, and one's own password."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response, status
from pydantic import Field

from aloi.api.access import COOKIE, Public, Token, Viewer, check_origin
from aloi.core.access import EMAIL_LENGTH, PASSWORD_LEAST, PASSWORD_MOST, Principal, SignIn
from aloi.core.spec import Value
from aloi.service.accounts import access
from aloi.service.accounts.throttle import Throttle

router = APIRouter(prefix="/auth", tags=["auth"])
# The most that browsers keep a cookie for; the session itself ends after 14 days without use.
COOKIE_SECONDS = 400 * 24 * 3600


class Login(Value):
    """An email and a password."""

    email: str = Field(max_length=EMAIL_LENGTH)
    password: str = Field(max_length=PASSWORD_MOST)


class Link(Value):
    """The token of a one-time link."""

    token: str = Field(max_length=100)


class NewPassword(Value):
    """A new password. `current` is the present one; null for a member who has none."""

    current: str | None = Field(default=None, max_length=PASSWORD_MOST)
    new: str = Field(min_length=PASSWORD_LEAST, max_length=PASSWORD_MOST)


async def _throttle(request: Request) -> Throttle:
    throttle = request.app.state.throttle
    assert isinstance(throttle, Throttle)
    return throttle


Throttled = Annotated[Throttle, Depends(_throttle)]


@router.post("/login")
async def login(body: Login, context: Public, throttle: Throttled, request: Request, response: Response) -> SignIn:
    """Sign in by email and password. The answer has a token for programs; a browser gets it as a cookie too.

    After five failures a minute for an email or from an address, further ones are refused for a while (429).
    """
    check_origin(request)
    address = request.client.host if request.client else "unknown"
    signed_in = await access.sign_in(context, throttle, body.email, body.password, address)
    _set_cookie(request, response, signed_in.token)
    return signed_in


@router.post("/link")
async def sign_in_by_link(body: Link, context: Public, request: Request, response: Response) -> SignIn:
    """Sign in by a one-time link: it works once, within 30 minutes of being made."""
    check_origin(request)
    signed_in = await access.sign_in_by_link(context, body.token)
    _set_cookie(request, response, signed_in.token)
    return signed_in


@router.post("/logout", status_code=status.HTTP_204_NO_CONTENT)
async def logout(context: Viewer, token: Token, response: Response) -> None:
    """End the session that asks. Its token does not work any more."""
    await access.sign_out(context, token)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")


@router.get("/me")
async def get_me(context: Viewer) -> Principal:
    """Who asks, with which role, in which workspace."""
    return context.principal


@router.post("/password", status_code=status.HTTP_204_NO_CONTENT)
async def set_password(body: NewPassword, context: Viewer, throttle: Throttled, token: Token) -> None:
    """Set one's own password. All other sessions of the member end."""
    await access.set_password(context, throttle, token, body.current, body.new)


def _set_cookie(request: Request, response: Response, token: str) -> None:
    response.set_cookie(
        COOKIE,
        token,
        max_age=COOKIE_SECONDS,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
