"""How many more cases a run would need."""

from collections.abc import Sequence

from aloi.core.planned import HALF_WIDTHS, Planning, plan
from aloi.service import run_views, runs
from aloi.service.context import Context


async def planning(context: Context, ref: str, half_widths: Sequence[float] = ()) -> Planning:
    """How many more cases would narrow a run's interval to each of these half-widths; the usual ones by default.

    Raises:
        NotFound: there is no such run.
        InvalidInput: a half-width is not strictly between 0 and 1.
    """
    run = await run_views.view(context, await runs.get(context, ref))
    return plan(run, half_widths or HALF_WIDTHS)
