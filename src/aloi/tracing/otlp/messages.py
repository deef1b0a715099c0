"""Messages of a conversation, as exporters write them, in the form of the GenAI conventions: a role with its parts."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from aloi.core.json_values import answer_fault, storable
from aloi.core.spec import JsonObject
from aloi.core.trajectory import parsed


def read(value: JsonValue) -> JsonValue:
    """A text that is JSON as its value; any other, and one that could not be stored again, as it is."""
    found = parsed(value)
    return value if found is not value and answer_fault([found]) else storable(found)


def messages(value: JsonValue) -> JsonValue:
    """What an attribute holds as the messages of a conversation; those that have their form stay as they are."""
    found = read(value)
    items = found if isinstance(found, list) else [found]
    told = [_message(item) for item in items]
    if any(item is None for item in told):
        return [{"role": None, "parts": [text(value)]}]  # a text, and no conversation
    return [item for item in told if item is not None]


def _message(item: JsonValue) -> JsonObject | None:
    if not isinstance(item, dict) or not item.keys() & {"parts", "role", "content"}:
        return None
    return item if "parts" in item else message(item)


def message(given: Mapping[str, JsonValue], role: JsonValue = None) -> JsonObject:
    """A message that is written as `content` and `tool_calls`; `role` counts where it gives none."""
    found: list[JsonValue] = [*_parts(given.get("content"))]
    calls = read(given.get("tool_calls"))
    found += [_asked(call) for call in (calls if isinstance(calls, list) else []) if isinstance(call, dict)]
    return {"role": given.get("role") or role, "parts": found}


def text(content: JsonValue) -> JsonObject:
    """A part that is text."""
    return {"type": "text", "content": content}


def tool_call(call_id: JsonValue, name: JsonValue, arguments: JsonValue) -> JsonObject:
    """A part that asks for a call of a tool."""
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": read(arguments)}


def _parts(content: JsonValue) -> Iterator[JsonObject]:
    """The parts of a content: a text, or a list of blocks in the words of one provider or another."""
    if content is None or content == "":
        return
    blocks = read(content) if isinstance(content, str) and content.startswith("[") else content
    if not isinstance(blocks, list) or not blocks or not all(_is_block(block) for block in blocks):
        yield text(content)
        return
    for block in blocks:
        if isinstance(block, dict):
            yield from _part(block)


def _is_block(block: JsonValue) -> bool:
    return isinstance(block, dict) and bool(block.keys() & {"type", "text", "toolUse", "toolResult"})


def _part(block: JsonObject) -> Iterator[JsonObject]:
    asked = block.get("toolUse")
    if isinstance(asked, dict):
        yield tool_call(asked.get("toolUseId"), asked.get("name"), asked.get("input"))
    elif block.get("type") == "tool_use":
        yield tool_call(block.get("id"), block.get("name"), block.get("input"))
    elif "text" in block:
        yield text(block["text"])
    elif "type" in block and "content" in block:
        yield block


def _asked(call: JsonObject) -> JsonObject:
    function = call.get("function")
    said = function if isinstance(function, dict) else call
    return tool_call(call.get("id"), said.get("name"), said.get("arguments", said.get("args")))
