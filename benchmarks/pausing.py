"""A step that only takes its time, found like the steps of any other package: under the entry points `aloi.steps`."""

import asyncio
import sys
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import JsonValue

from aloi.core.step import Step, StepContext

KIND = "pause"


class Pause(Step):
    """Wait, and give the step's name."""

    kind: ClassVar[str] = KIND
    component: ClassVar[Literal["tool", "step", "human"] | None] = "step"

    length: float

    async def run(self, arguments: JsonValue, ctx: StepContext) -> JsonValue:
        await asyncio.sleep(self.length)
        return self.name


def installed(folder: Path) -> None:
    """Let the kind be found, as if a package with it were installed in this folder."""
    package = folder / "aloi_pausing-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: aloi-pausing\nVersion: 1\n", encoding="utf-8")
    (package / "entry_points.txt").write_text(f"[aloi.steps]\n{KIND} = {__name__}\n", encoding="utf-8")
    sys.path.append(str(folder))
