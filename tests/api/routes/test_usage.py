"""What a workspace used, over HTTP."""

from datetime import date, timedelta
from typing import Any

import pytest

from aloi.core.usage import Usage
from aloi.service.clock import new_id, now
from aloi.store import usage
from aloi.store.usage import Source
from tests.api.calls import Caller, RunningServer
from tests.store.backends import BACKENDS

PATH = "/api/eval/usage"
NOTHING = {"calls": 0, "input_tokens": None, "output_tokens": None, "cost": None, "unpriced": 0}
both = pytest.mark.parametrize("database_address", BACKENDS, indirect=True)


@both
async def test_by_day_by_model_and_in_all(viewer: Caller, stranger: Caller, server: RunningServer) -> None:
    first, second = date(2026, 3, 1), date(2026, 3, 2)
    priced = Usage(calls=2, input_tokens=10, output_tokens=5, cost=0.25)
    unpriced = Usage(calls=1, input_tokens=1, unpriced=1)
    async with server.context.database.transaction() as tx:
        await usage.put(tx, Source(new_id(), None), "target", first, "openai:a", priced)
        await usage.put(tx, Source(new_id(), None), "target", second, "openai:b", unpriced)
        await usage.put(tx, Source(new_id(), None), "target", second, "openai:a", priced)
        await usage.put(tx, Source(new_id(), None), "judge", second, "openai:j", unpriced)
    found = (await viewer.get(PATH, since="2026-03-01", until="2026-03-02")).body
    assert found["target"] == {"calls": 5, "input_tokens": 21, "output_tokens": 10, "cost": 0.5, "unpriced": 1}
    assert found["judge"] == {**NOTHING, "calls": 1, "input_tokens": 1, "unpriced": 1}
    days = [(item["day"], item["side"], item["usage"]["calls"]) for item in found["days"]]
    assert days == [("2026-03-01", "target", 2), ("2026-03-02", "judge", 1), ("2026-03-02", "target", 3)]
    models = [(item["model"], item["side"], item["usage"]["cost"]) for item in found["models"]]
    assert models == [("openai:a", "target", 0.5), ("openai:b", "target", None), ("openai:j", "judge", None)]
    assert (await viewer.get(PATH, since="2026-03-02", until="2026-03-02")).body["target"]["calls"] == 3
    assert (await stranger.get(PATH, since="2026-03-01")).body["target"] == NOTHING


async def test_without_dates_it_is_the_last_30_days(viewer: Caller) -> None:
    found = (await viewer.get(PATH)).body
    last = date.fromisoformat(found["until"])
    assert abs(last - now().date()) <= timedelta(days=1)
    assert last - date.fromisoformat(found["since"]) == timedelta(days=29)
    assert (found["target"], found["judge"], found["days"], found["models"]) == (NOTHING, NOTHING, [], [])


@pytest.mark.parametrize(
    ("params", "status"),
    [
        ({"since": "2026-03-02", "until": "2026-03-01"}, 422),
        ({"since": "soon"}, 422),
        ({"since": "0001-01-01", "until": "9999-12-31"}, 200),
        ({"until": "0001-01-01"}, 200),
        ({"since": "9999-12-31"}, 422),
    ],
)
async def test_dates_at_the_edges(viewer: Caller, params: dict[str, Any], status: int) -> None:
    assert (await viewer.get(PATH, **params)).status == status
