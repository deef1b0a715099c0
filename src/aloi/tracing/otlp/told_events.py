"""Messages that are told as events: of a span, or in one attribute (pydantic-ai's format 1).

Sources: OpenTelemetry GenAI semantic conventions, 1.27 to 1.38 (`gen_ai.user.message`, `gen_ai.choice`, ... and
`gen_ai.client.inference.operation.details`); OpenLLMetry (`gen_ai.content.prompt`); Azure AI (`gen_ai.event.content`).
"""

import re
from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from aloi.core.spec import JsonObject
from aloi.core.trace import INPUT_MESSAGES, INSTRUCTIONS, OUTPUT_MESSAGES
from aloi.tracing.otlp.messages import message, messages, read
from aloi.tracing.otlp.raw import Event

ROLE = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message")
CHOICE = "gen_ai.choice"
DETAILS = "gen_ai.client.inference.operation.details"
WHOLE = {"gen_ai.content.prompt": ("gen_ai.prompt", INPUT_MESSAGES),
         "gen_ai.content.completion": ("gen_ai.completion", OUTPUT_MESSAGES)}  # fmt: skip
BODY = "gen_ai.event.content"


def in_attribute(value: JsonValue) -> Sequence[Event]:
    """The events that stand in an attribute as a JSON list."""
    found = read(value)
    return [
        Event(str(event.get("event.name", "")), event)
        for event in (found if isinstance(found, list) else [])
        if isinstance(event, dict)
    ]


def add(found: JsonObject, events: Iterable[Event]) -> None:
    """Add what events tell to the attributes of a span, in place, where they do not tell it themselves."""
    asked: list[JsonValue] = []
    answered: list[JsonValue] = []
    for name, given in events:
        if name == DETAILS:
            for attribute in (INSTRUCTIONS, INPUT_MESSAGES, OUTPUT_MESSAGES):
                if attribute in given:
                    found.setdefault(attribute, given[attribute])
        elif name in WHOLE:
            key, attribute = WHOLE[name]
            found.setdefault(attribute, messages(given.get(key)))
        elif name == CHOICE:
            answered.append(_chosen(_body(given)))
        elif (role := ROLE.fullmatch(name)) is not None:
            asked.append(message(_body(given), role[1]))
    for attribute, told in ((INPUT_MESSAGES, asked), (OUTPUT_MESSAGES, answered)):
        if told:
            found.setdefault(attribute, told)


def _body(given: JsonObject) -> JsonObject:
    """What an event says: its attributes, with those in one JSON text among them."""
    inside = read(given.get(BODY))
    return {**given, **inside} if isinstance(inside, dict) else given


def _chosen(given: JsonObject) -> JsonObject:
    said = given.get("message")
    if isinstance(inside := read(said), dict):
        return message(inside, "assistant")
    return message(given if said is None else {"content": said}, "assistant")
