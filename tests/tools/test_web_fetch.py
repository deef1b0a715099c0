"""Pages from a loopback server that the operator allowed, and every way to a private address refused."""

import gzip
from typing import Any

import pytest
from aiohttp.test_utils import unused_port
from hypothesis import given
from hypothesis import strategies as st

from aloi.core.errors import ToolFailure
from aloi.core.tool import ToolContext
from aloi.tools.web_fetch import WebFetch, WebFetchInput, html_text
from tests.tools.site import Site

PAGE = """<!DOCTYPE html><html><head><title> The
 page </title><style>p { color: red }</style></head>
<body><!-- hidden --><script>alert("x")</script><h1>Head</h1><p>One <b>bo</b>ld<br>line &amp; more</p>
<ul><li>a</li><li>b</li></ul><table><tr><td>1</td><td>2</td></tr></table></body></html>"""


async def fetch(ctx: ToolContext, url: str, *, allow: str | None = None, **options: Any) -> Any:
    hosts = frozenset({allow}) if allow else frozenset[str]()
    return await WebFetch(**options).call(WebFetchInput.model_construct(url=url), ctx._replace(allow_hosts=hosts))


async def local(ctx: ToolContext, site: Site, path: str, **options: Any) -> Any:
    """Fetch from the loopback server as an operator who allows it."""
    return await fetch(ctx, f"http://127.0.0.1:{site.port}{path}", allow="127.0.0.1", **options)


async def test_a_page(ctx: ToolContext, site: Site) -> None:
    site.put("/a", text=PAGE, content_type="text/html")
    assert await local(ctx, site, "/a#part") == {
        "url": f"http://127.0.0.1:{site.port}/a",
        "type": "text/html",
        "title": "The page",
        "text": "Head\nOne bold\nline & more\na\nb\n1 2",
        "truncated": False,
    }


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "LOCALHOST.",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "0",
        "0.0.0.0",
        "127.8.9.1",
    ],
)
async def test_loopback_in_any_form_is_refused(ctx: ToolContext, site: Site, host: str) -> None:
    with pytest.raises(ToolFailure, match=r"private or reserved|cannot be fetched"):
        await fetch(ctx, f"http://{host}:{site.port}/a", allow="other.example")
    assert site.hits == []


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_the_refusal_names_the_reason(ctx: ToolContext, site: Site, host: str) -> None:
    with pytest.raises(ToolFailure, match=rf"{host}.*private or reserved"):
        await fetch(ctx, f"http://{host}:{site.port}/a")


@pytest.mark.parametrize(
    "host",
    [
        *("[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[fe80::1]", "[::127.0.0.1]"),
        *("169.254.169.254", "10.0.0.1", "192.168.1.1", "100.64.0.1", "224.0.0.1", "255.255.255.255"),
    ],
)
async def test_private_literals_are_refused(ctx: ToolContext, site: Site, host: str) -> None:
    with pytest.raises(ToolFailure, match="private or reserved"):
        await fetch(ctx, f"http://{host}:{site.port}/a")
    assert site.hits == []


@pytest.mark.parametrize("allowed", ["LocalHost", "localhost."])
async def test_the_operators_list_names_hosts(ctx: ToolContext, site: Site, allowed: str) -> None:
    site.put("/a", text="hello")
    assert (await fetch(ctx, f"http://localhost:{site.port}/a", allow=allowed))["text"] == "hello"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.org/x", "http:// or https://"),
        ("file:///etc/passwd", "http:// or https://"),
        ("example.org", "http:// or https://"),
        ("javascript:alert(1)", "http:// or https://"),
        ("http://user:pw@127.0.0.1/", "user name or password"),
        ("http://user@127.0.0.1/", "user name or password"),
        ("http:///path", "host|address"),
        ("http://", "host|address"),
        ("http://[::1", "not an address"),
        ("http://a:99999/", "not an address"),
        ("", "http:// or https://"),
        ("http://a\0b/", "characters that no address has"),
        ("http://a/\ud800", "characters that no address has"),
    ],
)
async def test_addresses_that_cannot_be_used(ctx: ToolContext, url: str, reason: str) -> None:
    with pytest.raises(ToolFailure, match=reason):
        await fetch(ctx, url, allow="127.0.0.1")


@given(st.text(max_size=40))
async def test_any_address_gives_a_tool_failure(text: str) -> None:
    """Nothing but a ToolFailure comes out; the port is closed and the host the loopback, so nothing is asked."""
    tool, url = WebFetch(seconds=5), f"http://127.0.0.1:1/{text}"
    ctx = ToolContext(workspace="", now=lambda: pytest.fail("no clock is needed"))
    with pytest.raises(ToolFailure):
        await tool.call(WebFetchInput.model_construct(url=url), ctx)


async def test_redirects_are_followed(ctx: ToolContext, site: Site) -> None:
    site.put("/a", status=302, headers={"Location": "b/c"})
    site.put("/b/c", status=308, headers={"Location": f"//127.0.0.1:{site.port}/d?x=1"})
    site.put("/d", text="arrived")
    reply = await local(ctx, site, "/a")
    assert (reply["url"], reply["text"]) == (f"http://127.0.0.1:{site.port}/d?x=1", "arrived")


