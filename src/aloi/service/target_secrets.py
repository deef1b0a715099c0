"""What of the environment a target is told, so that nothing repeats it."""

from aloi.core.target import Target
from aloi.llm.openai import known_keys
from aloi.service.context import Context


def secrets_of(context: Context, target: Target) -> dict[str, str]:
    """What a target is told of the environment, by the names of the variables."""
    named = {key.variable: context.environ.get(key.variable, "").strip() for key in target.named_keys()}
    for model in target.models():
        named |= known_keys(model, context.environ)
    return named
