"""Scoring one output with one evaluator, outside of any run."""

from fastapi import APIRouter

from aloi.api.access import Editor
from aloi.core.grading import GradeRequest
from aloi.core.score import Score
from aloi.service import grading

router = APIRouter(tags=["evaluators"])


@router.post("/eval/grade")
async def grade(context: Editor, body: GradeRequest) -> Score:
    """Score one output. Nothing is stored but what a judge used."""
    return await grading.grade(context, body)
