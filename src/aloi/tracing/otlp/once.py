"""Each turn of a model and each call of a tool once, however many instrumentations tell it."""

from collections.abc import Iterable, Mapping, Sequence

from aloi.core.trace import (
    INPUT_MESSAGES,
    INPUT_TOKENS,
    OPERATION,
    OUTPUT_MESSAGES,
    OUTPUT_TOKENS,
    TOOL_ARGUMENTS,
    TOOL_CALL_ID,
    TOOL_NAME,
    TOOL_RESULT,
    Span,
)
from aloi.core.trajectory import depths

OF_A_TURN = (INPUT_MESSAGES, OUTPUT_MESSAGES, INPUT_TOKENS, OUTPUT_TOKENS)
OF_A_CALL = (TOOL_ARGUMENTS, TOOL_RESULT, TOOL_CALL_ID)
# What lies below one of these is work of its own.
APART = ("chat", "execute_tool", "invoke_agent")
MCP_METHOD = "mcp.method.name"


def once(spans: Sequence[Span]) -> list[Span]:
    """The spans, of which those that only repeat others are no work any more.

    Of turns within turns the innermost count. Of calls within calls of the same tool the outermost counts, as that is
    the one that the model asked for. What it does not tell itself is taken from the one that repeats it.
    """
    by_id = {span.span_id: span for span in spans}
    inside = _inside(by_id)
    if not inside:
        return list(spans)
    depth = depths(by_id)
    for outer_id in sorted(inside, key=lambda span_id: depth(by_id[span_id])):
        if by_id[outer_id].operation == "chat":
            _keep_inner(by_id, outer_id, inside[outer_id])
    for outer_id in sorted(inside, key=lambda span_id: -depth(by_id[span_id])):
        if by_id[outer_id].operation == "execute_tool":
            _keep_outer(by_id, outer_id, inside[outer_id])
    return [by_id[span.span_id] for span in spans]


def _inside(by_id: Mapping[str, Span]) -> dict[str, list[str]]:
    """By the id of a turn or a call, the ids of those right below it that tell the same."""
    above = works_above(by_id.values())
    found: dict[str, list[str]] = {}
    for span_id, outer in above.items():
        if outer is not None and outer.span_id != span_id and _tells_the_same(outer, by_id[span_id]):
            found.setdefault(outer.span_id, []).append(span_id)
    return found


def _tells_the_same(outer: Span, inner: Span) -> bool:
    if outer.operation != inner.operation:
        return False
    if inner.operation == "chat":
        return True
    given, told = outer.attributes, inner.attributes
    of_one_call = given.get(TOOL_CALL_ID) is not None and given.get(TOOL_CALL_ID) == told.get(TOOL_CALL_ID)
    same_tool = given.get(TOOL_NAME) == told.get(TOOL_NAME) or MCP_METHOD in told
    return inner.operation == "execute_tool" and (of_one_call or same_tool)


def _keep_inner(by_id: dict[str, Span], outer_id: str, inner: Sequence[str]) -> None:
    outer = by_id[outer_id]
    if len(inner) == 1:
        by_id[inner[0]] = _filled(by_id[inner[0]], outer, OF_A_TURN)
    by_id[outer_id] = _idle(outer)


def _keep_outer(by_id: dict[str, Span], outer_id: str, inner: Sequence[str]) -> None:
    if len(inner) == 1:
        by_id[outer_id] = _filled(by_id[outer_id], by_id[inner[0]], OF_A_CALL)
    for span_id in inner:
        by_id[span_id] = _idle(by_id[span_id])


def _filled(span: Span, other: Span, names: Sequence[str]) -> Span:
    """The span with what it lacks of the attributes and the other has."""
    told = {name: other.attributes[name] for name in names if name in other.attributes}
    return span.model_copy(update={"attributes": {**told, **span.attributes}})


def _idle(span: Span) -> Span:
    kept = {name: value for name, value in span.attributes.items() if name != OPERATION}
    return span.model_copy(update={"attributes": kept})


def works_above(spans: Iterable[Span]) -> dict[str, Span | None]:
    """By the id of each span, the nearest one above it that is a turn, a call or an agent. Each is looked at once."""
    by_id = {span.span_id: span for span in spans}
    found: dict[str, Span | None] = {}
    for span in by_id.values():
        chain: list[Span] = []
        at: Span | None = span
        while at is not None and at.span_id not in found:
            found[at.span_id] = None  # where spans lie in a circle, it ends here
            chain.append(at)
            at = by_id.get(at.parent_id or "")
        work = None if at is None else _work(at, found)
        for one in reversed(chain):
            found[one.span_id] = work
            work = _work(one, found)
    return found


def _work(span: Span, above: Mapping[str, Span | None]) -> Span | None:
    return span if span.operation in APART else above[span.span_id]
