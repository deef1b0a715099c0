"""One result for people: verdict, answer, scores and the path to it."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from aloi.cli.figures import duration
from aloi.cli.tables import facts
from aloi.cli.terminal import one_line, plain
from aloi.core.case import Case
from aloi.core.json_values import shortened, text_of
from aloi.core.result import CaseResult
from aloi.core.score import JudgeSample, Score, Verdict
from aloi.core.trace import ToolCall
from aloi.core.trajectory import trajectory
from aloi.core.wording import cost_text, tokens_text

VERDICT_STYLE = {Verdict.PASS: "green", Verdict.FAIL: "red", Verdict.ERROR: "yellow"}
OUTPUT_SHOWN = 4000


def score_text(value: float | None) -> str:
    """`0.50`, or a dash where there is no value."""
    return "–" if value is None else f"{value:.2f}"


def reason(result: CaseResult) -> str:
    """Why a result is not a pass, in one sentence; how many more reasons there are."""
    if result.failure is not None:
        return f"{result.failure.type}: {result.failure.message}"
    failed = [score for score in result.scores if score.verdict is Verdict.FAIL and score.weight > 0]
    if not failed:
        return ""
    more = f"(+{len(failed) - 1} more) " if len(failed) > 1 else ""
    return f"{more}{failed[0].evaluator or failed[0].kind}: {failed[0].explanation}"


def render_result(result: CaseResult, case: Case) -> Iterator[RenderableType]:
    """All that is known of one result, with its case as it was run."""
    yield Text.assemble(
        (plain(result.case_key), "bold"),
        f" (trial {result.trial + 1})" if result.trial else "",
        "  ",
        (result.verdict.value, VERDICT_STYLE[result.verdict]),
        f"  score {score_text(result.score)}",
        "  carried over from the run before" if result.carried_over else "",
    )
    yield Text()
    yield from _asked(case)
    yield from _answer(result)
    yield from _path(result)
    for score in result.scores:
        yield Text()
        yield from render_score(score)
    yield Text()
    yield facts(_figures(result))


def _asked(case: Case) -> Iterator[RenderableType]:
    """The input and what was expected."""
    expected = "" if case.expected_output is None else text_of(case.expected_output)
    stated = [
        ("Input", case.input_text),
        ("Expected output", expected),
        ("Expected behavior", case.expected_behavior or ""),
        ("Assertions", "\n".join(case.assertions)),
    ]
    for name, text in stated:
        if text:
            yield Text(name, style="dim")
            yield _indented(_bounded(text))
            yield Text()


def _bounded(text: str) -> str:
    cut = f"\n… ({len(text):,} characters)" if len(text) > OUTPUT_SHOWN else ""
    return f"{text[:OUTPUT_SHOWN]}{cut}"


def _answer(result: CaseResult) -> Iterator[RenderableType]:
    if result.outcome.failure is not None:
        failure = result.outcome.failure
        yield Text(plain(f"No answer: {failure.type}: {failure.message}"))
        return
    yield Text("Answer", style="dim")
    yield _indented(_bounded(text_of(result.outcome.output)) or "(an empty text)")


def _path(result: CaseResult) -> Iterator[RenderableType]:
    calls = trajectory(result.outcome.trace).tool_calls if result.outcome.trace else ()
    if calls:
        yield Text()
        yield from render_calls(calls)


def render_calls(calls: Sequence[ToolCall]) -> Iterator[RenderableType]:
    """The tool calls in order, a line each; nothing where there are none."""
    if calls:
        yield Text("Tool calls", style="dim")
        yield _indented("\n".join(map(call_line, calls)))


def call_line(call: ToolCall) -> str:
    """`calculator({"expression": "6*7"}) -> 42`."""
    came = f"error: {call.error}" if call.error is not None else shortened(call.output, 120)
    simulated = "" if call.provenance == "real" else f" [{call.provenance}]"
    return one_line(f"{call.tool}({shortened(call.args, 120)}) → {came}{simulated}", 300)


def render_score(score: Score) -> Iterator[RenderableType]:
    """One evaluator's score with its explanation, and a judge's single verdicts."""
    threshold = f" of {score.threshold:g} needed" if score.threshold is not None else ""
    yield Text.assemble(
        (plain(score.evaluator or score.kind), "bold"),
        "  ",
        (score.verdict.value, VERDICT_STYLE[score.verdict]),
        f"  {score_text(score.value)}{threshold}",
        "  (weight 0: informs only)" if score.weight == 0 else "",
        ("  judge disagreed", "yellow") if score.disagreed else "",
    )
    yield _indented(score.explanation)
    if len(score.samples) > 1:
        yield _indented("\n".join(_sample(number, sample) for number, sample in enumerate(score.samples, start=1)))


def _sample(number: int, sample: JudgeSample) -> str:
    verdict = "pass" if sample.passed else "fail"
    return f"sample {number}: {verdict} {sample.value:.2f}  {one_line(sample.reasoning, 300)}"


def _figures(result: CaseResult) -> list[tuple[str, str]]:
    usage = result.outcome.usage
    found = [
        ("Latency", duration(result.outcome.latency)),
        ("Target", f"{tokens_text(usage)}, cost {cost_text(usage)}"),
    ]
    if result.not_applicable:
        found.append(("Not applicable", ", ".join(result.not_applicable)))
    return found


def _indented(text: str) -> Padding:
    return Padding(Text(plain(text)), (0, 0, 0, 2), expand=False)
