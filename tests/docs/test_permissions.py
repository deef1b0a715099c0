"""The page on who may do what says what the server lets each role do."""

import re
from collections.abc import Mapping

from tests.api.role_table import ROLES
from tests.docs.pages import ROOT

PAGE = ROOT / "docs/how-to/permissions.md"
COLUMNS = ("viewer", "editor", "owner")
# Which routes a row of the table is about, by how the row begins: a pattern of `METHOD path`.
WRITES = r"(POST|PUT|DELETE) /api/"
ROWS: Mapping[str, str] = {
    "Read datasets": r"GET /api/(eval|executions|targets|agents|workflows|models|notices|.*-kinds)"
    r"|POST .*/(preview|check)$",
    "Read who the members are": r"GET /api/(members$|workspace)",
    "Make, change and delete datasets": WRITES + r"eval/(datasets|evaluators|attachments|suites/dataset)",
    "Make, change and delete targets": WRITES
    + r"(targets(/{target_id}(/versions.*|/default.*)?)?$|agents|workflows|eval/suites/target)",
    "Start, cancel": WRITES + r"(eval/runs|eval/suites/runs|eval/grade|targets/{target_id}/invoke|executions)",
    "Make, change, pause": WRITES + r"(eval/schedules(/{.*)?$|targets/{target_id}/online-rules)",
    "Send in traces": r"POST /v1/traces",
    "Set gates": WRITES + r"targets/{target_id}/gate",
    "Add and remove members": WRITES + r"members|GET /api/members/.*/grants",
    "Make and revoke API keys": WRITES + r"auth/api-keys",
    "Set the webhook": WRITES + r"workspace",
    "Read the audit log": r"GET /api/(audit|auth/api-keys)",
}
# Everybody's own: their session, their password, what they have read.
OWN = re.compile(r"\S+ /api/(auth/(logout|me|password)|notices/)")


def rows() -> dict[str, str]:
    """The lowest role that each row says `yes` to, by what the row says."""
    found: dict[str, str] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        what, *cells = [cell.strip() for cell in line.strip("|").split("|")]
        if "yes" in cells:
            assert cells == ["yes" if place >= cells.index("yes") else "" for place in range(len(COLUMNS))], line
            found[what] = COLUMNS[cells.index("yes")]
    return found


def test_the_table_is_what_the_server_does() -> None:
    said = rows()
    assert len(said) == len(ROWS)
    for begins, pattern in ROWS.items():
        [role] = [role for what, role in said.items() if what.startswith(begins)]
        routes = {route: needed for route, needed in ROLES.items() if needed and re.match(pattern, route)}
        assert routes, begins
        assert {route: needed for route, needed in routes.items() if needed != role} == {}, begins


def test_every_route_is_in_one_row() -> None:
    """Write it on the page, and its pattern into `ROWS`."""
    placed = {
        route: [begins for begins, pattern in ROWS.items() if re.match(pattern, route)]
        for route, role in ROLES.items()
        if role is not None and not OWN.match(route)
    }
    assert {route: found for route, found in placed.items() if len(found) != 1} == {}
