"""A service that answers HTTP requests: how it is defined, what it is sent, and how its reply is read."""

import json
import re
from collections.abc import Mapping
from typing import Literal
from urllib.parse import quote, urlsplit

from pydantic import Field, JsonValue, field_validator

from aloi.core.errors import StageFailure
from aloi.core.json_values import storable, strict_json, text_of
from aloi.core.keys import NamedKey
from aloi.core.paths import JsonPath
from aloi.core.select import nodes
from aloi.core.spec import Value
from aloi.core.target import HttpReply, HttpRequest, OpenSpan, TargetContext
from aloi.core.trace import TRACE_SENT, TRACE_WAIT
from aloi.llm.secrets import masked, read_secret

VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)\}")
SECRET_HEADERS = frozenset({"authorization", "proxy-authorization", "x-api-key", "api-key", "cookie"})
SHOWN = 300  # characters of an error's body in a message
TRACEPARENT = "traceparent"
# Names of the OpenTelemetry HTTP conventions.
METHOD, HOST, STATUS = "http.request.method", "server.address", "http.response.status_code"


class HttpService(Value):
    """A service at an address, asked once by each call.

    `${NAME}` in a header stands for an environment variable, so that no secret is written down; where a reply repeats
    its value, `[NAME]` is stored. Redirects are not followed.
    """

    url: str = Field(description="Address, e.g. https://example.org/answer")
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = Field(default="POST", description="HTTP method.")
    headers: dict[str, str] = Field(default={}, description="E.g. `Authorization: Bearer ${MY_TOKEN}`.")
    body: JsonValue = Field(default=None, description="Sent as JSON; null for none. GET sends none.")
    output: JsonPath | None = Field(
        default=None,
        description="JSONPath (RFC 9535) of the answer in the JSON reply; several nodes are a list. Default: the whole "
        "reply, as JSON if it is, else as text.",
    )
    max_bytes: int = Field(default=32 * 1024 * 1024, ge=1, description="A longer reply is a failure.")

    @field_validator("url")
    @classmethod
    def _address(cls, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is not an address; write it like https://example.org/path")
        if "{" in parts.netloc:
            raise ValueError("the host may not depend on the case; use placeholders in the path and query only")
        if parts.username or parts.password:
            raise ValueError("no user or password in the url; use a header with ${NAME} from the environment")
        return url

    @field_validator("headers")
    @classmethod
    def _no_secret_written_down(cls, headers: dict[str, str]) -> dict[str, str]:
        for name, text in headers.items():
            if name.strip().lower() in SECRET_HEADERS and text.strip() and not VARIABLE.search(text):
                raise ValueError(
                    f"the value of {name} would be stored as it is; write the secret as ${{NAME}} and put it in the "
                    "environment"
                )
        return headers

    async def answer(
        self,
        url: str,
        body: JsonValue,
        ctx: TargetContext,
        *,
        span_wait: float = 0.0,
        headers: Mapping[str, str] | None = None,
    ) -> JsonValue:
        """Send the request and read the answer from the reply; one span, without the request's contents.

        The service is told which trace it works for, by a `traceparent` header (W3C Trace Context) whose parent is that
        span; one that the definition has stands.

        Args:
            url: the address with its placeholders filled in.
            body: likewise; null sends none.
            ctx: `http`, `recorder`, `environ`.
            span_wait: the seconds for which a run is to wait for spans of this service; 0 says nothing of it.
            headers: sent along, in the place of those that the definition has under the same names.

        Raises:
            StageFailure: stage `invoke`; type `http_status` (300 and above), `no_answer`, `bad_reply`, `too_large`,
                `no_key` (an environment variable is not set), `bad_key` (it holds what no header can carry),
                `bad_request` (a value would lead to another path), or as `HttpDoor.send`.
        """
        _check_path(url)
        secrets = self._secrets(ctx.environ)
        request = self._request(url, body, secrets, headers or {})
        host = urlsplit(self.url).hostname or ""
        with ctx.recorder.span(f"{self.method} {host}", {METHOD: self.method, HOST: host}) as span:
            if not _names_trace(request):
                span.set({TRACE_SENT: True, TRACE_WAIT: span_wait} if span_wait else {TRACE_SENT: True})
                request = _with_trace(request, ctx.recorder.traceparent())
            reply = await ctx.http.send(request)
            _check_status(reply, span, secrets)
            return masked(_answer(reply, self.output), secrets)

    def named_keys(self) -> tuple[NamedKey, ...]:
        """The variables that the headers name; their values go to the service, whose host no placeholder decides."""
        address = self.url.partition("{{")[0]
        return tuple(NamedKey(variable=name, address=address) for name in self._variables())

    def _variables(self) -> list[str]:
        return sorted({name for text in self.headers.values() for name in VARIABLE.findall(text)})

    def _secrets(self, environ: Mapping[str, str]) -> dict[str, str]:
        """The variables that the headers name, with their values."""
        secrets = {name: read_secret(environ, name) for name in self._variables()}
        missing = [name for name, value in secrets.items() if not value]
        if missing:
            message = f"the headers need the environment variable {', '.join(missing)}, which is not set; set it"
            raise StageFailure("invoke", "no_key", message)
        return secrets

    def _request(self, url: str, body: JsonValue, secrets: Mapping[str, str], more: Mapping[str, str]) -> HttpRequest:
        given = {name: text for name, text in self.headers.items() if name.lower() not in map(str.lower, more)}
        headers = {name: VARIABLE.sub(lambda found: secrets[found[1]], text) for name, text in given.items()}
        headers.update(more)
        sent = None
        if self.method != "GET" and body is not None:
            # Escapes keep a lone surrogate sendable.
            sent = json.dumps(body).encode()
            if not any(name.lower() == "content-type" for name in headers):
                headers["Content-Type"] = "application/json"
        return HttpRequest(method=self.method, url=url, headers=headers, body=sent, max_bytes=self.max_bytes)


def quoted(value: JsonValue) -> str:
    """A value as it may stand in the path or the query of an address: percent-encoded."""
    return quote(storable(text_of(value)), safe="")


def _names_trace(request: HttpRequest) -> bool:
    return any(name.lower() == TRACEPARENT for name in request.headers)


def _with_trace(request: HttpRequest, traceparent: str) -> HttpRequest:
    return request.model_copy(update={"headers": {**request.headers, TRACEPARENT: traceparent}})


def _check_path(url: str) -> None:
    """Dots cannot be encoded, and clients and servers take `..` for the folder above."""
    if not {".", ".."}.isdisjoint(urlsplit(url).path.split("/")):
        message = f"a part of the path of {url} would be . or .., which leads elsewhere; leave such a value out"
        raise StageFailure("invoke", "bad_request", message)


def _check_status(reply: HttpReply, span: OpenSpan, secrets: Mapping[str, str]) -> None:
    span.set({STATUS: reply.status})
    if reply.status < 300:
        return
    body = masked(reply.body.decode(errors="replace"), secrets)  # some services repeat the headers
    words = " ".join(body[: 10 * SHOWN].split())
    mend = "; redirects are not followed, so set the url to where it leads" if reply.status < 400 else ""
    excerpt = words if len(words) <= SHOWN else f"{words[:SHOWN]}…"
    message = f"the service answered with status {reply.status}{mend}" + (f": {excerpt}" if excerpt else "")
    raise StageFailure("invoke", "http_status", message)


def _answer(reply: HttpReply, path: JsonPath | None) -> JsonValue:
    document = storable(_document(reply, must_be_json=path is not None))
    if path is None:
        if document is None:
            raise StageFailure("invoke", "no_answer", "the reply is null, or empty where JSON was announced")
        return document
    found = [node.value for node in nodes(path, document)]
    answer = found[0] if len(found) == 1 else found
    if answer is None or not found:
        what = "is null" if found else "is not there"
        raise StageFailure("invoke", "no_answer", f"{path} {what} in the reply")
    return answer


def _document(reply: HttpReply, must_be_json: bool) -> JsonValue:
    """The reply as JSON or text. JSON is what says so, or must be; without a type, what can be read as such."""
    media = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_json = must_be_json or media == "application/json" or media.endswith("+json")
    try:
        text = reply.body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"the reply is not UTF-8 (at byte {error.start}); the service must answer in UTF-8"
        raise StageFailure("invoke", "bad_reply", message) from error
    if not text.strip() and (is_json or reply.status == 204):
        return None
    if not is_json and media:
        return text
    try:
        return strict_json(text)
    except ValueError as error:
        if not is_json:
            return text
        raise StageFailure("invoke", "bad_reply", f"the reply is not JSON: {error}") from error
