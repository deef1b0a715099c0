"""What a good model does, chosen by the name of the model: `NAME` or `NAME:ARGUMENT`."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tests.model_server.chat import ChatRequestBody, Json
from tests.model_server.fill import TEXT, fill
from tests.model_server.reply import Answer, Reply, ToolCall
from tests.model_server.stats import Arrival


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a behaviour: the argument after its name, the body, and its place among the requests."""

    argument: str
    request: ChatRequestBody
    arrival: Arrival


RULE = re.compile(r"^When asked about (.+?): (.+)$", re.MULTILINE)

Behaviour: TypeAlias = Callable[[Call], Reply | Awaitable[Reply]]


def echo(call: Call) -> Reply:
    """`echo`: answers with the text of the last user message."""
    return Answer(call.request.prompt)


def fixed(call: Call) -> Reply:
    """`fixed:TEXT`, `raw:TEXT`: always answers TEXT."""
    return Answer(call.argument)


def obey(call: Call) -> Reply:
    """`obey`: answers by its instructions.

    Each line `When asked about WORD: TEXT` of them gives TEXT, if the prompt has the WORD; else `I do not know.`
    """
    asked = call.request.prompt.lower()
    known = [text for word, text in RULE.findall(call.request.instructions) if word.lower() in asked]
    return Answer(" ".join(known) or "I do not know.")


def no_usage(call: Call) -> Reply:
    """`no-usage`: echoes, but does not say how many tokens it used."""
    return Answer(call.request.prompt, usage=False)


def tool_once(call: Call) -> Reply:
    """`tool-once:NAME:{json arguments}`: calls the tool, then answers with its result."""
    name, _, arguments = call.argument.partition(":")
    if results := call.request.tool_results:
        return Answer(f"The answer is {results[-1]}.")
    return Answer(tool_calls=(ToolCall(name, arguments or "{}"),))


def tools(call: Call) -> Reply:
    """`tools:N`: calls the first tool offered in N rounds (with arguments that fit its schema), then answers."""
    request = call.request
    if request.tool_rounds < int(call.argument):
        return call_tool(request.tools[0] if request.tools else {"name": "tool"}, True, 1.0)
    result = request.tool_results[-1] if request.tool_results else request.prompt
    return Answer(f"The answer is {result}.")


def call_tool(tool: Json, passing: bool, score: float) -> Reply:
    """Call an offered function with arguments that fit its parameters."""
    arguments = fill(tool.get("parameters") or {"type": "object"}, passing, score)
    return Answer(tool_calls=(ToolCall(tool["name"], json.dumps(arguments)),))


def judge(request: ChatRequestBody, passing: bool, score: float) -> Reply:
    """Answer as a judge: in the schema of the response format, else by the tool of the answer, else in plain JSON."""
    if schema := request.response_schema:
        return Answer(json.dumps(fill(schema, passing, score)))
    if tool := request.answer_tool:
        return call_tool(tool, passing, score)
    return Answer(json.dumps({"reasoning": TEXT, "passed": passing, "score": score}))


def judge_pass(call: Call) -> Reply:
    """`judge-pass`: every verdict is pass, every score 1."""
    return judge(call.request, True, 1.0)


def judge_fail(call: Call) -> Reply:
    """`judge-fail`: every verdict is fail, every score 0."""
    return judge(call.request, False, 0.0)


def judge_alternate(call: Call) -> Reply:
    """`judge-alternate`: the first call to this model passes, the second fails, and so on."""
    return judge_pass(call) if call.arrival.of_model % 2 else judge_fail(call)


def judge_score(call: Call) -> Reply:
    """`judge-score:S`: every score is S (0..1); a verdict is pass when S is at least 0.5."""
    score = float(call.argument)
    return judge(call.request, score >= 0.5, score)


def judge_unless(call: Call) -> Reply:
    """`judge-unless:TEXT`: fails what holds TEXT, and passes everything else."""
    return judge_fail(call) if call.argument in call.request.prompt else judge_pass(call)


BEHAVIOURS: Mapping[str, Behaviour] = {
    "echo": echo,
    "fixed": fixed,
    "raw": fixed,
    "obey": obey,
    "no-usage": no_usage,
    "tool-once": tool_once,
    "tools": tools,
    "judge-pass": judge_pass,
    "judge-fail": judge_fail,
    "judge-alternate": judge_alternate,
    "judge-score": judge_score,
    "judge-unless": judge_unless,
}
