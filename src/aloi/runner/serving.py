"""Simulated tools for targets that run elsewhere: served while one invocation goes on, and what came of it."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from aloi.core.case import Case
from aloi.core.errors import StageFailure
from aloi.core.outcome import Failure, Outcome
from aloi.core.served import ServedCall, ServedTool, served_spans
from aloi.core.simulation import Simulations, simulations_of_case
from aloi.core.spec import JsonObject
from aloi.core.target import Target

ANY_OBJECT: JsonObject = {"type": "object"}


class Session(Protocol):
    """Tools that are being served."""

    @property
    def url(self) -> str:
        """Where they are: the address of an MCP server that nobody can guess."""
        ...

    @property
    def calls(self) -> tuple[ServedCall, ...]:
        """The calls that were made of them, in their order; known when the session is over."""
        ...


class Serving(Protocol):
    """Serves tools by MCP. The runner knows no more of it: where the calls are kept is not its business."""

    def session(self, tools: tuple[ServedTool, ...], seconds: float) -> AbstractAsyncContextManager[Session]:
        """Serve tools while the block goes on, `seconds` at most.

        Raises:
            AloiError: they cannot be served, or at the end: what was called cannot be read.
        """
        ...


class _NotServing:
    """Where nothing can be served."""

    def session(self, tools: tuple[ServedTool, ...], seconds: float) -> AbstractAsyncContextManager[Session]:
        """Refuses."""
        raise StageFailure("invoke", "not_supported", "no server is set up here that could serve simulated tools")


NOT_SERVING: Serving = _NotServing()


def tools_to_serve(target: Target, dataset: Simulations, case: Case) -> tuple[ServedTool, ...]:
    """The tools of a target elsewhere that are simulated for a case; none for a target that runs here.

    Args:
        dataset: the dataset's simulations; the case's own replace them.
    """
    if target.elsewhere() is None:
        return ()
    simulations = simulations_of_case(dataset, case.simulations)
    return tuple(
        ServedTool(
            name=tool.name,
            description=tool.description,
            input_schema=tool.input_schema or ANY_OBJECT,
            output_schema=tool.output_schema,
            simulation=simulations[tool.name],
        )
        for tool in target.components()
        if tool.name in simulations
    )


def with_calls(outcome: Outcome, calls: tuple[ServedCall, ...]) -> Outcome:
    """An outcome with the calls that were served meanwhile: in its trace, and in what writing their answers used.

    A simulation that had no answer makes it a failure, as it does where the tools are called in this process: what the
    agent did next, it did not do in the world that the case describes.
    """
    if not calls:
        return outcome
    used = sum((call.usage for call in calls), start=outcome.simulation_usage)
    changes: dict[str, object] = {"simulation_usage": used, **_traced(outcome, calls)}
    broken = next((call for call in calls if call.broken), None)
    if broken is not None:
        failure = Failure(stage="invoke", type="simulation", message=broken.error or "")
        changes |= {"failure": failure, "output": None}
    return outcome.model_copy(update=changes)


def _traced(outcome: Outcome, calls: tuple[ServedCall, ...]) -> dict[str, object]:
    trace = outcome.trace
    if trace is None:
        return {}
    request = next((span.span_id for span in trace.spans if span.parent_id is None), None)
    spans = (*trace.spans, *served_spans(calls, request))
    return {"trace": trace.model_copy(update={"spans": spans})}
