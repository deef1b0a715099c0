"""Which models can be used here, for settings and for suggestions in forms."""

from urllib.parse import urlsplit, urlunsplit

from aloi.core.errors import NotPermitted
from aloi.core.keys import NamedKey
from aloi.core.model_info import DefaultModel, ModelsInfo, ProviderKey
from aloi.service.context import Context

# The usual ones; any other that the agent engine knows can be used as well.
PROVIDERS = {
    "anthropic": "ANTHROPIC_API_KEY",
    "cohere": "CO_API_KEY",
    "deepseek": "DEEPSEEK_API_KEY",
    "google": "GOOGLE_API_KEY",
    "groq": "GROQ_API_KEY",
    "mistral": "MISTRAL_API_KEY",
    "openai": "OPENAI_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
    "xai": "XAI_API_KEY",
}


def info(context: Context) -> ModelsInfo:
    """The default models by name and address, and the providers whose key is set; never a key."""
    settings = context.settings
    return ModelsInfo(
        model=_default(context, settings.model),
        judge=_default(context, settings.judge_model or settings.model),
        providers=tuple(_provider(context, name, variable) for name, variable in PROVIDERS.items()),
    )


def _default(context: Context, name: str | None) -> DefaultModel | None:
    if name is None:
        return None
    return DefaultModel(model=name, base_url=_without_user(context.settings.base_url))


def _without_user(address: str | None) -> str | None:
    """An address less a user and password in it."""
    if address is None:
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment=""))


def _provider(context: Context, name: str, variable: str) -> ProviderKey:
    try:
        context.keys.check([NamedKey(variable=variable)])
        permitted = True
    except NotPermitted:
        permitted = False
    is_set = bool(context.environ.get(variable, "").strip())
    return ProviderKey(provider=name, variable=variable, is_set=is_set, permitted=permitted)
