"""The results of a run as they come in, for who follows it."""

from typing import NamedTuple

from aloi.core.result import ResultRow
from aloi.store.connection import Connection
from aloi.store.result_pages import CUT, FIGURES, OF_RUN, figures
from aloi.store.run_rows import own_run

AFTER = CUT.format(chosen=f"{OF_RUN} AND r.seq > ? ORDER BY r.seq", offset="") + " ORDER BY r.seq"
LAST = """
SELECT coalesce(max(seq), 0) FROM results WHERE run_id = (SELECT id FROM runs WHERE id = ? AND workspace_id = ?)"""


class FeedEntry(NamedTuple):
    """A result without its texts. `seq` counts the results of the run as they were committed, from 1, with gaps."""

    seq: int
    position: int
    row: ResultRow


async def after(rx: Connection, run_id: str, seq: int, limit: int = 200) -> list[FeedEntry]:
    """The results that were committed behind a number, in that order; 0 begins with the first.

    One that is replaced later comes again, with a new number.
    """
    run = own_run(rx, run_id)
    rows = await rx.fetch(f"{FIGURES}, r.seq {AFTER}", (*run, seq, limit, run[0]))
    return [FeedEntry(row[-1], row[0], figures(row[:-1])) for row in rows]


async def last_seq(rx: Connection, run_id: str) -> int:
    """The number of the result that was committed last; 0 when there is none."""
    row = await rx.fetch_one(LAST, own_run(rx, run_id))
    return row[0] if row else 0
