"""Run the server in a process of its own: `python -m tests.model_server --port 0 --latency 0.1`.

The first line it prints is its address, `http://127.0.0.1:PORT/v1`.
"""

import argparse
import asyncio
import sys

from tests.model_server.server import ModelServer

if sys.platform == "win32":
    from asyncio import new_event_loop
else:
    from uvloop import new_event_loop


async def main(port: int, latency: float, until_stdin_closes: bool) -> None:
    """Serve until cancelled, or until the parent that holds our standard input is gone. `latency` is in seconds."""
    async with ModelServer(port=port, latency=latency, record=False) as server:
        print(server.url, flush=True)
        if until_stdin_closes:
            # A thread would keep the process alive, so the pipe is watched by the loop.
            reader = asyncio.StreamReader()
            loop = asyncio.get_running_loop()
            await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
            await reader.read()
        else:
            await asyncio.get_running_loop().create_future()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.model_server", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 finds a free one")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before every good answer")
    parser.add_argument("--until-stdin-closes", action="store_true", help="end when the parent process is gone")
    options = parser.parse_args()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(main(options.port, options.latency, options.until_stdin_closes))
