"""Messages of a conversation, as exporters write them, in the form of the GenAI conventions: a role with its parts."""

from collections.abc import Iterable, Iterator, Mapping

from pydantic import JsonValue

from aloi.core.json_values import answer_fault, storable
from aloi.core.spec import JsonObject
from aloi.core.trajectory import message_text, parsed

# The roles as LangChain and Gemini call them.
ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "model": "assistant"}
KINDS = {**ROLES, "tool": "tool", "system": "system"}
PAIRED = (*KINDS, "user", "assistant")
CLASS = "Message"  # LangChain's: HumanMessage, AIMessage ...
# By what a block of a message is known, in the words of one provider or another.
CALLS = ("toolUse", "functionCall", "function_call")
ANSWERS = ("toolResult", "functionResponse", "function_response")
BLOCK = {"type", "text", *CALLS, *ANSWERS}
RESPONSE = "tool_call_response"


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
    if isinstance(item, list) and len(item) == 2 and isinstance(role := item[0], str) and role in PAIRED:
        return message({"role": role, "content": item[1]})  # LangChain takes a message as a pair too
    if not isinstance(item, dict):
        return None
    inside = item.get("kwargs", item.get("data"))  # LangChain writes its messages in one of two ways
    if isinstance(inside, dict) and item.keys() & {"lc", "type"}:
        return message({"type": _class(item), **inside})
    if item.get("type") in ("function_call", "function_call_output"):  # of OpenAI's Responses
        return {"role": "assistant" if "name" in item else "tool", "parts": [*_part(item)]}
    parts = item.get("parts")
    if isinstance(parts, list) and all(isinstance(part, dict) and "type" in part for part in parts):
        return item
    if isinstance(parts, list):
        return message({**item, "content": parts})
    return message(item) if item.keys() & {"role", "content"} else None


def _class(item: JsonObject) -> JsonValue:
    """What kind a message of LangChain is: `ai`, `human`, `tool` ..."""
    path = item.get("id")
    return str(path[-1]).partition(CLASS)[0].lower() if isinstance(path, list) and path else item.get("type")


def message(given: Mapping[str, JsonValue], role: JsonValue = None) -> JsonObject:
    """A message that is written as `content` and `tool_calls`; `role` counts where it gives none."""
    said = given.get("role") or role or KINDS.get(str(given.get("type")))
    role = ROLES.get(said, said) if isinstance(said, str) else said
    call_id = given.get("tool_call_id") or given.get("id")
    if role == "tool" and call_id is not None and not _blocks(given.get("content")):
        return {"role": role, "parts": [response(call_id, given.get("content"))]}
    found: list[JsonValue] = [*_parts(given.get("content"))]
    calls = read(given.get("tool_calls"))
    found += [_asked(call) for call in (calls if isinstance(calls, list) else []) if isinstance(call, dict)]
    return {"role": role, "parts": found}


def text(content: JsonValue) -> JsonObject:
    """A part that is text."""
    return {"type": "text", "content": content}


def tool_call(call_id: JsonValue, name: JsonValue, arguments: JsonValue) -> JsonObject:
    """A part that asks for a call of a tool."""
    return {"type": "tool_call", "id": call_id, "name": name, "arguments": read(arguments)}


def response(call_id: JsonValue, answer: JsonValue) -> JsonObject:
    """A part that says what a call of a tool gave."""
    return {"type": RESPONSE, "id": call_id, "response": answer}


def spoken(found: JsonValue) -> JsonValue:
    """What messages say: their text, else the first answer of a tool in them; null for neither."""
    words = message_text(found)
    return words if words is not None else next((part.get("response") for part in parts_of(found, RESPONSE)), None)


def parts_of(found: JsonValue, kind: str) -> Iterator[JsonObject]:
    """The parts of one kind in messages."""
    items = parsed(found)
    for item in items if isinstance(items, list) else []:
        parts = item.get("parts") if isinstance(item, dict) else None
        for part in parts if isinstance(parts, list) else []:
            if isinstance(part, dict) and part.get("type") == kind:
                yield part


def plain(content: JsonValue) -> JsonValue:
    """What a tool gave, without the blocks that MCP and some providers put a text in; null for none."""
    blocks = _blocks(content)
    texts = [block.get("text") for block in blocks]
    whole = texts and all(isinstance(one, str) for one in texts)
    return "\n".join(map(str, texts)) if whole else content


def _parts(content: JsonValue) -> Iterator[JsonObject]:
    """The parts of a content: a text, or a list of blocks in the words of one provider or another."""
    if content is None or content == "":
        return
    blocks = _blocks(content)
    if not blocks:
        yield text(content)
    for block in blocks:
        yield from _part(block)


def _blocks(content: JsonValue) -> list[JsonObject]:
    """The blocks that a content is made of; none where it is a text, or anything else."""
    found = read(content) if isinstance(content, str) and content.startswith("[") else content
    items = found if isinstance(found, list) else []
    blocks = [item for item in items if isinstance(item, dict) and item.keys() & BLOCK]
    return blocks if len(blocks) == len(items) else []


def _part(block: JsonObject) -> Iterator[JsonObject]:
    called = _inside(block, CALLS)
    answered = _inside(block, ANSWERS)
    kind = block.get("type")
    if called is not None:
        yield tool_call(_id(called), called.get("name"), called.get("input", called.get("args")))
    elif answered is not None:
        yield response(_id(answered), plain(answered.get("content", answered.get("response"))))
    elif kind in ("tool_use", "tool-call", "function_call"):
        arguments = block.get("input", block.get("args", block.get("arguments")))
        yield tool_call(_id(block), block.get("name", block.get("toolName")), arguments)
    elif kind in ("tool_result", "tool-result", "function_call_output"):
        answer = block.get("content", block.get("output", block.get("result")))
        told = answer.get("value") if isinstance(answer, dict) and answer.keys() == {"type", "value"} else answer
        yield response(_id(block), plain(told))
    elif "text" in block and kind not in ("reasoning", "thinking"):
        yield text(block["text"])
    elif "type" in block and "content" in block:
        yield block


def _inside(block: JsonObject, names: Iterable[str]) -> JsonObject | None:
    return next((inside for name in names if isinstance(inside := block.get(name), dict)), None)


def _id(block: JsonObject) -> JsonValue:
    """The id of a call, by any of its names."""
    names = ("toolUseId", "tool_use_id", "toolCallId", "call_id", "id")
    return next((block[name] for name in names if block.get(name) is not None), None)


def _asked(call: JsonObject) -> JsonObject:
    function = call.get("function")
    said = function if isinstance(function, dict) else call
    return tool_call(call.get("id"), said.get("name"), said.get("arguments", said.get("args")))
