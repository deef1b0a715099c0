"""Where a workspace's notices are sent, and how the receiver knows that they are ours."""

import hashlib
import hmac
from datetime import UTC, datetime, timedelta

from pydantic import AwareDatetime, Field

from aloi.core.spec import Value

URL_LENGTH = 2000
SIGNATURE_HEADER = "X-Aloi-Signature"
TOLERANCE = timedelta(minutes=5)


class Webhook(Value):
    """Where notices are sent. `url` is null where they are not sent anywhere; the secret is never told again.

    Of the address who is no owner is told the host alone, `https://example.org/…`.
    """

    url: str | None = None
    updated_at: AwareDatetime | None = None


class WebhookChange(Value):
    """The new address; null sends nothing any more. `new_secret` replaces the secret of an address that has one."""

    url: str | None = Field(max_length=URL_LENGTH, description="http or https; null for none.")
    new_secret: bool = Field(default=False, description="Whether a secret that is there is replaced.")


class NewWebhook(Value):
    """The webhook, and its secret if that was made just now: the only time that it can be read."""

    webhook: Webhook
    secret: str | None = None


class WebhookTest(Value):
    """What came of a message that was sent to try the webhook; `reason` says why it was not taken."""

    taken: bool
    reason: str | None = None


def signature(secret: str, body: bytes, at: datetime) -> str:
    """The value of the header `X-Aloi-Signature`: `t=SECONDS,v1=HEX`.

    HEX is the HMAC-SHA256, by the secret as UTF-8, of the seconds since 1970 in digits, a full stop, and the body.
    """
    seconds = int(at.timestamp())
    return f"t={seconds},v1={_digest(secret, seconds, body)}"


def is_signed(secret: str, header: str, body: bytes, now: datetime, tolerance: timedelta = TOLERANCE) -> bool:
    """Whether a header is the signature of a body by a secret, made not longer ago than tolerated. For receivers."""
    parts = dict(part.strip().split("=", 1) for part in header.split(",") if "=" in part)
    seconds, given = parts.get("t", ""), parts.get("v1", "")
    if not (seconds.isascii() and seconds.isdigit() and len(seconds) <= len("99999999999") and given.isascii()):
        return False
    fresh = abs(now - datetime.fromtimestamp(int(seconds), UTC)) <= tolerance
    return fresh and hmac.compare_digest(_digest(secret, int(seconds), body), given)


def _digest(secret: str, seconds: int, body: bytes) -> str:
    return hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