@pytest.mark.parametrize("host", ["localhost", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "127.0.0.2"])
async def test_a_redirect_to_a_private_host_is_refused(ctx: ToolContext, site: Site, host: str) -> None:
    site.put("/a", status=302, headers={"Location": f"http://{host}:{site.port}/secret"})
    with pytest.raises(ToolFailure, match="private or reserved"):
        await local(ctx, site, "/a")
    assert site.hits == ["/a"]


@pytest.mark.parametrize("location", ["file:///etc/passwd", "http://a:b@127.0.0.1/", "http://[", "gopher://x"])
async def test_a_redirect_to_an_unusable_address(ctx: ToolContext, site: Site, location: str) -> None:
    site.put("/a", status=301, headers={"Location": location})
    with pytest.raises(ToolFailure):
        await local(ctx, site, "/a")
    assert site.hits == ["/a"]


async def test_redirects_are_bounded(ctx: ToolContext, site: Site) -> None:
    site.put("/a", status=302, headers={"Location": "/a"})
    with pytest.raises(ToolFailure, match="more than 3 times"):
        await local(ctx, site, "/a", max_redirects=3)
    assert len(site.hits) == 4


@pytest.mark.parametrize("status", [304, 401, 404, 500])
async def test_an_error_status(ctx: ToolContext, site: Site, status: int) -> None:
    site.put("/a", status=status)
    with pytest.raises(ToolFailure, match=f"status {status}"):
        await local(ctx, site, "/a")


async def test_an_endless_body_is_cut(ctx: ToolContext, site: Site) -> None:
    reply = await local(ctx, site, "/endless", max_bytes=25_000)
    assert (len(reply["text"]), reply["truncated"]) == (25_000, True)


async def test_a_body_that_unpacks_to_much_more(ctx: ToolContext, site: Site) -> None:
    packed = gzip.compress(b"x" * 50_000_000)
    site.put("/a", body=packed, headers={"Content-Encoding": "gzip", "Content-Type": "text/plain"})
    reply = await local(ctx, site, "/a", max_bytes=25_000)
    assert (len(reply["text"]), reply["truncated"]) == (25_000, True)


async def test_long_text_is_cut(ctx: ToolContext, site: Site) -> None:
    site.put("/a", text="x" * 100)
    reply = await local(ctx, site, "/a", max_chars=10)
    assert (reply["text"], reply["truncated"]) == ("x" * 10, True)


@pytest.mark.parametrize("path", ["/hang", "/drip"])
async def test_a_slow_server_is_left(ctx: ToolContext, site: Site, path: str) -> None:
    with pytest.raises(ToolFailure, match=r"longer than 0\.15 s"):
        await local(ctx, site, path, seconds=0.15)


async def test_nobody_listens(ctx: ToolContext) -> None:
    with pytest.raises(ToolFailure, match="no connection"):
        await fetch(ctx, f"http://127.0.0.1:{unused_port()}/", allow="127.0.0.1")


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..b", ".."])
async def test_a_name_that_cannot_resolve(ctx: ToolContext, host: str) -> None:
    with pytest.raises(ToolFailure, match="host name is not valid"):
        await fetch(ctx, f"http://{host}/")


@pytest.mark.parametrize(
    ("body", "media", "text"),
    [
        ("é".encode("latin-1"), "text/plain; charset=latin-1", "é"),
        ("é€".encode(), "text/plain", "é€"),
        ("é€".encode("cp1252"), "text/plain", "é€"),
        ("é€".encode("utf-16"), "text/plain", "é€"),
        (b"\xef\xbb\xbfe", "text/plain; charset=latin-1", "e"),
        ("é".encode(), "text/plain; charset=no-such-thing", "é"),
        ("é".encode(), "text/plain; charset=punycode", "é"),
        ("é".encode(), "text/plain; charset=hex", "é"),
        ('<meta charset="iso-8859-1"><p>é'.encode("latin-1"), "text/html", "é"),
        ('<?xml version="1.0" encoding="iso-8859-1"?><p>é</p>'.encode(), "application/xhtml+xml", "é"),
        (b'{"a": 1}', "application/problem+json", '{"a": 1}'),
        (b"<a>1</a>", "application/xml", "<a>1</a>"),
        (b"", "text/html", ""),
        (b"<!-- nothing -->", "text/html", ""),
        (b"\x00\x01", "text/html; charset=utf-8", "\x01"),
    ],
)
async def test_charsets_and_types(ctx: ToolContext, site: Site, body: bytes, media: str, text: str) -> None:
    site.put("/a", body=body, headers={"Content-Type": media})
    assert (await local(ctx, site, "/a"))["text"] == text


async def test_a_cut_within_a_character(ctx: ToolContext, site: Site) -> None:
    site.put("/a", body="éé".encode(), headers={"Content-Type": "text/plain"})
    assert (await local(ctx, site, "/a", max_bytes=3))["text"] == "é"


@pytest.mark.parametrize(
    ("body", "media"), [(b"%PDF", "application/pdf"), (b"x", "image/png"), (b"a\0b", "text/plain")]
)
async def test_binary_is_refused(ctx: ToolContext, site: Site, body: bytes, media: str) -> None:
    site.put("/a", body=body, headers={"Content-Type": media})
    with pytest.raises(ToolFailure, match="only text"):
        await local(ctx, site, "/a")


@given(st.text(max_size=200))
def test_any_source_gives_text(source: str) -> None:
    html_text(source)


def test_deeply_nested_html() -> None:
    assert html_text("<div>" * 150 + "x" + "</div>" * 150) == (None, "x")
    html_text("<div>" * 100_000 + "x")
