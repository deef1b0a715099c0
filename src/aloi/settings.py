"""What the operator sets, read once at the edges and passed down."""

from collections.abc import Mapping
from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field

from aloi.core.chat import ModelSpec
from aloi.core.spec import Value, valid

PREFIX = "ALOI_"
TRUTHS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False, "": False}


class Settings(Value):
    """Each field is the environment variable `ALOI_` and its name in capitals."""

    home: Path = Field(
        default_factory=lambda: user_data_path("aloi"),
        description="Data folder; default the platform's user data folder.",
    )
    database_url: str | None = Field(
        default=None,
        description="Database: a path, or `postgresql://USER:PASSWORD@HOST:PORT/NAME`; default SQLite in the home.",
    )
    model: str | None = Field(default=None, description="Model of the demo, and the default judge, `provider:model`.")
    judge_model: str | None = Field(default=None, description="Default judge; without it, `model`.")
    base_url: str | None = Field(default=None, description="OpenAI-compatible address of both default models.")
    api_key_env: str | None = Field(default=None, description="Name of the variable that holds their key.")
    allow_code: bool = Field(default=True, description="Whether `python` targets and evaluators may run here.")
    allow_hosts: frozenset[str] = Field(
        default=frozenset(), description="Private hosts that agents' tools may reach, separated by commas."
    )
    search_url: str | None = Field(default=None, description="SearXNG-compatible address for the web_search tool.")

    @property
    def database(self) -> str:
        """The address of the database."""
        return self.database_url or f"sqlite+aiosqlite:///{self.home / 'aloi.db'}"

    @property
    def default_judge(self) -> ModelSpec | None:
        """Who judges where nobody is named: the default judge, else the default model; null when neither is set.

        Raises:
            InvalidInput: the one that is set is no name of a model.
        """
        name = self.judge_model or self.model
        if name is None:
            return None
        given = {"model": name, "base_url": self.base_url, "api_key_env": self.api_key_env}
        return valid(ModelSpec, given, "ALOI_MODEL or ALOI_JUDGE_MODEL")


def read_settings(environ: Mapping[str, str]) -> Settings:
    """The settings that an environment holds.

    Raises:
        InvalidInput: a variable cannot be read; the message names it.
    """
    given: dict[str, object] = {}
    for name, field in Settings.model_fields.items():
        text = environ.get(PREFIX + name.upper())
        if text is not None and text != "":
            given[name] = _parsed(text, field.annotation)
    return valid(Settings, given, "the environment (variables ALOI_...)")


def _parsed(text: str, annotation: object) -> object:
    if annotation is bool:
        return TRUTHS.get(text.lower(), text)
    if annotation == frozenset[str]:
        return frozenset(part.strip() for part in text.split(",") if part.strip())
    return text
