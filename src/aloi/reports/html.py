"""HTML: one file that needs nothing else. No script, no request to anywhere, light and dark by the reader's setting."""

from collections.abc import AsyncIterator, Iterable, Iterator
from html import escape

from aloi.core.result import CaseResult
from aloi.core.run import Run
from aloi.core.score import JudgeSample, Score
from aloi.core.summary import Summary
from aloi.core.usage import Usage
from aloi.core.wording import cost_text, count, headline, meaning, percent, tokens_text
from aloi.reports.html_style import STYLE
from aloi.reports.plain import output_text, reason, result_name, score_line, xml_text

OUTPUT_LIMIT = 20_000
REASON_LIMIT = 200
# What the page may load: nothing; it may only use the style in it.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"


async def write(run: Run, results: AsyncIterator[CaseResult]) -> AsyncIterator[str]:
    """The report in pieces. To be encoded as UTF-8. Outputs over 20,000 characters are cut, with their length told."""
    yield _head(run)
    yield _figures(run, run.summary) if run.summary else f"<p class='headline'>This run is {run.status.value}.</p>\n"
    yield "<table>\n<thead><tr><th>Case</th><th>Verdict</th><th>Score</th><th>Seconds</th><th>Why</th></tr></thead>\n"
    yield "<tbody>\n"
    async for result in results:
        yield _row(run, result)
    yield "</tbody>\n</table>\n</body>\n</html>\n"


def _text(text: str) -> str:
    return escape(xml_text(text))


def _head(run: Run) -> str:
    title = _text(f"{run.target} on {run.dataset_name}")
    return (
        "<!doctype html>\n<html lang='en'>\n<head>\n<meta charset='utf-8'>\n"
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        "<meta name='viewport' content='width=device-width, initial-scale=1'>\n"
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )


def _figures(run: Run, summary: Summary) -> str:
    facts = "".join(
        f"<div><dt>{_text(name)}</dt><dd>{_text(value)}</dd></div>\n" for name, value in _facts(run, summary)
    )
    warnings = "".join(f"<p class='warning'>{_text(warning)}</p>\n" for warning in _warnings(run, summary))
    return (
        f"<p class='headline'>{_text(headline(summary))}</p>\n<p>{_text(meaning(summary))}</p>\n"
        f"{_bar(summary)}{warnings}<dl>\n{facts}</dl>\n"
    )


def _bar(summary: Summary) -> str:
    """The interval and the rate on a scale from 0 to 100 %."""
    low, high = summary.interval
    rate = "" if summary.rate is None else f"<div class='rate' style='left:{summary.rate:.2%}'></div>"
    label = _text(headline(summary))
    return (
        f'<div class="bar" role="img" aria-label="{label}">'
        f"<div class='interval' style='left:{low:.2%};width:{high - low:.2%}'></div>{rate}</div>\n"
        "<div class='scale'><span>0%</span><span>50%</span><span>100%</span></div>\n"
    )


def _warnings(run: Run, summary: Summary) -> Iterator[str]:
    if run.reason:
        yield f"The run is {run.status.value}: {run.reason}"
    if summary.unstable:
        yield (
            f"The judge is unstable on this suite: it disagreed with itself on {summary.disagreed} "
            f"of {count(summary.judged, 'judged result')}."
        )
    if summary.errors:
        types = ", ".join(f"{kind} ({number})" for kind, number in summary.error_types.items())
        yield f"{count(summary.errors, 'result')} in error: {types}."
    if summary.errors and summary.bounds:
        low, high = percent(summary.bounds.low), percent(summary.bounds.high)
        yield f"The rate is {low} if every error is a fail, and {high} if every error is a pass."
    if run.skipped:
        yield f"Left out in this run: {', '.join(run.skipped)}."


def _facts(run: Run, summary: Summary) -> Iterator[tuple[str, str]]:
    yield "Run", run.id
    yield "Status", run.status.value
    yield "Started", run.started_at.isoformat(" ", "seconds") if run.started_at else "not yet"
    yield (
        "Cases",
        f"{summary.cases}, {count(summary.trials, 'trial')} each" if summary.trials > 1 else str(summary.cases),
    )
    if run.spec.judge is not None:
        yield "Judge", f"{run.spec.judge.model}, {count(run.spec.judge.samples, 'sample')}"
    if summary.judged:
        yield "Judge disagreed with itself", f"{summary.disagreed} of {summary.judged}"
    if summary.mean_score is not None:
        yield "Mean score", f"{summary.mean_score:.3f}"
    if summary.latency is not None:
        latency = summary.latency
        yield "Latency", f"mean {latency.mean:.2f} s, median {latency.p50:.2f} s, 95th percentile {latency.p95:.2f} s"
    yield "Target", _usage(summary.usage)
    if summary.judge_usage.calls:
        yield "Judging", _usage(summary.judge_usage)
    if summary.not_applicable:
        yield "Evaluators not applicable", str(summary.not_applicable)


def _usage(usage: Usage) -> str:
    return f"{tokens_text(usage)}, cost {cost_text(usage)}"


def _row(run: Run, result: CaseResult) -> str:
    verdict = result.verdict.value
    score = "" if result.score is None else f"{result.score:.2f}"
    return (
        f"<tr><td class='key'>{_text(result_name(run, result))}</td><td class='verdict {verdict}'>{verdict}</td>"
        f"<td class='number'>{score}</td><td class='number'>{result.outcome.latency:.2f}</td>"
        f"<td>{_details(result)}</td></tr>\n"
    )


def _details(result: CaseResult) -> str:
    why = reason(result) or "passed"
    shown = why if len(why) <= REASON_LIMIT else f"{why[:REASON_LIMIT]}…"
    parts = [f"<details><summary>{_text(shown)}</summary>"]
    if result.failure is not None:
        failure = result.failure
        parts.append(_block(f"Failed to {failure.stage}: {failure.type}", failure.message))
    if result.outcome.failure is None:
        parts.append(_block("Output", output_text(result.outcome.output, OUTPUT_LIMIT)))
    if result.scores:
        parts.append(f"<h3>Evaluators</h3>{_list(_score(score) for score in result.scores)}")
    if result.not_applicable:
        parts.append(f"<p>Not applicable: {_text(', '.join(result.not_applicable))}</p>")
    if result.carried_over:
        parts.append("<p>Carried over from the run that this one retries.</p>")
    return "".join([*parts, "</details>"])


def _block(title: str, text: str) -> str:
    return f"<h3>{_text(title)}</h3><pre>{_text(text)}</pre>"


def _list(items: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def _score(score: Score) -> str:
    samples = score.samples if len(score.samples) > 1 else ()
    inner = _list(_sample(number, sample) for number, sample in enumerate(samples, start=1)) if samples else ""
    return f"<span class='{score.verdict.value}'>{_text(score_line(score))}</span>{inner}"


def _sample(number: int, sample: JudgeSample) -> str:
    verdict = "pass" if sample.passed else "fail"
    return _text(f"judge sample {number}: {verdict} ({sample.value:g}): {sample.reasoning}")
