"""Which models a workspace can use, as its settings show them: never a key, only whether one is set."""

from aloi.core.spec import Value


class DefaultModel(Value):
    """A model that the operator has set: `provider:model`, and its endpoint's address (null for the provider's own)."""

    model: str
    base_url: str | None


class ProviderKey(Value):
    """A provider of models, the environment variable that holds its key, and whether a definition can use it here."""

    provider: str
    variable: str
    is_set: bool
    permitted: bool


class ModelsInfo(Value):
    """The default model and the default judge, null where none is set, and the providers that are known by name."""

    model: DefaultModel | None
    judge: DefaultModel | None
    providers: tuple[ProviderKey, ...]
