"""Asking again: the unusable reply and what is wrong with it stand behind the question."""

import pytest

from aloi.core.chat import ChatMessage, ChatReply, ChatRequest
from aloi.core.mending import ECHO_LIMIT, asked_again

QUESTION = (ChatMessage("system", "Answer."), ChatMessage("user", "What?"))


def test_the_reply_and_its_fault_are_told() -> None:
    request = ChatRequest(QUESTION, output_schema={"type": "object"})
    again = asked_again(request, ChatReply(text="7" * (ECHO_LIMIT + 1)), "it is a number")
    assert again.messages[:2] == QUESTION
    assert [message.role for message in again.messages[2:]] == ["assistant", "user"]
    assert again.messages[2].content == "7" * ECHO_LIMIT
    assert "it is a number" in again.messages[3].content
    assert again.output_schema == request.output_schema


def test_only_the_last_reply_is_told() -> None:
    once = asked_again(ChatRequest(QUESTION), ChatReply(text="first"), "no")
    twice = asked_again(once, ChatReply(text="second"), "no again")
    assert [message.content for message in twice.messages[:3]] == ["Answer.", "What?", "second"]
    assert len(twice.messages) == 4


@pytest.mark.parametrize("reply", [ChatReply(text=None), ChatReply(text=" \n"), ChatReply(text="x", refusal="no")])
def test_without_a_text_the_question_is_asked_as_it_was(reply: ChatReply) -> None:
    asked = asked_again(ChatRequest(QUESTION), ChatReply(text="first"), "no")
    assert asked_again(asked, reply, "empty").messages == QUESTION
