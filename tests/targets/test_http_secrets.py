"""The secrets of the `http` target: taken from the environment, and shown nowhere."""

import json

import pytest
from pydantic import JsonValue

from aloi.core.errors import InvalidInput
from aloi.core.target import HttpReply, Target
from aloi.plugins import build
from aloi.targets.http import Http
from tests.targets.http_calls import ENVIRON, Call, reply_of


async def test_headers_take_secrets_from_the_environment() -> None:
    call = Call(headers={"Authorization": "Bearer ${TOKEN}", "X-Plain": "as it is"})
    await call.invoke()
    assert call.request.headers["Authorization"] == "Bearer t0p-secret"
    assert call.request.headers["X-Plain"] == "as it is"
    assert "t0p-secret" not in call.recorder.trace().model_dump_json()
    assert "t0p-secret" not in json.dumps(call.target.to_spec())


async def test_a_missing_variable_is_named_and_nothing_is_sent() -> None:
    call = Call(headers={"X": "${NO_SUCH}"})
    failure = await call.failure()
    assert (failure.type, call.door.sent) == ("no_key", [])
    assert "NO_SUCH" in failure.message


async def test_a_secret_that_is_repeated_in_an_error_does_not_show() -> None:
    call = Call(reply_of(b"bad token t0p-secret", 403), headers={"X": "${TOKEN}"})
    assert "t0p-secret" not in (await call.failure()).message
    assert "t0p-secret" not in call.recorder.trace().model_dump_json()


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (reply_of(b"you sent t0p-secret", media="text/plain"), "you sent [TOKEN]"),
        (reply_of({"t0p-secret": ["Bearer t0p-secret", 1]}), {"[TOKEN]": ["Bearer [TOKEN]", 1]}),
        (reply_of({"SHORT": "abc"}), {"SHORT": "abc"}),
    ],
)
async def test_a_secret_that_is_repeated_in_the_answer_does_not_show(reply: HttpReply, answer: JsonValue) -> None:
    call = Call(reply, headers={"X": "${TOKEN} ${SHORT}"})
    assert (await call.invoke()).output == answer


async def test_an_error_is_not_cut_within_a_secret() -> None:
    call = Call(reply_of(b" ".join([b"x" * 293, b"t0p-secret"]), 500), headers={"X": "${TOKEN}"})
    assert "t0p" not in (await call.failure()).message


@pytest.mark.parametrize(
    ("name", "fault"),
    [("BROKEN", "a line break"), ("ACCENT", "not ASCII"), ("CONTROL", "a control character")],
)
async def test_a_value_that_no_header_can_carry(name: str, fault: str) -> None:
    call = Call(headers={"X": f"${{{name}}}"})
    failure = await call.failure()
    assert (failure.type, call.door.sent) == ("bad_key", [])
    assert f"the key in {name} holds " in failure.message
    assert fault in failure.message
    assert ENVIRON[name][:3] not in failure.message


async def test_a_line_break_at_the_end_of_a_value_is_not_sent() -> None:
    call = Call(headers={"X": "<${FROM_FILE}>"})
    await call.invoke()
    assert call.request.headers["X"] == "<t0p-secret>"


@pytest.mark.parametrize("name", ["Authorization", "proxy-authorization", "X-API-Key", "api-key", "Cookie"])
@pytest.mark.parametrize("value", ["Bearer t0p-secret", "$TOKEN", "{{TOKEN}}"])
def test_a_secret_in_the_definition_is_refused(name: str, value: str) -> None:
    with pytest.raises(InvalidInput, match=rf"the value of {name} .* write the secret as \$\{{NAME\}}") as caught:
        build("targets", {"kind": "http", "url": "https://example.org/", "headers": {name: value}}, Target)
    assert value not in str(caught.value)


@pytest.mark.parametrize("headers", [{"Authorization": " "}, {"Cookie": "id=${TOKEN}"}, {"Accept": "text/plain"}])
def test_headers_that_hold_no_secret(headers: dict[str, str]) -> None:
    assert Http.model_validate({"url": "https://example.org/", "headers": headers}).headers == headers
