"""What kinds there are of evaluators, targets and tools, each with the JSON schema that its form is drawn from."""

from fastapi import APIRouter

from aloi.api.access import Viewer
from aloi.core.definition_check import DefinitionCheck, DefinitionText
from aloi.core.listing import KindInfo
from aloi.service import kinds
from aloi.service.suites import definitions

router = APIRouter(tags=["kinds"])


@router.get("/eval/evaluator-kinds")
async def list_evaluator_kinds(context: Viewer) -> list[KindInfo]:
    """Every kind of evaluator."""
    return kinds.described(context, "evaluators")


@router.get("/target-kinds")
async def list_target_kinds(context: Viewer) -> list[KindInfo]:
    """Every kind of target."""
    return kinds.described(context, "targets")


@router.post("/target-kinds/{kind}/check")
async def check_definition(context: Viewer, kind: str, body: DefinitionText) -> DefinitionCheck:
    """Say what is wrong with the text of a definition, YAML or JSON, line by line; nothing is saved."""
    return definitions.check(context, kind, body.text)


@router.get("/tool-kinds")
async def list_tool_kinds(context: Viewer) -> list[KindInfo]:
    """Every built-in tool of agents."""
    return kinds.described(context, "tools")
