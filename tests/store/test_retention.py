"""What goes when executions take more than may be kept."""

from datetime import datetime, timedelta

from aloi.core.execution import Execution, ExecutionSource, ExecutionStatus
from aloi.core.outcome import Outcome
from aloi.core.run import TargetVersion
from aloi.store import executions, retention
from aloi.store.codec import pack_id
from aloi.store.connection import Connection
from aloi.store.database import Database
from tests.store.samples import NOW, a_version, new_id

OLD, LATER = NOW - timedelta(hours=1), NOW + timedelta(microseconds=1)


async def add(tx: Connection, version: TargetVersion, at: datetime) -> bytes:
    """An execution of a bit more than a thousand characters; its id."""
    execution = Execution(
        id=new_id(),
        target_id=version.target_id,
        target_name=version.target_name,
        target_kind=version.kind,
        version=version.number,
        source=ExecutionSource.PRODUCTION,
        run_id=None,
        case_key=None,
        created_at=at,
        status=ExecutionStatus.OK,
        input="q",
        outcome=Outcome(output="x" * 1_000),
    )
    await executions.insert(tx, execution, version.id)
    return pack_id(execution.id)


async def test_those_of_one_moment_stay_or_go_together(db: Database):
    async with db.transaction() as tx:
        version = await a_version(tx)
        old = await add(tx, version, OLD)
        same = {await add(tx, version, NOW) for _ in range(3)}
        await add(tx, version, LATER)
        assert await retention.beyond(tx, 6_000) is None
        assert await retention.beyond(tx, 4_500) == OLD + timedelta(microseconds=1)
        for most in (1_500, 2_500, 3_500):
            assert await retention.beyond(tx, most) == LATER
        assert set(await retention.expired(tx, LATER, 9)) == {old, *same}
