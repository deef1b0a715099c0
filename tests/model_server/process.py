"""Run the model server in a process of its own, for tests of crashes and for benchmarks."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class ModelServerProcess:
    """A running server: `url` is its base address with `/v1`, `root` the same without."""

    url: str
    process: subprocess.Popen[str]

    @property
    def root(self) -> str:
        """The address without a path, for `/echo`, `/status/{code}`, `/stats` and `/reset`."""
        return self.url.removesuffix("/v1")


@contextmanager
def serve(*options: str) -> Generator[ModelServerProcess]:
    """Run `python -m tests.model_server` with more options, such as `"--latency", "0.1"`; kill it at the end.

    It also ends by itself when this process dies, for it watches its standard input.
    Raises RuntimeError when the server does not start.
    """
    command = [sys.executable, "-m", "tests.model_server", "--until-stdin-closes", *options]
    process = subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            if not url:
                raise RuntimeError(f"The model server did not start; run {' '.join(command)} to see why.")
            yield ModelServerProcess(url, process)
        finally:
            process.kill()
