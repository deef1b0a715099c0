import io
import os
import sys
from collections.abc import Callable

import pytest

from aloi.cli.streams import drop_stream, prepare_streams, settle_streams
from tests.cli.conftest import Started


def test_a_terminal_without_unicode_shows_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    prepare_streams()
    print("44–100% … é \ud800")
    settle_streams()
    assert raw.getvalue().decode() == "44-100% ... ? ?\n"


def test_what_is_written_after_the_reader_left_is_dropped() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    stream = io.TextIOWrapper(io.FileIO(writer, "w"), write_through=True)
    with pytest.raises(BrokenPipeError):
        stream.write("x")
    drop_stream(stream)
    assert stream.write("x") == 1
    stream.close()


def test_a_closed_pipe_is_no_error(start: Callable[..., Started]) -> None:
    started = start("evaluators", "list")
    assert started.process.stdout is not None
    started.process.stdout.close()
    assert started.process.stderr is not None
    assert started.process.stderr.read() == ""
    assert started.process.wait() == 0


def test_an_ascii_terminal_gets_a_report(start: Callable[..., Started]) -> None:
    ended = start("evaluators", "show", "contains", PYTHONIOENCODING="ascii", PYTHONUTF8="0").ended()
    assert ended.code == 0, ended.err
    assert ended.out.isascii()
