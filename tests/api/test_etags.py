"""ETags."""

import pytest
from fastapi import Response

from aloi.api.etags import tag, wanted
from aloi.core.access import Workspace
from aloi.core.identity import etag

THING = Workspace(id="1", name="é")


def test_an_answer_has_the_tag_of_its_object() -> None:
    response = Response()
    tag(response, THING)
    assert response.headers["ETag"] == f'"{etag(THING)}"'
    assert wanted(response.headers["ETag"]) == etag(THING)
    assert etag(THING.model_copy(update={"name": "e"})) != etag(THING)


@pytest.mark.parametrize(
    ("header", "bare"),
    [(None, None), ("*", None), (" * ", None), ('"abc"', "abc"), ('W/"abc"', "abc"), ("abc", "abc"), ("", "")],
)
def test_what_a_caller_names(header: str | None, bare: str | None) -> None:
    assert wanted(header) == bare
