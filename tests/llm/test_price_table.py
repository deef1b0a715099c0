"""The file is what the installed package makes of itself."""

import json
from importlib.resources import files

from aloi.llm.price_table import table


def test_the_file_is_up_to_date() -> None:
    """If not: `python -m aloi.llm.price_table > src/aloi/llm/prices.json`."""
    assert json.loads(files("aloi.llm").joinpath("prices.json").read_bytes()) == table()
