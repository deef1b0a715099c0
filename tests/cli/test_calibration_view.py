import io

from aloi.cli.calibration_view import render_calibrations
from aloi.cli.terminal import console
from aloi.core.calibration import Calibration, calibration
from tests.core.test_calibration import judged, tally


def text_of(*found: Calibration) -> str:
    file = io.StringIO()
    for part in render_calibrations(found):
        console(width=80, file=file).print(part)
    return file.getvalue()


def test_a_judge_with_its_figures() -> None:
    counted = tally(tp=45, fp=10, fn=5, tn=40, y3of3=6, y2of3=2)
    counted.left_out = 4
    counted.runs = [judged(70, 100), judged(0, 0)]
    text = text_of(calibration(counted))
    assert max(map(len, text.splitlines())) <= 80
    assert text.startswith("j  llm_judge by openai:judge\n")
    for line in (
        "100 results, 4 more were not decided by this judge alone",
        "45/50, 90% (95% CI 79–96%)",
        "40/50, 80% (95% CI 67–89%)",
        "0.70 (95% CI 0.56 to 0.84)",
        "2 of 8 results with samples that disagree",
        "support-agent@3 100/100 70% 71% (95% CI 55–89%)",
        "nothing judged",
        "no result of this run was decided by this judge alone",
    ):
        assert line in " ".join(text.split()), line


def test_a_judge_of_whom_nothing_is_known() -> None:
    text = text_of(calibration(tally()))
    assert "– (no such label)" in text
    assert "kappa" not in text and "itself" not in text


def test_a_judge_that_always_agrees_with_itself() -> None:
    assert "always: all samples of 3 results agree" in text_of(calibration(tally(y2of2=3)))


def test_judges_stand_one_below_the_other() -> None:
    one = calibration(tally(y2of2=3))
    assert text_of(one, one).count("j  llm_judge by openai:judge\n") == 2
