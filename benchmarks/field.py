"""Who takes part, and how each is started."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks.works import MODELS, WANTED, Kind, Work

HERE = Path(__file__).parent
SCRIPTS = HERE / "contestants"
INSPECT_PYTHON = HERE / ".venv-inspect" / "bin" / "python"


class Contestant(NamedTuple):
    """`command(work, url, folder)` writes what the program needs into an empty folder and returns its command line.

    `kinds`: the work it does. `floor`: whether it is what the others are measured against. `rival`: whether it is
    another product.
    """

    name: str
    kinds: tuple[Kind, ...]
    command: Callable[[Work, str, Path], list[str]]
    floor: bool = False
    rival: bool = False


def contestants() -> list[Contestant]:
    """Those that can run here; Inspect AI only when its environment is there."""
    field = [
        Contestant("floor (aiohttp, sqlite3)", ("chat", "judge"), script(sys.executable, "floor.py"), floor=True),
        Contestant("pydantic-ai alone", ("agent",), script(sys.executable, "pydantic_ai_alone.py"), floor=True),
        Contestant("Aloi", ("chat", "judge", "agent"), aloi),
    ]
    if INSPECT_PYTHON.exists():
        inspect = script(str(INSPECT_PYTHON), "inspect_ai_eval.py")
        field.append(Contestant("Inspect AI", ("chat", "judge", "agent"), inspect, rival=True))
    return field


def script(python: str, name: str) -> Callable[[Work, str, Path], list[str]]:
    """The command of a contestant that is a script of this folder."""

    def command(work: Work, url: str, folder: Path) -> list[str]:
        sizes = ["--cases", str(work.cases), "--concurrency", str(work.concurrency)]
        return [python, str(SCRIPTS / name), url, work.kind, *sizes, "--folder", str(folder)]

    return command


def aloi(work: Work, url: str, folder: Path) -> list[str]:
    """`aloi run` of a suite file with a dataset file, its data in the folder's `home`."""
    target: dict[str, object] = {"kind": "openai", "model": MODELS[work.kind], "base_url": url}
    if work.kind == "agent":
        target |= {"kind": "agent", "model": f"openai:{MODELS[work.kind]}", "tools": ["calculator"]}
    evaluators: list[dict[str, str]] = [{"kind": "contains", "text": WANTED[work.kind]}]
    suite: dict[str, object] = {"target": target, "evaluators": evaluators}
    if work.kind == "judge":
        evaluators.append({"kind": "llm_judge", "rubric": "It says yes."})
        suite["judge"] = {"model": "openai:judge-pass", "base_url": url}
    return aloi_run(suite, work, folder)


def aloi_run(suite: dict[str, object], work: Work, folder: Path) -> list[str]:
    """The command of a suite without its dataset, which are the cases of the work; writes both files."""
    cases = (json.dumps({"key": f"case-{place}", "prompt": text}) for place, text in enumerate(work.prompts()))
    (folder / "cases.jsonl").write_text("\n".join(cases), encoding="utf-8")
    whole = {"name": "bench", "dataset": "cases.jsonl", "run": {"concurrency": work.concurrency}} | suite
    path = folder / "suite.json"
    path.write_text(json.dumps(whole), encoding="utf-8")
    return [*aloi_command(folder), "run", str(path)]


def aloi_command(folder: Path) -> list[str]:
    """The command line of Aloi up to its subcommand."""
    return [sys.executable, "-m", "aloi.cli", "--home", str(folder / "home")]
