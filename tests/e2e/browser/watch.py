"""Watches what a browser does while a test uses it."""

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Request, Response, WebError

OWN_SCHEMES = ("data:", "blob:", "about:")
SERVER_FAULT = 500


class Watch:
    """Notes what no page may ever do.

    That is: ask any host but the server, for whatever reason; write an error to the console, which is also where a
    breach of the content security policy shows; fail in a script; open a dialog, as planted scripts do; make the server
    fail.

    Attributes:
        faults: what was noted, one line each.
        excused: patterns of faults that the test itself brings about.
    """

    def __init__(self, context: BrowserContext, origin: str) -> None:
        self.faults: list[str] = []
        self.excused: list[str] = []
        self._origin = origin
        context.on("request", self._on_request)
        context.on("response", self._on_response)
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("dialog", self._on_dialog)

    def check(self) -> None:
        """Fail the test if anything was noted since the last look that is not excused."""
        left = [fault for fault in self.faults if not any(re.search(pattern, fault) for pattern in self.excused)]
        self.faults.clear()
        assert left == []

    def _on_request(self, request: Request) -> None:
        url = request.url
        if not url.startswith((f"{self._origin}/", *OWN_SCHEMES)):
            self.faults.append(f"a request to another host: {url}")

    def _on_response(self, response: Response) -> None:
        if response.status >= SERVER_FAULT:
            self.faults.append(f"the server failed: {response.status} {response.url}")

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"an error in the console: {message.text} ({message.location['url']})")

    def _on_error(self, error: WebError) -> None:
        self.faults.append(f"a script failed: {error.error}")

    def _on_dialog(self, dialog: Dialog) -> None:
        self.faults.append(f"a dialog: {dialog.type} {dialog.message!r}")
        dialog.dismiss()
