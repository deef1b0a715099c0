"""`aloi demo`: a small suite against a model on this machine, or against the one that ALOI_MODEL names."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from aloi.cli.door import LOCAL_SERVER, carry_out, opened, surroundings
from aloi.cli.faults import OK, REFUSED
from aloi.cli.follow import Ending, see_through
from aloi.cli.small_model import NAME, small_model
from aloi.cli.terminal import Terminal, terminal
from aloi.core.errors import InvalidInput
from aloi.core.run import JudgeSpec, Run, RunStatus
from aloi.core.spec import JsonObject, valid
from aloi.plugins import module
from aloi.sdk import Suite, open_suite, start_suite
from aloi.settings import Settings

SUITE = Path(__file__).parent / "demo_suite" / "suite.yaml"
ANY_PORT, GRACE_SECONDS = 0, 1.0
SHORT_ANSWERS: JsonObject = {"temperature": 0, "max_tokens": 48}
# Warm, so that its samples differ; no loops, so that its reasoning comes to an end before the limit.
SHORT_VERDICTS: JsonObject = {"temperature": 1, "min_p": 0.1, "repeat_penalty": 1.2, "max_tokens": 140}
WHAT_IT_IS = (
    "The model was SmolLM2-135M-Instruct, on this machine. As a judge it is near chance: this shows the machinery, "
    "not quality."
)
HOW_TO_GO_ON = (
    "A real one: ALOI_MODEL=openai:gpt-4o-mini OPENAI_API_KEY=... make demo (ALOI_BASE_URL: another OpenAI-compatible "
    "address; ALOI_JUDGE_MODEL: another judge)."
)


def demo_command(
    context: typer.Context,
    serve: Annotated[
        bool | None, typer.Option("--serve/--no-serve", help="Show the run in the web UI; default on a terminal.")
    ] = None,
) -> None:
    """Evaluate a small model that runs on this machine, without a key, and show the run in a browser.

    Set ALOI_MODEL=provider:model to evaluate that one instead; ALOI_BASE_URL, ALOI_API_KEY_ENV and ALOI_JUDGE_MODEL
    say where it is, where its key is, and who judges.

    Exit codes: 0 the run is complete, whatever its cases say; 1 it was cancelled; 2 a setting is wrong; 3 the run
    failed or nothing was decided.
    """
    wanted = sys.stdout.isatty() if serve is None else serve
    raise typer.Exit(carry_out(_demo(context, wanted)))


async def _demo(context: typer.Context, serve: bool) -> int:
    environ, settings = surroundings(context)
    screen = terminal()
    async with _models(settings, screen) as base_url:
        suite = filled_in(open_suite(SUITE), settings, base_url)
        code, run = await _evaluate(context, suite, screen)
        if base_url is not None:
            for line in ("", WHAT_IT_IS, HOW_TO_GO_ON):
                screen.report.print(line)
        screen.report.print()
        page = f"/runs/{run.id}"
        if serve and settings.server is None:
            # The small model goes on meanwhile, so that it can be tried by hand.
            announced = partial(announce, page=page)
            await module("aloi.api.server").serve(settings, environ, "127.0.0.1", ANY_PORT, GRACE_SECONDS, announced)
        else:
            screen.report.print(f"Look at the run in a browser{'' if settings.server else ', with: aloi serve'}")
            screen.report.print(f"{settings.server or LOCAL_SERVER}{page}", soft_wrap=True)
    return code


def announce(address: str, link: str | None, page: str) -> None:
    """Tell where the run can be looked at, signed in at once."""
    print(f"Look at the run in a browser: {address}{link}&next={page}" if link else f"{address}{page}")
    print("Ctrl-C ends the demo; later, aloi serve shows the run again.", flush=True)


@asynccontextmanager
async def _models(settings: Settings, screen: Terminal) -> AsyncGenerator[str | None]:
    """The address of the small model, which runs meanwhile; null when the settings name a model."""
    if settings.model is not None:
        yield None
        return
    if settings.base_url is not None and settings.judge_model is None:
        raise InvalidInput("ALOI_BASE_URL is set, but no model; name the one to use there in ALOI_MODEL")
    screen.note("Starting SmolLM2-135M-Instruct on this machine ...")
    async with small_model() as base_url:
        yield base_url


async def _evaluate(context: typer.Context, suite: Suite, screen: Terminal) -> tuple[int, Run]:
    """The exit code, and the run. That some cases fail is what a demo is for, so it says 0 then."""
    async with opened(context) as client:
        starting = asyncio.create_task(start_suite(client, suite, SUITE.parent))
        code = await see_through(client, starting, Ending(screen))
        run = await client.run((await starting).id)
    return (OK if code == REFUSED and run.status is RunStatus.COMPLETED else code), run


def filled_in(suite: Suite, settings: Settings, small: str | None) -> Suite:
    """The suite with its models.

    Args:
        small: the address of the small model, which is taken where the settings name no other; null if it is not there.

    Raises:
        InvalidInput: a setting is no name of a model.
    """
    named = _named(settings.model, settings)
    judge = _named(settings.judge_model, settings) or named or _small(small, SHORT_VERDICTS)
    written: JsonObject = suite.target if isinstance(suite.target, dict) else {}
    target: JsonObject = {**written, **(named or _small(small, SHORT_ANSWERS))}
    if not str(target["model"]).startswith("openai:"):
        target["kind"] = "agent"  # which knows every provider
    samples = suite.judge.samples if suite.judge else 1
    given = valid(JudgeSpec, {**judge, "samples": samples}, "ALOI_MODEL or ALOI_JUDGE_MODEL")
    return suite.model_copy(update={"target": target, "judge": given})


def _named(model: str | None, settings: Settings) -> JsonObject:
    """A model that the settings name; empty without one."""
    if model is None:
        return {}
    return {"model": model, "base_url": settings.base_url, "api_key_env": settings.api_key_env}


def _small(base_url: str | None, settings: JsonObject) -> JsonObject:
    return {"model": f"openai:{NAME}", "base_url": base_url, "settings": settings}
