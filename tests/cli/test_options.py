import pytest

from aloi.cli.options import outputs
from aloi.core.errors import InvalidInput
from tests.cli.conftest import Aloi


def test_the_files_that_were_asked_for() -> None:
    assert outputs(None, "-", None, "x.html").files == (("json", "-"), ("html", "x.html"))
    with pytest.raises(InvalidInput):
        outputs("-", "-", None, None)


@pytest.mark.parametrize("share", ["0", "80", "-0.1", "nan", "x"])
def test_a_pass_rate_is_a_share(aloi: Aloi, share: str) -> None:
    ended = aloi("runs", "resume", "latest", f"--min-pass-rate={share}")
    assert ended.code == 2
    assert "--min-pass-rate" in ended.err
