"""Asking a model again when its reply cannot be used."""

from aloi.core.chat import ChatMessage, ChatReply, ChatRequest
from aloi.core.fence import sendable

RETRIES = 2
FAULT_LIMIT = 500
ECHO_LIMIT = 4_000


def asked_again(request: ChatRequest, reply: ChatReply, fault: str) -> ChatRequest:
    """The same request, with the unusable reply and what is wrong with it behind it.

    Without a text there is nothing to mend and the request stays as it was: many endpoints take no empty message.

    Args:
        request: of a system and a user message; an earlier reply behind them goes.
        fault: in a few words.
    """
    original = request.messages[:2]
    if reply.refusal or not (reply.text and reply.text.strip()):
        return request._replace(messages=original)
    said = ChatMessage(role="assistant", content=sendable(reply.text[:ECHO_LIMIT]))
    mend = ChatMessage(
        role="user", content=f"That reply is not usable ({fault}). Reply with JSON that fits the schema, and no more."
    )
    return request._replace(messages=(*original, said, mend))
