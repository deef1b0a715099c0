"""What models used, as who is granted some targets alone is told it."""

from aloi.core.access import LOCAL
from aloi.core.usage import UsageReport
from aloi.service import usage
from aloi.service.context import Context


async def used_of(context: Context, *target_ids: str) -> UsageReport:
    """The report of the last 30 days."""
    return await usage.report(context.acting_as(LOCAL.model_copy(update={"targets": target_ids})))
