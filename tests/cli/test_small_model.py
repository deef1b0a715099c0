import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
import pytest
import pytest_asyncio

from aloi.cli import small_model as module
from aloi.cli.small_model import NAME, server_process, small_model, weights_file
from aloi.core.chat import ChatMessage, ChatRequest, ModelSpec
from aloi.core.errors import AloiError, InvalidInput
from aloi.core.spec import JsonObject
from aloi.llm.models import Models

VERDICT: JsonObject = {
    "type": "object",
    "properties": {"reason": {"enum": ["clear", "unclear"]}, "holds": {"type": "boolean"}},
    "required": ["reason", "holds"],
    "additionalProperties": False,
}
USE_IT = """
import asyncio
from aloi.cli.small_model import small_model

async def main():
    async with small_model() as base_url:
        print(base_url, flush=True)
        await asyncio.sleep(120)

asyncio.run(main())
"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def base_url() -> AsyncIterator[str]:
    """The real small model, started once for this file."""
    async with small_model() as url:
        yield url


def answers(base_url: str) -> bool:
    """Whether somebody listens at the address."""
    address = urlsplit(base_url)
    return subprocess.run([sys.executable, "-c", CONNECT, str(address.port)], check=False).returncode == 0


CONNECT = "import socket, sys\nsys.exit(socket.socket().connect_ex(('127.0.0.1', int(sys.argv[1]))))"


async def gone(base_url: str) -> bool:
    """Whether the address stops answering within ten seconds."""
    until = time.monotonic() + 10
    while answers(base_url):
        if time.monotonic() > until:
            return False
        await asyncio.sleep(0.05)
    return True


async def asked(base_url: str, request: ChatRequest, **settings: int) -> tuple[str | None, int | None, int | None]:
    """The text, and the tokens in and out, as Aloi's own door to models reads them."""
    models = Models({})
    try:
        spec = ModelSpec(model=f"openai:{NAME}", base_url=base_url, settings={"temperature": 0, **settings})
        reply = await models.chat(spec).complete(request)
    finally:
        await models.close()
    return reply.text, reply.usage.input_tokens, reply.usage.output_tokens


@pytest.mark.asyncio(loop_scope="module")
class TestProtocol:
    """What the small model gives is what the OpenAI protocol says. Nothing here is about how good it is."""

    async def test_the_raw_reply(self, base_url: str) -> None:
        body = {"model": NAME, "messages": [{"role": "user", "content": "Hi"}], "max_tokens": 4}
        async with aiohttp.ClientSession() as session, session.post(f"{base_url}/chat/completions", json=body) as got:
            assert got.status == 200
            reply = await got.json()
        choice = reply["choices"][0]
        assert (reply["object"], reply["model"]) == ("chat.completion", NAME)
        assert choice["message"]["role"] == "assistant"
        assert choice["finish_reason"] in ("length", "stop")
        assert 0 < reply["usage"]["completion_tokens"] <= 4

    async def test_an_answer_with_its_usage(self, base_url: str) -> None:
        request = ChatRequest(messages=(ChatMessage(role="user", content="Name a colour."),))
        text, tokens_in, tokens_out = await asked(base_url, request, max_tokens=8)
        assert text
        assert tokens_in
        assert tokens_out is not None
        assert 0 < tokens_out <= 8

    async def test_structured_output_follows_its_schema(self, base_url: str) -> None:
        question = ChatMessage(role="user", content="Is this clear? Reply with JSON.")
        request = ChatRequest(messages=(question,), output_schema=VERDICT, output_name="verdict")
        replies = await asyncio.gather(*(asked(base_url, request, max_tokens=60, seed=seed) for seed in range(3)))
        for text, _, tokens_out in replies:
            assert tokens_out
            verdict = json.loads(text or "")
            assert verdict.keys() == {"reason", "holds"}
            assert isinstance(verdict["holds"], bool)

    async def test_it_listens_on_the_loopback_alone(self, base_url: str) -> None:
        assert urlsplit(base_url).hostname == "127.0.0.1"


async def test_it_is_stopped_in_the_middle_of_an_answer() -> None:
    async with small_model() as url:
        request = ChatRequest(messages=(ChatMessage(role="user", content="Tell a long story."),))
        story = asyncio.create_task(asked(url, request, max_tokens=1500))
        await asyncio.sleep(0.2)
        assert not story.done()
        story.cancel()
    assert not answers(url)


async def test_it_is_stopped_when_the_block_raises() -> None:
    url = ""
    with pytest.raises(ValueError, match="oops"):
        async with small_model() as url:
            raise ValueError("oops")
    assert url
    assert not answers(url)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_it_does_not_outlive_who_started_it(sign: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", USE_IT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        url = process.stdout.readline().decode().strip()
        assert answers(url)
        process.send_signal(sign)
        assert process.wait(20) != 0
    assert await gone(url)


@pytest.mark.parametrize("code", ["import sys; sys.exit('no memory')", "import time; time.sleep(60)"])
async def test_a_server_that_does_not_start_is_an_error(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_server.py").write_text(code)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    said = "no memory" if "memory" in code else "it said nothing"
    with pytest.raises(AloiError, match=f"did not start: {said}; name another model in ALOI_MODEL"):
        async with server_process(("broken_server",), start_seconds=20 if "memory" in code else 0.2):
            raise AssertionError("the block must not be entered")


async def test_weights_that_are_none_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"not a model")
    with pytest.raises(AloiError, match="did not start"):
        async with server_process((module.SERVER, str(tmp_path / "broken.gguf"), NAME)):
            raise AssertionError("the block must not be entered")


def test_the_weights_are_found_without_importing_their_package() -> None:
    assert weights_file().suffix == ".gguf"
    assert module.WEIGHTS not in sys.modules


@pytest.mark.parametrize("name", ["ENGINE", "WEIGHTS"])
def test_what_is_not_installed_is_named_with_the_mend(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, name, "surely_not_there")
    with pytest.raises(InvalidInput, match="surely_not_there is not installed; run make demo"):
        weights_file()


def test_a_package_without_weights_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "WEIGHTS", "json")
    with pytest.raises(InvalidInput, match=r"json holds no \.gguf file"):
        weights_file()
