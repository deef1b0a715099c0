"""The HTML report stands alone, runs nothing, and shows what it is given as text."""

from hypothesis import given
from lxml import html

from aloi.core.wording import headline, meaning
from aloi.reports.html import write
from aloi.reports.plain import xml_text
from tests.reports.runs import ANY_TEXT, answered, run_of, score, silent, some, written


async def page() -> html.HtmlElement:
    return html.document_fromstring(await written(write, run_of(some()), some()))


def texts(element: html.HtmlElement, path: str) -> list[str]:
    return [" ".join(found.text_content().split()) for found in element.xpath(path)]


async def test_the_headline_and_what_it_means() -> None:
    summary = run_of(some()).summary
    assert summary is not None
    found = await page()
    assert texts(found, "//p[@class='headline']") == [headline(summary)]
    assert meaning(summary) in texts(found, "//p")
    assert texts(found, "//h1") == ["agent <1>@3 on Refunds & more"]
    (interval,) = found.xpath("//div[@class='interval']/@style")
    assert interval == f"left:{summary.interval.low:.2%};width:{summary.interval.high - summary.interval.low:.2%}"


async def test_warnings_and_facts() -> None:
    found = await page()
    assert texts(found, "//p[@class='warning']") == [
        "The judge is unstable on this suite: it disagreed with itself on 1 of 1 judged result.",
        "2 results in error: timeout (1), bad_reply (1).",
        "The rate is 40% if every error is a fail, and 80% if every error is a pass.",
    ]
    facts = dict(zip(texts(found, "//dt"), texts(found, "//dd"), strict=True))
    assert facts["Judge"] == "openai:judge, 3 samples"
    assert facts["Judging"] == "330 tokens in 3 calls (300 in, 30 out), cost unknown"
    assert facts["Target"] == "60 tokens in 4 calls (40 in, 20 out), cost $0.0040"


async def test_one_row_per_result_with_its_details() -> None:
    rows = (await page()).xpath("//tbody/tr")
    assert [texts(row, "td[position()<5]") for row in rows] == [
        ["good", "pass", "1.00", "1.25"],
        ["bad", "fail", "0.00", "1.25"],
        ["slow", "error", "", "30.00"],
        ["split", "pass", "0.67", "1.25"],
        ["odd", "error", "", "1.25"],
    ]
    assert texts(rows[1], ".//summary") == ["contains: no Paris in Rome"]
    assert texts(rows[2], ".//pre") == ["no answer within 30 s"]
    assert texts(rows[3], ".//ul/li/ul/li")[2] == "judge sample 3: fail (0): reason False"
    assert texts(rows[4], ".//pre") == ["judge sample 2 of 3: no verdict", "kept"]


async def test_nothing_is_loaded_or_run() -> None:
    nasty = '<script>alert(1)</script><img src=http://x.invalid/y onerror=alert(1)>\'" onload="'
    results = [answered(nasty, nasty, score(False, nasty)), silent(nasty, nasty)]
    run = run_of(results).model_copy(update={"dataset_name": nasty, "reason": nasty, "skipped": (nasty,)})
    text = await written(write, run, results)
    found = html.document_fromstring(text)
    assert found.xpath("//script | //img | //link | //iframe | //object | //@src | //@href") == []
    assert not [name for element in found.iter() for name in element.attrib if str(name).startswith("on")]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "default-src 'none'" in text
    assert "url(" not in text


@given(ANY_TEXT)
async def test_any_text_is_shown(text: str) -> None:
    results = [answered("k", f"[{text}]", score(True))]
    found = html.document_fromstring((await written(write, run_of(results), results)).encode())
    shown = found.find(".//pre")
    assert shown is not None
    assert shown.xpath("string()") == f"[{xml_text(text)}]".replace("\r\n", "\n").replace("\r", "\n")


async def test_long_outputs_are_cut() -> None:
    results = [answered("a", "x" * 1_000_000, score(True))]
    text = await written(write, run_of(results), results)
    assert "x… (1,000,000 characters)" in text
    assert len(text) < 40_000


async def test_a_run_that_is_not_finished() -> None:
    text = await written(write, run_of([]).model_copy(update={"summary": None}), [])
    assert "This run is completed." in text
