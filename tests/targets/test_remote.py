"""A remote target is observed and cannot be invoked."""

import pytest

from aloi.core.errors import StageFailure
from aloi.core.target import Target
from aloi.plugins import build
from tests.targets.bare import invoke


async def test_it_says_that_it_runs_elsewhere():
    target = build("targets", {"kind": "remote", "note": "on the shop's servers"}, Target)
    with pytest.raises(StageFailure, match="runs elsewhere") as refused:
        await invoke(target)
    assert (refused.value.stage, refused.value.type) == ("invoke", "not_supported")
    assert target.observed_only
    assert (target.components(), target.models()) == ((), ())
