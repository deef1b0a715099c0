"""`web_fetch`: the text of one web page, and never a page of the operator's own network."""

import asyncio
import codecs
import re
from io import BytesIO
from typing import ClassVar, NamedTuple

import aiohttp
from lxml import etree
from pydantic import BaseModel, ConfigDict, Field, JsonValue
from yarl import URL

from aloi.core.errors import ToolFailure
from aloi.core.spec import JsonObject
from aloi.core.tool import Tool, ToolContext, object_schema
from aloi.llm.guard import Guard, host_key, reason_of_failure

HEADERS = {"User-Agent": "aloi-web-fetch", "Accept": "text/html, text/*;q=0.9, application/json;q=0.9, */*;q=0.1"}
PRIVATE = "a private or reserved address; only public pages can be fetched unless the operator allows the host"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
TEXT_TYPES = re.compile(r"text/.+|application/(.+\+)?(json|xml)|application/(x-)?(javascript|ndjson|yaml)")
HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})
META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
# Python codecs that are no charset of the web; some take quadratic time.
NOT_CHARSETS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})
UNSEEN = ("script", "style", "noscript", "template", "svg", "iframe", "object", "head")
BLOCKS = (
    *("address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure", "footer", "form"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section"),
    *("table", "tr", "ul"),
)


class WebFetchInput(BaseModel):
    """Arguments of `web_fetch`."""

    model_config = ConfigDict(extra="forbid")

    url: str = Field(description="Full address, beginning with http:// or https://.", max_length=2000)


class Page(NamedTuple):
    """What a server answered: where it was found in the end, its media type, charset and (bounded) body."""

    url: URL
    type: str
    charset: str | None
    body: bytes
    truncated: bool


class WebFetch(Tool):
    """Fetch a web page and return its text."""

    kind: ClassVar[str] = "web_fetch"
    Input = WebFetchInput
    Output: ClassVar[JsonObject | None] = object_schema(
        url={"type": "string", "format": "uri"},
        type={"type": "string", "default": "text/html"},
        title={"type": ["string", "null"]},
        text={"type": "string"},
        truncated={"type": "boolean", "default": False},
    )

    max_bytes: int = Field(default=1_000_000, gt=0, description="Most bytes read of a page; the rest is cut.")
    max_chars: int = Field(default=50_000, gt=0, description="Most characters of text returned; the rest is cut.")
    seconds: float = Field(default=10.0, gt=0, le=120, description="Longest time for all of it, redirects included.")
    max_redirects: int = Field(default=5, ge=0, le=20, description="Most redirects followed.")

    async def call(self, arguments: WebFetchInput, ctx: ToolContext) -> JsonValue:
        """`{"url", "type", "title", "text", "truncated"}`: where it was found in the end, its media type, the page's
        title (null if it has none) and its readable text.

        Raises:
            ToolFailure: the address is not allowed, cannot be reached, is too slow, is not text, or answers an error.
        """
        allowed = frozenset(host_key(host) for host in ctx.allow_hosts)
        try:
            async with asyncio.timeout(self.seconds):
                page = await self._follow(arguments.url, allowed)
                title, text = await asyncio.to_thread(_read, page)
        except TimeoutError:
            raise ToolFailure(f"{arguments.url} took longer than {self.seconds:g} s; try another page") from None
        return {
            "url": str(page.url),
            "type": page.type,
            "title": title,
            "text": text[: self.max_chars],
            "truncated": page.truncated or len(text) > self.max_chars,
        }

    async def _follow(self, address: str, allowed: frozenset[str]) -> Page:
        """The page at the end of the redirects; each hop is checked as the first one was."""
        url = _checked_url(address)
        for _ in range(self.max_redirects + 1):
            reply = await self._get(url, allowed)
            if isinstance(reply, Page):
                return reply
            url = reply
        raise ToolFailure(f"{address} redirects more than {self.max_redirects} times")

    async def _get(self, url: URL, allowed: frozenset[str]) -> Page | URL:
        """The page at `url`, or where it redirects to."""
        guard = Guard(allowed=host_key(url.host or "") in allowed)
        connector = aiohttp.TCPConnector(socket_factory=guard.socket, force_close=True)
        try:
            async with (
                aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session,
                session.get(url, headers=HEADERS, allow_redirects=False) as reply,
            ):
                if reply.status in REDIRECTS and "Location" in reply.headers:
                    return _checked_url(reply.headers["Location"], base=url)
                if not 200 <= reply.status < 300:
                    raise ToolFailure(f"{url} answered with status {reply.status} {reply.reason or ''}".rstrip())
                return await self._page(reply)
        except (aiohttp.ClientError, OSError, UnicodeError) as exc:
            if guard.refused:
                raise ToolFailure(f"{url} is at {guard.refused}, {PRIVATE}") from None
            raise ToolFailure(f"{url} cannot be fetched: {reason_of_failure(exc)}") from None

    async def _page(self, reply: aiohttp.ClientResponse) -> Page:
        """The reply with its body, read up to the limit while it streams."""
        media = reply.content_type.lower() if "Content-Type" in reply.headers else "text/plain"
        if not TEXT_TYPES.fullmatch(media):
            raise ToolFailure(f"{reply.url} is {media}, not text; only text can be fetched")
        body = bytearray()
        async for chunk in reply.content.iter_chunked(1 << 16):
            body += chunk
            if len(body) > self.max_bytes:
                break
        return Page(reply.url, media, reply.charset, bytes(body[: self.max_bytes]), len(body) > self.max_bytes)


def _checked_url(text: str, base: URL | None = None) -> URL:
    """`text` (relative to `base`) as an address that may be tried: http or https, a host, no credentials."""
    if not text.isprintable():
        raise ToolFailure(f"{text!r} holds characters that no address has; remove them")
    try:
        url = URL(text.strip()) if base is None else base.join(URL(text.strip()))
        scheme, host, port = url.scheme, url.host, url.port
    except ValueError as exc:
        raise ToolFailure(f"{text!r} is not an address: {exc}") from None
    if scheme not in ("http", "https"):
        raise ToolFailure(f"{text!r} is not a web address; it must begin with http:// or https://")
    if url.user is not None or url.password is not None:
        raise ToolFailure("the address holds a user name or password; leave it out")
    if not host or not port:
        raise ToolFailure(f"{text!r} names no host; write it like https://example.org/page")
    return url.with_fragment(None)


def _read(page: Page) -> tuple[str | None, str]:
    """Title and readable text of a page; CPU-bound, so it runs in a thread."""
    text = _decoded(page)
    if page.type in HTML_TYPES:
        return html_text(text)
    return None, text


def _decoded(page: Page) -> str:
    """The body as text, by the first of: byte order mark, declared charset, `<meta>`, UTF-8, Windows-1252."""
    declared = _charset(page)
    if declared is None and b"\0" in page.body:
        raise ToolFailure(f"{page.url} is not text; only text can be fetched")
    if declared is not None:
        text = page.body.decode(declared, errors="replace")
    else:
        # A cut may fall within a character, so the end is not final.
        try:
            text = codecs.getincrementaldecoder("utf-8")().decode(page.body, final=not page.truncated)
        except UnicodeDecodeError:
            text = page.body.decode("windows-1252", errors="replace")
    return text.removeprefix("\ufeff").replace("\0", "")


def _charset(page: Page) -> str | None:
    """The charset that the page itself tells, if Python knows it."""
    for mark, name in ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16")):
        if page.body.startswith(mark):
            return name
    meta = META_CHARSET.search(page.body[:4096]) if page.type in HTML_TYPES else None
    for name in (page.charset, meta and meta.group(1).decode("ascii", errors="replace")):
        if name and _is_charset(name):
            return name
    return None


def _is_charset(name: str) -> bool:
    try:
        found = codecs.lookup(name)
        b"x".decode(name, errors="replace")  # refuses codecs that do not make text, such as hex
    except (LookupError, ValueError):
        return False
    return found.name.replace("-", "_") not in NOT_CHARSETS


def html_text(source: str) -> tuple[str | None, str]:
    """Title (null if there is none) and readable text of an HTML page: one line per block, no scripts, no styles."""
    # As bytes, because lxml refuses a str that declares an encoding of its own.
    parser = etree.HTMLParser(encoding="utf-8", remove_comments=True, remove_pis=True)
    root = etree.parse(BytesIO(source.encode(errors="replace")), parser).getroot()
    if root is None:  # no element in it at all
        return None, ""
    title = " ".join((root.findtext(".//title") or "").split()) or None
    etree.strip_elements(root, *UNSEEN, with_tail=False)
    for block in root.iter(*BLOCKS):
        block.text = "\n" + (block.text or "")
        block.tail = "\n" + (block.tail or "")
    for cell in root.iter("td", "th"):
        cell.tail = " " + (cell.tail or "")
    text = "".join(str(piece) for piece in root.itertext())
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return title, "\n".join(line for line in lines if line)
