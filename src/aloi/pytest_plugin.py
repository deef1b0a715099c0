"""pytest plugin: evaluate an agent in a test suite, with an honest interval at the end.

    @pytest.mark.aloi("cases.csv")            # a dataset file, or a list of cases; trials=3 repeats each
    def test_my_agent(aloi_case):
        assert aloi_case.expected_output in my_agent(aloi_case.input)

Each case is a test of its own; cases that are disabled or drafts are left out. The summary counts a failed assertion as
a fail and any other exception, also one of a fixture, as an error: an absence of measurement, which is in no rate. A
skipped test is not counted. `aloi.grade` scores an output with any evaluator.
"""

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest

from aloi.core.case import Case
from aloi.core.dataset import keyed_once
from aloi.core.errors import InvalidInput
from aloi.core.result import ResultRow
from aloi.core.score import Verdict
from aloi.core.spec import valid
from aloi.core.summary import Tally
from aloi.core.wording import headline, meaning
from aloi.service.files import read_cases

MARK = "aloi"
FIXTURE = "aloi_case"
TALLY = pytest.StashKey[Tally]()
TRIALS = pytest.StashKey[int]()


class Placed(NamedTuple):
    """A case and which of its trials a test is."""

    case: Case
    trial: int


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known and start counting."""
    config.addinivalue_line("markers", "aloi(cases, trials=1): run the test once per case, given as `aloi_case`")
    config.stash[TALLY] = Tally()
    config.stash[TRIALS] = 1


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test per case and trial."""
    if FIXTURE not in metafunc.fixturenames:
        return
    test = metafunc.definition
    mark = test.get_closest_marker(MARK)
    if mark is None or not mark.args:
        raise pytest.UsageError(f"{test.nodeid} asks for aloi_case; mark it with @pytest.mark.aloi(CASES)")
    trials = mark.kwargs.get("trials", 1)
    if not isinstance(trials, int) or trials < 1:
        raise pytest.UsageError(f"{test.nodeid}: trials is {trials!r}; give a whole number from 1")
    try:
        cases = _cases(mark.args[0], test.path)
    except InvalidInput as error:
        raise pytest.UsageError(f"{test.nodeid}: {error}") from error
    placed = [Placed(case, trial) for case in cases for trial in range(trials)]
    ids = [case.key if trials == 1 else f"{case.key}-trial{trial + 1}" for case, trial in placed]
    metafunc.parametrize(FIXTURE, placed, ids=ids, indirect=True)


@pytest.fixture
def aloi_case(request: pytest.FixtureRequest) -> Case:
    """The case of this test."""
    placed: Placed = request.param
    return placed.case


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Count the test once: by its own call, or by its setup when that did not come through."""
    report = yield
    fault = call.excinfo.value if call.excinfo is not None else None
    counts = call.when == "call" or (call.when == "setup" and fault is not None)
    row = _row(item) if counts and not isinstance(fault, pytest.skip.Exception) else None
    if row is not None:
        verdict = _verdict(fault, call.when == "call")
        score = {Verdict.PASS: 1.0, Verdict.FAIL: 0.0}.get(verdict)
        changes = {"verdict": verdict, "score": score, "latency": call.duration, "answered": score is not None}
        item.config.stash[TALLY].add(row.model_copy(update=changes))
        item.config.stash[TRIALS] = max(item.config.stash[TRIALS], row.trial + 1)
    return report


def _row(item: pytest.Item) -> ResultRow | None:
    """The row of a test of ours. Its key also names the test and its other parameters: those are cases of their own."""
    callspec: Any = getattr(item, "callspec", None)
    if callspec is None or not isinstance(placed := callspec.params.get(FIXTURE), Placed):
        return None
    others = sorted((name, index) for name, index in callspec.indices.items() if name != FIXTURE)
    key = f"{item.nodeid.partition('[')[0]} {placed.case.key} {others}"
    return ResultRow(case_id=placed.case.id, case_key=key, trial=placed.trial, verdict=Verdict.ERROR)


def _verdict(fault: BaseException | None, in_call: bool) -> Verdict:
    if fault is None:
        return Verdict.PASS
    failed = in_call and isinstance(fault, (AssertionError, pytest.fail.Exception))
    return Verdict.FAIL if failed else Verdict.ERROR


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The pass rate of the cases with its interval."""
    tally = config.stash[TALLY]
    if not tally.keys:
        return
    summary = tally.summary(config.stash[TRIALS])
    terminalreporter.section("aloi")
    terminalreporter.write_line(headline(summary))
    terminalreporter.write_line(meaning(summary))


def _cases(given: object, test_file: Path) -> list[Case]:
    """The cases of a file beside the test, or of a list: those that are enabled and ready.

    Raises:
        InvalidInput: a case cannot be used, or there is none.
    """
    if isinstance(given, (str, Path)):
        read = read_cases(test_file.parent / given).cases
    elif isinstance(given, Iterable):
        read = map(_case, cast(Iterable[object], given))
    else:
        raise InvalidInput(f"{given!r:.100} are no cases; give the name of a file, or a list")
    cases = [case for case in keyed_once(read) if case.runs]
    if not cases:
        raise InvalidInput("there is no case to run; give at least one that is enabled and ready")
    return cases


def _case(given: object) -> Case:
    return given if isinstance(given, Case) else valid(Case, given, f"the case {given!r:.200}")
