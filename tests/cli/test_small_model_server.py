import subprocess
import sys

import pytest

from aloi.cli.small_model import NAME, SERVER, weights_file


def test_it_writes_its_address_alone_and_leaves_when_its_input_ends() -> None:
    command = [sys.executable, "-m", SERVER, str(weights_file()), NAME]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"http://127.0.0.1:")
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(10) == 0


@pytest.mark.parametrize("arguments", [(), ("/no/such/file.gguf", NAME)])
def test_it_ends_when_it_cannot_serve(arguments: tuple[str, ...]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", SERVER, *arguments], input="", capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode != 0
    assert ended.stdout == ""
    assert ended.stderr
