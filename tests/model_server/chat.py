"""The body of a chat request, with the few questions that a behaviour asks of it."""

from typing import Any

Json = dict[str, Any]


class ChatRequestBody(dict[str, Any]):
    """The parsed JSON body of `POST /v1/chat/completions`: a plain dict, plus named readings of it."""

    @property
    def model(self) -> str:
        """The name of the model, which chooses the behaviour."""
        return str(self.get("model", ""))

    @property
    def messages(self) -> list[Json]:
        """The messages, oldest first."""
        return self.get("messages") or []

    @property
    def stream(self) -> bool:
        """Whether the answer goes out as server-sent events."""
        return bool(self.get("stream"))

    @property
    def wants_stream_usage(self) -> bool:
        """Whether a stream ends with a chunk of usage, as the protocol does only when asked."""
        return bool((self.get("stream_options") or {}).get("include_usage"))

    @property
    def prompt(self) -> str:
        """The text of the last user message; empty when there is none."""
        for message in reversed(self.messages):
            if message.get("role") == "user":
                return text_of(message)
        return ""

    @property
    def instructions(self) -> str:
        """The texts of the system messages, one after the other; empty when there are none."""
        return "\n".join(text_of(message) for message in self.messages if message.get("role") == "system")

    @property
    def turn(self) -> list[Json]:
        """The messages after the last user message: the tool calls and tool results so far."""
        messages = self.messages
        for index in range(len(messages) - 1, -1, -1):
            if messages[index].get("role") == "user":
                return messages[index + 1 :]
        return messages

    @property
    def tool_results(self) -> list[str]:
        """The texts of the tool messages of this turn, oldest first."""
        return [text_of(message) for message in self.turn if message.get("role") == "tool"]

    @property
    def tool_rounds(self) -> int:
        """How many times the model asked for tools in this turn."""
        return sum(1 for message in self.turn if message.get("tool_calls"))

    @property
    def tools(self) -> list[Json]:
        """The functions offered: each has a `name` and, often, `parameters` (a JSON schema)."""
        return [tool["function"] for tool in self.get("tools") or []]

    @property
    def answer_tool(self) -> Json | None:
        """The function that carries a structured answer: the forced one, else the last offered; None when none may be.

        Clients offer the tool of the answer after the ordinary tools, and some cannot force it: so the last is right
        for "required" and "auto" alike.
        """
        choice = self.get("tool_choice")
        if choice == "none" or not self.tools:
            return None
        if isinstance(choice, dict):
            return next((tool for tool in self.tools if tool["name"] == choice["function"]["name"]), None)
        return self.tools[-1]

    @property
    def response_schema(self) -> Json | None:
        """The JSON schema of `response_format`; None when it asks for none."""
        response_format = self.get("response_format") or {}
        return (response_format.get("json_schema") or {}).get("schema")

    @property
    def words(self) -> int:
        """The number of words of all messages: this server's prompt tokens."""
        return sum(len(text_of(message).split()) for message in self.messages)


def text_of(message: Json) -> str:
    """Return the text of a message whose content is a string, a list of parts, or null."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content or [])
