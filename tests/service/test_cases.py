"""Cases edited by people; `tests/api/routes/test_cases.py` has the rest."""

from datetime import datetime

import pytest

from aloi.core.errors import NotFound
from aloi.core.listing import CaseFilter
from aloi.service import cases, datasets
from aloi.service.cases import BulkAction
from aloi.service.context import Context
from tests.service.started_runs import prompts, save

ABSENT = "00000000-0000-7000-8000-00000000dead"


async def test_every_change_is_a_change_of_the_dataset(context: Context) -> None:
    dataset_id = await save(context, prompts(1))

    async def changed() -> datetime:
        return (await datasets.read(context, dataset_id)).updated_at

    times = [await changed()]
    case = await cases.create(context, dataset_id, {"prompt": "x"})
    times.append(await changed())
    await cases.update(context, dataset_id, case.id, {"name": "new"})
    times.append(await changed())
    await cases.change_several(context, dataset_id, [case.id], BulkAction.DRAFT)
    times.append(await changed())
    await cases.delete(context, dataset_id, case.id)
    times.append(await changed())
    assert times == sorted(set(times))


async def test_pages_tell_the_whole_number(context: Context) -> None:
    dataset_id = await save(context, prompts(5))
    page = await cases.page(context, dataset_id, CaseFilter(q="prompt"), 2, 2)
    assert ([case.key for case in page.items], page.total, page.pages) == (["k2", "k3"], 5, 3)


async def test_no_such_dataset(context: Context) -> None:
    with pytest.raises(NotFound, match="dataset"):
        await cases.page(context, ABSENT, CaseFilter(), 1, 2)
    with pytest.raises(NotFound, match="dataset"):
        await cases.read(context, ABSENT, ABSENT)
    with pytest.raises(NotFound, match="dataset"):
        await cases.create(context, ABSENT, {"prompt": "x"})
