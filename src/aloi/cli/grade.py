"""`aloi grade`: one output, one evaluator."""

from typing import Annotated

import typer

from aloi.cli.case_view import render_score
from aloi.cli.door import carry_out, opened, surroundings
from aloi.cli.evaluators import described_kind
from aloi.cli.faults import BROKEN, OK, REFUSED
from aloi.cli.given import given_json, given_object, given_parameters, given_text
from aloi.cli.options import JudgeModel, JudgeSamples, JudgeUrl
from aloi.cli.overrides import judge_over
from aloi.cli.terminal import terminal, write_data
from aloi.client import Client
from aloi.core.grading import GradeRequest
from aloi.core.run import JudgeSpec
from aloi.core.score import Score, Verdict
from aloi.core.spec import JsonObject, valid

EXIT_CODES = {Verdict.PASS: OK, Verdict.FAIL: REFUSED, Verdict.ERROR: BROKEN}


def grade_command(
    context: typer.Context,
    evaluator: Annotated[str, typer.Argument(help="A kind, e.g. contains; or a spec as JSON, or @file.")],
    param: Annotated[
        list[str] | None, typer.Option("--param", "-p", metavar="NAME=VALUE", help="A parameter of the kind.")
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="What is graded; @file reads it; default the standard input.")
    ] = None,
    case: Annotated[str | None, typer.Option(help="The case as JSON, or @file.")] = None,
    tool_calls: Annotated[
        str | None, typer.Option(help='Tool calls as JSON, e.g. [{"tool": "calculator", "args": {}}], or @file.')
    ] = None,
    judge: JudgeModel = None,
    judge_url: JudgeUrl = None,
    judge_samples: JudgeSamples = None,
    json_: Annotated[bool, typer.Option("--json", help="Print the score as JSON.")] = False,
) -> None:
    """Score one output with one evaluator; nothing is stored.

    Example: aloi grade contains -p text=Paris -o "Paris is the capital."

    Exit codes: 0 it passes, 1 it fails, 2 wrong input, 3 it could not be graded.
    """
    given: JsonObject = {"output": given_text("--output", output)}
    if case is not None:
        given["case"] = given_object("--case", case)
    if tool_calls is not None:
        given["tool_calls"] = given_json("--tool-calls", tool_calls)
    chosen = judge_over(None, surroundings(context).settings, judge, judge_url, judge_samples)
    score = carry_out(_graded(context, evaluator, param or [], given, chosen))
    if json_:
        write_data(score.model_dump_json(indent=2) + "\n")
    else:
        report = terminal().report
        for part in render_score(score):
            report.print(part)
    raise typer.Exit(EXIT_CODES[score.verdict])


async def _graded(
    context: typer.Context, evaluator: str, pairs: list[str], given: JsonObject, judge: JudgeSpec | None
) -> Score:
    async with opened(context) as client:
        spec = await _spec(client, evaluator, pairs)
        request = valid(GradeRequest, {"evaluator": spec, **given}, "what is to be graded")
        return await client.grade(request.model_copy(update={"judge": judge}))


async def _spec(client: Client, evaluator: str, pairs: list[str]) -> JsonObject:
    if evaluator.lstrip().startswith(("{", "@")):
        spec = given_object("the evaluator", evaluator)
        kind = spec.get("kind")
    else:
        kind = evaluator
        spec = JsonObject(kind=kind)
    if not pairs:
        return spec
    described = described_kind(await client.kinds("evaluators"), str(kind))
    schema = described["schema"]
    return {**spec, **given_parameters(pairs, schema if isinstance(schema, dict) else {})}
