"""The store-backed sink: many events in one commit, soon."""

import asyncio

from aloi.runner.task import CaseEvent, Completed, Invoked, Place
from aloi.service.clock import new_id, now
from aloi.store import results
from aloi.store.database import Database

COMMIT_SECONDS = 0.003
MOST_OPEN = 2000


class StoreSink:
    """Collects events and commits them together, some milliseconds after the first.

    An outcome and its result may go in one commit; an outcome whose grading takes longer is committed before it. What a
    commit could not store stays open: `flush` tries it once more.

    Args:
        executions: ids of executions that were stored before, by place; their results belong to them.
    """

    def __init__(
        self, database: Database, run_id: str, version_id: str, executions: dict[Place, str] | None = None
    ) -> None:
        self._database = database
        self._run_id = run_id
        self._version_id = version_id
        self._places = executions or {}
        self._executions: list[results.InvokedRow] = []
        self._completed: list[results.CompletedRow] = []
        self._results: list[results.GradedRow] = []
        self._timer: asyncio.Task[None] | None = None
        self._writing = asyncio.Lock()
        self._fault: Exception | None = None

    async def record(self, event: CaseEvent) -> None:
        """See `ResultSink.record`."""
        if self._fault is not None:
            raise self._fault
        if isinstance(event, Invoked):
            execution = self._places[event.place] = new_id()
            self._executions.append(results.InvokedRow(*event.place, execution, self._version_id, now(), event.outcome))
        elif isinstance(event, Completed):
            self._completed.append(results.CompletedRow(self._places[event.place], event.outcome))
        else:
            self._results.append(results.GradedRow(*event.place, self._places.pop(event.place), event.result))
        if self._timer is None:
            self._timer = asyncio.create_task(self._commit_soon())
        if len(self._executions) + len(self._completed) + len(self._results) >= MOST_OPEN:
            await self._commit()

    async def flush(self) -> None:
        """See `ResultSink.flush`. Raises the fault of an earlier commit even when everything is stored by now."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        await self._commit()
        if self._fault is not None:
            raise self._fault

    async def _commit_soon(self) -> None:
        await asyncio.sleep(COMMIT_SECONDS)
        self._timer = None
        await self._commit()

    async def _commit(self) -> None:
        """Write what is open. The first fault is kept, and raised to whoever records or flushes next."""
        async with self._writing:
            executions, completed, graded = self._executions[:], self._completed[:], self._results[:]
            if not (executions or completed or graded):
                return
            try:
                async with self._database.transaction() as tx:
                    await results.write(tx, self._run_id, executions, graded, completed)
            except Exception as fault:
                self._fault = self._fault or fault
                return
            # Only now, so that neither a fault nor a cancel loses any; what came meanwhile stands behind them.
            del self._executions[: len(executions)]
            del self._completed[: len(completed)]
            del self._results[: len(graded)]
