"""Time and ids."""

import uuid
from datetime import UTC, datetime, timedelta

from aloi.service.clock import new_id, now


def test_now_is_utc() -> None:
    assert now().tzinfo is UTC
    assert abs(now() - datetime.now(UTC)) < timedelta(minutes=1)


def test_ids_are_uuids_of_version_7_and_sort_by_their_time() -> None:
    ids = [new_id() for _ in range(1000)]
    assert {uuid.UUID(text).version for text in ids} == {7}
    assert len(set(ids)) == 1000
    assert [text[:13] for text in ids] == sorted(text[:13] for text in ids)
