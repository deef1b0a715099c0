"""The pytest plugin, in test suites of its own."""

import pytest

pytest_plugins = ["pytester"]

CASES = """
import pytest
CASES = [
    {"key": "good", "prompt": "good", "expected_output": "ok"},
    {"key": "bad", "prompt": "bad", "expected_output": "ok"},
    {"key": "down", "prompt": "down", "expected_output": "ok"},
]
"""
AGENT = """
def agent(given):
    if given == "down":
        raise ConnectionError("the agent is down")
    return "no" if given == "bad" else "ok"
"""
TEST = """
def test_agent(aloi_case):
    assert agent(aloi_case.input) == aloi_case.expected_output
"""


@pytest.fixture(autouse=True)
def _alone(pytester: pytest.Pytester) -> None:
    """Suites whose order and options are not those of this one."""
    pytester.makeini(
        "[pytest]\naddopts = -p no:randomly -p no:cacheprovider\nasyncio_default_fixture_loop_scope = function\n"
    )


def run(pytester: pytest.Pytester, source: str, *options: str) -> pytest.RunResult:
    """Run a suite of one file."""
    pytester.makepyfile(test_it=source)
    return pytester.runpytest_inprocess(*options)


def summary(result: pytest.RunResult) -> str:
    """The plugin's lines at the end; empty when it says nothing."""
    _, _, behind = result.stdout.str().partition(" aloi =")
    return behind


def test_passes_fails_and_errors_with_their_interval(pytester: pytest.Pytester) -> None:
    result = run(pytester, CASES + AGENT + "@pytest.mark.aloi(CASES)" + TEST)
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*= aloi =*", "1/2 passed (95% CI 9–91%), 1 error", "The true pass rate could be*"])


def test_a_csv_file_beside_the_test(pytester: pytest.Pytester) -> None:
    pytester.makefile(".csv", cases="key,prompt,expected_output\ngood,good,ok\nbad,bad,ok\n")
    result = run(pytester, "import pytest" + AGENT + '@pytest.mark.aloi("cases.csv")' + TEST, "-v")
    result.stdout.fnmatch_lines(["*test_agent[[]good] PASSED*", "*test_agent[[]bad] FAILED*", "1/2 passed*"])


