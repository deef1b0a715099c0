"""Which models can be used here."""

from fastapi import APIRouter

from aloi.api.access import Viewer
from aloi.core.model_info import ModelsInfo
from aloi.service import models

router = APIRouter(tags=["workspace"])


@router.get("/models")
async def get_models(context: Viewer) -> ModelsInfo:
    """The default model and judge, and which providers' keys are set. Keys themselves are never told."""
    return models.info(context)
