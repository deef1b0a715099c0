import pytest

from aloi.cli.faults import code_of, line_of, only_cause, tell
from aloi.core.errors import (
    AloiError,
    Conflict,
    GateRefused,
    InvalidInput,
    NotFound,
    NotPermitted,
    StageFailure,
    ToolFailure,
)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (GateRefused("no"), 1),
        (InvalidInput("x"), 2),
        (NotFound("x"), 2),
        (Conflict("x"), 2),
        (NotPermitted("x"), 2),
        (StageFailure("invoke", "timeout", "x"), 3),
        (ToolFailure("x"), 3),
        (AloiError("x"), 3),
        (OSError(28, "No space left on device"), 3),
        (ValueError("x"), 3),
    ],
)
def test_codes(error: Exception, code: int) -> None:
    assert code_of(error) == code


def test_a_group_of_one_is_what_it_holds() -> None:
    inner = InvalidInput("x")
    assert only_cause(ExceptionGroup("outer", [ExceptionGroup("inner", [inner])])) is inner
    two = ExceptionGroup("two", [inner, ValueError()])
    assert only_cause(two) is two


def test_lines() -> None:
    assert line_of(InvalidInput("suite.yaml:3: a\nsuite.yaml:4: b")) == "suite.yaml:3: a\nsuite.yaml:4: b"
    assert line_of(InvalidInput("a\x1b[31mb")) == "a [31mb"
    assert line_of(OSError(28, "No space left on device", "/x")) == "No space left on device: /x"
    assert line_of(OSError(28, "No space left on device")) == "No space left on device"
    assert line_of(ValueError("x")) == "unexpectedly, ValueError: x. Set ALOI_DEBUG=1 to see the traceback."


def test_telling_goes_to_the_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert tell(NotFound("there is no run 'x'")) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "Error: there is no run 'x'\n")