def test_case_values_and_made_keys(pytester: pytest.Pytester) -> None:
    source = """
import pytest
from aloi.core.case import Case

@pytest.mark.aloi((case for case in [Case(key="a", input={"n": 1}), {"prompt": "x"}, {"prompt": "x"}]))
def test_agent(aloi_case):
    assert aloi_case.input in ({"n": 1}, "x")
"""
    result = run(pytester, source, "-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["*test_agent[[]a] *", "*test_agent[[]auto-*] *", "*test_agent[[]auto-*-2] *"])


def test_trials(pytester: pytest.Pytester) -> None:
    source = """
import pytest
count = 0

@pytest.mark.aloi([{"key": "a", "prompt": "x"}, {"key": "b", "prompt": "y"}], trials=2)
def test_agent(aloi_case):
    global count
    count += 1
    if count == 4:
        raise OSError
    assert count != 1
"""
    result = run(pytester, source, "-v")
    result.stdout.fnmatch_lines(
        ["*[[]a-trial1] FAILED*", "*[[]a-trial2] PASSED*", "*[[]b-trial1] PASSED*", "2/3 trials*"]
    )
    assert "1 error" in summary(result)


def test_every_trial_but_one_in_error_is_still_two_trials(pytester: pytest.Pytester) -> None:
    source = """
import pytest

@pytest.mark.aloi([{"key": "a", "prompt": "x"}], trials=2)
def test_agent(aloi_case, request):
    if "trial2" in request.node.name:
        raise OSError
"""
    assert "1/1 trials passed" in summary(run(pytester, source))


def test_each_test_and_each_parameter_has_cases_of_its_own(pytester: pytest.Pytester) -> None:
    """The same case in two tests is no second trial of it."""
    source = """
import pytest
CASES = [{"key": "a", "prompt": "x"}, {"key": "b", "prompt": "y"}]

@pytest.mark.aloi(CASES)
def test_one(aloi_case): pass

@pytest.mark.aloi(CASES)
@pytest.mark.parametrize("model", ["small", "large"])
def test_two(aloi_case, model):
    assert model == "large"
"""
    assert "4/6 passed" in summary(run(pytester, source))


def test_a_fixture_that_fails_is_an_error(pytester: pytest.Pytester) -> None:
    source = """
import pytest

@pytest.fixture
def early(): assert False

@pytest.fixture
def late(aloi_case):
    if aloi_case.key == "b":
        raise OSError

@pytest.mark.aloi([{"key": "a", "prompt": "x"}])
def test_one(early, aloi_case): pass

@pytest.mark.aloi([{"key": "a", "prompt": "x"}, {"key": "b", "prompt": "y"}])
def test_two(aloi_case, late): pass
"""
    assert "1/1 passed (95% CI 21–100%), 2 errors" in summary(run(pytester, source))


def test_a_teardown_that_fails_does_not_count_again(pytester: pytest.Pytester) -> None:
    source = """
import pytest

@pytest.fixture
def after():
    yield
    raise OSError

@pytest.mark.aloi([{"key": "a", "prompt": "x"}])
def test_one(aloi_case, after): pass
"""
    assert summary(run(pytester, source)).strip("= \n").startswith("1/1 passed (95% CI 21–100%)\n")


def test_skips_are_not_counted_and_expected_failures_are_fails(pytester: pytest.Pytester) -> None:
    source = """
import pytest

@pytest.fixture
def sometimes(aloi_case):
    if aloi_case.key == "a":
        pytest.skip("not here")

@pytest.mark.aloi([{"key": key, "prompt": key} for key in "abcde"])
def test_one(aloi_case, sometimes):
    if aloi_case.key == "b":
        pytest.skip("not now")
    if aloi_case.key == "c":
        pytest.fail("no")
    if aloi_case.key == "d":
        pytest.xfail("known")

@pytest.mark.xfail
@pytest.mark.aloi([{"key": "a", "prompt": "a"}])
def test_two(aloi_case): assert False

@pytest.mark.skip
@pytest.mark.aloi([{"key": "a", "prompt": "a"}])
def test_three(aloi_case): assert False
"""
    assert "1/4 passed" in summary(run(pytester, source))


def test_async_tests_count_too(pytester: pytest.Pytester) -> None:
    source = """
import pytest

@pytest.mark.asyncio
@pytest.mark.aloi([{"key": "a", "prompt": "a"}, {"key": "b", "prompt": "b"}])
async def test_one(aloi_case):
    assert aloi_case.key == "a"
"""
    assert "1/2 passed" in summary(run(pytester, source, "-p", "asyncio"))


def test_disabled_cases_and_drafts_are_left_out(pytester: pytest.Pytester) -> None:
    source = """
import pytest

@pytest.mark.aloi([{"prompt": "a"}, {"prompt": "b", "enabled": False}, {"prompt": "c", "status": "draft"}])
def test_one(aloi_case): pass
"""
    run(pytester, source).assert_outcomes(passed=1)


def test_suites_without_our_mark_hear_nothing(pytester: pytest.Pytester) -> None:
    result = run(pytester, "def test_one(): pass")
    result.assert_outcomes(passed=1)
    assert summary(result) == ""


def test_the_mark_is_known(pytester: pytest.Pytester) -> None:
    source = "import pytest\n@pytest.mark.aloi([{'prompt': 'a'}])\ndef test_one(aloi_case): pass"
    run(pytester, source, "--strict-markers").assert_outcomes(passed=1)
    assert "aloi(cases, trials=1)" in pytester.runpytest_inprocess("--markers").stdout.str()


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ("", "asks for aloi_case; mark it with @pytest.mark.aloi(CASES)"),
        ("@pytest.mark.aloi()", "asks for aloi_case; mark it with @pytest.mark.aloi(CASES)"),
        ("@pytest.mark.aloi([])", "no case to run"),
        ("@pytest.mark.aloi([{'prompt': 'a', 'enabled': False}])", "no case to run"),
        ("@pytest.mark.aloi([{'promt': 'a'}])", "the case {'promt': 'a'} does not fit"),
        ("@pytest.mark.aloi(['a'])", "the case 'a' does not fit"),
        ("@pytest.mark.aloi([{'key': 'a', 'prompt': 'a'}] * 2)", "the key 'a' is used twice"),
        ("@pytest.mark.aloi('nope.csv')", "nope.csv"),
        ("@pytest.mark.aloi(42)", "42 are no cases"),
        ("@pytest.mark.aloi([{'prompt': 'a'}], trials=0)", "trials is 0; give a whole number from 1"),
        ("@pytest.mark.aloi([{'prompt': 'a'}], trials='2')", "trials is '2'"),
    ],
)
def test_a_mark_that_cannot_be_used_is_told(pytester: pytest.Pytester, mark: str, said: str) -> None:
    result = run(pytester, f"import pytest\n{mark}\ndef test_one(aloi_case): pass")
    assert result.ret != 0
    assert said in result.stdout.str() + result.stderr.str()
    assert "Traceback" not in result.stdout.str()
