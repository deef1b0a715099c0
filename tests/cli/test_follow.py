from aloi.cli.follow import opening
from tests.cli.made import made_run, passing


def test_the_opening_says_what_is_about_to_happen() -> None:
    assert opening(made_run(passing("a"))) == (
        "1 case of Refunds against support-agent@3, judge openai:judge (3 samples); run 01a22bad-96b0"
    )
    assert opening(made_run(passing("a"), trials=2, total=2)).startswith("2 results of Refunds")
