"""pytest plugin: evaluate an agent in a test suite, with an honest interval at the end.

    @pytest.mark.aloi("cases.csv")            # a dataset file, or a list of cases; trials=3 repeats each
    def test_my_agent(aloi_case):
        assert aloi_case.expected_output in my_agent(aloi_case.input)

Each case is a test of its own. The summary counts a failed assertion as a fail and any other exception as an error: an
absence of measurement, which is in no rate. `aloi.grade` scores an output with any evaluator.
"""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

import pytest

from aloi.core.case import Case
from aloi.core.dataset import keyed_once
from aloi.core.errors import InvalidInput
from aloi.core.result import ResultRow
from aloi.core.score import Verdict
from aloi.core.summary import Tally
from aloi.core.wording import headline, meaning
from aloi.service.files import read_cases

MARK = "aloi"
ROW = pytest.StashKey[ResultRow]()
TALLY = pytest.StashKey[Tally]()


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known and start counting."""
    config.addinivalue_line("markers", "aloi(cases, trials=1): run the test once per case, given as `aloi_case`")
    config.stash[TALLY] = Tally()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test per case and trial."""
    mark = metafunc.definition.get_closest_marker(MARK)
    if "aloi_case" not in metafunc.fixturenames:
        return
    if mark is None or not mark.args:
        raise pytest.UsageError(
            f"{metafunc.definition.nodeid} asks for aloi_case; mark it with @pytest.mark.aloi(CASES)"
        )
    trials = mark.kwargs.get("trials", 1)
    placed = [(case, trial) for case in _cases(mark.args[0], metafunc.definition.path) for trial in range(trials)]
    ids = [case.key if trials == 1 else f"{case.key}-trial{trial + 1}" for case, trial in placed]
    metafunc.parametrize("aloi_case", placed, ids=ids, indirect=True)


@pytest.fixture
def aloi_case(request: pytest.FixtureRequest) -> Case:
    """The case of this test."""
    case, trial = request.param
    request.node.stash[ROW] = ResultRow(case_id=case.id, case_key=case.key, trial=trial, verdict=Verdict.ERROR)
    return case


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count the test's own call: passed, failed by an assertion, or in error."""
    report = yield
    row = item.stash.get(ROW, None)
    if row is not None and call.when == "call" and not report.skipped:
        verdict, score = _verdict(call.excinfo)
        changes = {"verdict": verdict, "score": score, "latency": call.duration, "answered": score is not None}
        item.config.stash[TALLY].add(row.model_copy(update=changes))
    return report


def _verdict(fault: pytest.ExceptionInfo[BaseException] | None) -> tuple[Verdict, float | None]:
    if fault is None:
        return Verdict.PASS, 1.0
    if isinstance(fault.value, (AssertionError, pytest.fail.Exception)):
        return Verdict.FAIL, 0.0
    return Verdict.ERROR, None


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The pass rate of the cases with its interval."""
    tally = config.stash[TALLY]
    if not tally.keys:
        return
    trials = max((len(decided) for decided in tally.decisions), default=1)
    summary = tally.summary(max(1, trials))
    terminalreporter.section("aloi")
    terminalreporter.write_line(headline(summary))
    terminalreporter.write_line(meaning(summary))


def _cases(given: str | Path | Sequence[Any], test_file: Path) -> list[Case]:
    """The cases of a file beside the test, or of a list."""
    if isinstance(given, (str, Path)):
        path = Path(given) if Path(given).is_absolute() else test_file.parent / given
        try:
            return list(keyed_once(read_cases(path).cases))
        except InvalidInput as error:
            raise pytest.UsageError(str(error)) from error
    return list(keyed_once(case if isinstance(case, Case) else Case.model_validate(case) for case in given))
