"""JUnit XML, as CI systems read it: one testsuite per run, one testcase per result.

A failed case is a `failure`, a case in error an `error`. `time` is the target's latency in seconds. Characters that
XML cannot hold are replaced by U+FFFD.
"""

from collections.abc import AsyncIterator, Mapping
from html import escape

from aloi.core.errors import Conflict
from aloi.core.result import CaseResult
from aloi.core.run import Run
from aloi.core.score import Verdict
from aloi.core.wording import headline
from aloi.reports.plain import explanation, output_text, reason, result_name, xml_text

OUTPUT_LIMIT = 10_000


async def write(run: Run, results: AsyncIterator[CaseResult]) -> AsyncIterator[str]:
    """The report in pieces. To be encoded as UTF-8.

    Raises:
        Conflict: the run has no summary yet; JUnit's counts stand before the results.
    """
    yield _opening(run)
    async for result in results:
        yield _case(run, result)
    yield "</testsuite>\n</testsuites>\n"


def _opening(run: Run) -> str:
    summary = run.summary
    if summary is None:
        raise Conflict(f"run {run.id} has no figures yet; write its JUnit report when it has finished")
    counts = {"tests": str(summary.total), "failures": str(summary.failed), "errors": str(summary.errors)}
    started, finished = run.started_at, run.finished_at
    seconds = {"time": f"{(finished - started).total_seconds():.3f}"} if started and finished else {}
    named = {"name": f"{run.target} on {run.dataset_name}", **counts, **seconds}
    suite = {**named, "skipped": "0"} | ({"timestamp": started.isoformat(timespec="seconds")} if started else {})
    properties = {
        "aloi.headline": headline(summary),
        "aloi.run": run.id,
        "aloi.status": run.status.value,
        "aloi.rate": "" if summary.rate is None else f"{summary.rate:.6g}",
        "aloi.interval.low": f"{summary.interval.low:.6g}",
        "aloi.interval.high": f"{summary.interval.high:.6g}",
    }
    lines = "".join(f"<property{_attributes({'name': k, 'value': v})}/>\n" for k, v in properties.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f"<testsuites{_attributes(named)}>\n<testsuite{_attributes(suite)}>\n<properties>\n{lines}</properties>\n"
    )


def _case(run: Run, result: CaseResult) -> str:
    named = {
        "classname": run.dataset_name,
        "name": result_name(run, result),
        "time": f"{result.outcome.latency:.3f}",
    }
    parts = [f"<testcase{_attributes(named)}>"]
    if result.verdict is not Verdict.PASS:
        parts.append(_problem(result))
    if result.outcome.failure is None:
        parts.append(f"<system-out>{_text(output_text(result.outcome.output, OUTPUT_LIMIT))}</system-out>")
    return "\n".join([*parts, "</testcase>\n"])


def _problem(result: CaseResult) -> str:
    element = "failure" if result.verdict is Verdict.FAIL else "error"
    kind = result.failure.type if result.failure else "fail"
    return (
        f"<{element}{_attributes({'type': kind, 'message': reason(result)})}>{_text(explanation(result))}</{element}>"
    )


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {name}="{_text(value, attribute=True)}"' for name, value in values.items())


def _text(text: str, attribute: bool = False) -> str:
    """Escaped text. Line ends that an XML reader would change are written as references."""
    escaped = escape(xml_text(text)).replace("\r", "&#13;")
    return escaped.replace("\n", "&#10;").replace("\t", "&#9;") if attribute else escaped
