"""The workspace."""

from aloi.service import audit, workspace
from aloi.service.context import Context


async def test_it_is_renamed_and_the_log_says_so(context: Context) -> None:
    assert (await workspace.get(context)).name == "default"
    assert (await workspace.rename(context, "é 😀")).name == "é 😀"
    assert (await workspace.get(context)).name == "é 😀"
    [entry] = (await audit.listing(context)).items
    assert (entry.action, entry.before, entry.after) == ("workspace.update", {"name": "default"}, {"name": "é 😀"})
