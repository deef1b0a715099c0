"""Texts of results, and what no report can hold."""

from aloi.reports.plain import encodable, explanation, output_text, reason, xml_text
from tests.reports.runs import answered, disagreed, score, silent, ungraded


def test_what_xml_cannot_hold_is_replaced() -> None:
    assert xml_text("a\0b\x0bc\ud800d\ufffee\tf\r\n😀") == "a\ufffdb\ufffdc\ufffdd\ufffde\tf\r\n😀"
    assert encodable("a\0\ud800") == "a\0\ufffd"


def test_outputs_are_text_and_cut_with_their_length() -> None:
    assert output_text({"a": "é"}, 100) == '{"a": "é"}'
    assert output_text("x" * 1001, 1000) == "x" * 1000 + "… (1,001 characters)"


def test_why_a_result_is_what_it_is() -> None:
    assert (reason(answered("a", "x", score(True))), explanation(silent("a", "m"))) == ("", "invoke timeout: m")
    assert reason(answered("a", "x", score(False, "info", weight=0), score(False, "no"))) == "contains: no"
    assert explanation(disagreed("a")) == "behavior_judge: pass (0.666667), judge disagreed: 2 of 3 samples pass"
    assert explanation(ungraded("a")) == "llm_judge: error: judge sample 2 of 3: no verdict"
