"""What a gate says, as people read it at 80 columns."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from aloi.cli.figures import short_id, when
from aloi.cli.tables import table
from aloi.cli.terminal import one_line, plain
from aloi.core.gate import GateState, Override, PolicyState, Ruling, percent_text

NAME = 60
REASON = 400
STYLES = {Ruling.ALLOW: "green", Ruling.BELOW: "red", Ruling.UNDECIDED: "yellow"}
WORDS = {Ruling.ALLOW: "allowed", Ruling.BELOW: "refused", Ruling.UNDECIDED: "undecided"}


def render_gate(state: GateState) -> Iterator[RenderableType]:
    """Whether a version may become active, and each policy with its figures and its reason."""
    verdict = "may become active" if state.allowed else "may not become active"
    none = "" if state.policies else ": its gate has no policy"
    yield Text(plain(f"{state.target} {verdict}{none}."), style="bold")
    if state.policies:
        yield Text()
        yield policies_table(state.policies)


def policies_table(policies: Sequence[PolicyState]) -> RenderableType:
    """A row for each policy: dataset, rate, threshold, ruling, and why with what mends it."""
    shown = table("Dataset", "Passed", "Needed", "Ruling", "Why", whole=("Passed", "Needed", "Ruling"))
    shown.columns[0].max_width = 20
    for policy in policies:
        ruling = policy.decision.ruling
        said = Text(WORDS[ruling], style=STYLES[ruling]) if policy.enabled else Text("off", style="dim")
        why = policy.reason.removeprefix(f"{WORDS[ruling]}: ").removeprefix("off, ")
        shown.add_row(
            Text(one_line(policy.dataset_name, NAME)),
            _rate(policy),
            percent_text(policy.threshold),
            said,
            Text(one_line(f"{why}{_run(policy)}", REASON)),
        )
    return shown


def _rate(policy: PolicyState) -> str:
    decision = policy.decision
    total = decision.passed + decision.failed + decision.errors
    return f"{decision.passed}/{total}" if total else "–"


def _run(policy: PolicyState) -> str:
    return "" if policy.run is None else f" (run {short_id(policy.run.run_id)})"


def render_overrides(overrides: Sequence[Override]) -> RenderableType:
    """A row for each override: which version, when, who, why."""
    shown = table("Version", "When", "By", "Reason", whole=("When",))
    for override in overrides:
        row = (str(override.version), when(override.at), one_line(override.by, NAME), plain(override.reason))
        shown.add_row(*map(Text, row))
    return shown
