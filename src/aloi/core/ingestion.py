"""What became of the spans that exporters sent, and how long executions of production are kept."""

from datetime import date

from pydantic import Field

from aloi.core.spec import Value

MOST_DAYS = 36_500
MOST_MEGABYTES = 100_000_000


class IngestionCounts(Value):
    """Spans received since a day (UTC), included.

    `waiting_spans` are of traces that nothing was made of yet. `rejected_spans` were not usable. `left_out_spans` were
    more than is kept of one trace, or of a case that was graded already. `dropped_traces` held no work of an agent, a
    model or a tool.
    """

    since: date
    spans: int
    waiting_spans: int
    rejected_spans: int
    left_out_spans: int
    dropped_traces: int


class Retention(Value):
    """How long executions of production are kept: those beyond either limit go, the oldest first. Null is no limit.

    Cases that were made of one stay, and keep its id.
    """

    days: int | None = Field(default=None, ge=1, le=MOST_DAYS, description="Older ones go.")
    megabytes: int | None = Field(
        default=None, ge=1, le=MOST_MEGABYTES, description="Of inputs, outputs and traces together, in 10^6 characters."
    )
