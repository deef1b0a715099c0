"""`python -m benchmarks.api`: fill a server, ask it, and print a table in Markdown."""

import argparse
import os
import platform
import tempfile
from pathlib import Path

from benchmarks.api.figures import following, reading
from benchmarks.api.filling import fill
from benchmarks.api.serving import serving
from benchmarks.server import model_server
from benchmarks.table import checks_table

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- table of the API -->\n", "<!-- end of table of the API -->"
LATENCY = 0.1


def options() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.api", description=__doc__)
    parser.add_argument("--postgres", metavar="URL", help="an empty PostgreSQL database to use; default SQLite")
    parser.add_argument("--quick", action="store_true", help="small runs, few requests: does it all work?")
    parser.add_argument("--save", action="store_true", help="put the table into README.md")
    return parser.parse_args()


def main(given: argparse.Namespace) -> None:
    """Measure, print, and save if that is asked for."""
    cases, runs, times, live, rounds = (400, 40, 20, 200, 1) if given.quick else (10_000, 1000, 100, 2000, 3)
    with (
        tempfile.TemporaryDirectory(prefix="aloi-bench-") as name,
        model_server(LATENCY) as models,
        serving(Path(name), given.postgres) as owner,
    ):
        found = list(reading(owner, fill(owner, cases, runs), times))
        found.append(following(owner, models, live, rounds))
    text = f"{machine(given.postgres)}\n\n{checks_table(found)}"
    print(text)
    if given.save:
        save(text)


def machine(postgres: str | None) -> str:
    """What the figures were taken on."""
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores (load {os.getloadavg()[0]:.1f}), "
        f"Python {platform.python_version()}, {'SQLite' if postgres is None else 'PostgreSQL'}."
    )


def save(text: str) -> None:
    """Put the table between its marks in README.md."""
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    README.write_text(f"{before}{BEGIN}\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main(options())
