"""`python -m benchmarks`: let all contestants do all works, and print tables in Markdown."""

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from benchmarks import child
from benchmarks.bars import ALOI, CHAT, CHAT_LONG, WORKS, Check, checks
from benchmarks.field import INSPECT_PYTHON, SCRIPTS, contestants
from benchmarks.figures import Row
from benchmarks.loss import Loss, kill_and_resume
from benchmarks.rounds import Entry, compete
from benchmarks.server import Server, model_server
from benchmarks.table import checks_table, figures_table
from benchmarks.works import Work

README = Path(__file__).parent / "README.md"
BEGIN, END = "<!-- table -->\n", "<!-- end of table -->"
KILLS = 3
RIVALS_MOST = 1000  # at 5,000 cases the rivals take minutes


def options() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--repeat", type=int, default=5, help="rounds, of which medians are taken (default 5)")
    parser.add_argument("--rival-repeat", type=int, default=1, help="rounds in which Inspect AI takes part (default 1)")
    parser.add_argument("--latency", type=float, default=0.1, help="seconds that every answer takes (default 0.1)")
    parser.add_argument("--kind", action="append", choices=["chat", "judge", "agent"], help="only works of this kind")
    parser.add_argument("--quick", action="store_true", help="one round of 200 cases: a check, not a measurement")
    parser.add_argument("--save", action="store_true", help="put the tables into README.md")
    return parser.parse_args()


def main(given: argparse.Namespace) -> None:
    """Measure, print, and save if that is asked for."""
    if not INSPECT_PYTHON.exists():
        print("Inspect AI is left out: `make bench` installs it.", file=sys.stderr)
    report: list[str] = []
    with tempfile.TemporaryDirectory(prefix="aloi-bench-") as name:
        folder = Path(name)
        with model_server(given.latency) as server:
            rows = list(figures(given, server, folder))
        report += [machine(given), figures_table(rows)]
        found = [] if given.quick else checks(rows)
        found += keeping(folder, 200 if given.quick else CHAT.cases)
        report.append(checks_table(found))
    text = "\n\n".join(report)
    print(text)
    if given.save:
        save(text)


def works(given: argparse.Namespace) -> list[Work]:
    """The works to do; small ones for a quick check."""
    wanted = [work for work in WORKS if not given.kind or work.kind in given.kind]
    if not given.quick:
        return wanted
    return list(dict.fromkeys(Work(work.kind, 200, 50) for work in wanted))


def figures(given: argparse.Namespace, server: Server, folder: Path) -> Iterator[Row]:
    """The rows of all works; the files of each stay in a folder named after it."""
    rounds = 1 if given.quick else given.repeat
    for work in works(given):
        entries = [
            Entry(one, min(rounds, given.rival_repeat) if one.rival else rounds)
            for one in contestants()
            if not (one.rival and work.cases > RIVALS_MOST)
        ]
        yield from compete(work, entries, server, given.latency, folder / str(work))


def keeping(folder: Path, cases: int) -> Iterator[Check]:
    """Reading a stored run back, and losing as little as can be."""
    home = folder / str(CHAT_LONG) / ALOI / "kept" / "home"
    if home.exists():
        yield from reading(home)
    yield from losing(
        kill_and_resume(Work("chat", cases, 50), folder / "loss", 1 if cases < CHAT.cases else KILLS), cases
    )


def reading(home: Path) -> Iterator[Check]:
    """How long reading the run of a home takes."""
    log = home / "reading.log"
    child.run([sys.executable, str(SCRIPTS / "reading.py"), str(home)], log)
    found = json.loads(log.read_text(encoding="utf-8"))
    for what, most in (("summary", 50.0), ("one case", 10.0), ("page of 50", 50.0)):
        first, usual = found[what]["first"], found[what]["median"]
        yield Check(f"read of 5,000: {what}, ms", f"{usual:.1f} (first {first:.1f})", usual, most)


def losing(loss: Loss, cases: int) -> Iterator[Check]:
    """What a kill at half loses."""
    share = loss.unscored / loss.answered * 100
    killed = f"kill -9 at half of {cases:,}"
    yield Check(
        "ms from an answer to its result on disk, the longest",
        f"median {median(loss.delays):.0f}",
        max(loss.delays),
        250,
    )
    yield Check(f"{killed}: % of answered cases without a score", f"{loss.unscored} of {loss.answered}", share, 1)
    yield Check(f"{killed}: scores gone after their commit", str(loss.forgotten), loss.forgotten, 0)
    yield Check(
        f"{killed}, then resumed: cases asked twice, at most those whose answer was lost",
        str(loss.asked_again),
        loss.asked_again,
        loss.unstored,
    )


def machine(given: argparse.Namespace) -> str:
    """What the figures were taken on."""
    rounds = 1 if given.quick else given.repeat
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores (load {os.getloadavg()[0]:.1f}), "
        f"Python {platform.python_version()}; {given.latency * 1000:g} ms a call; medians of {rounds} rounds, start-up "
        "included. In brackets: times the floor in the same round."
    )


def save(text: str) -> None:
    """Put the tables between their marks in README.md."""
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    README.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(options())
