"""What the operator sets, read once at the edges and passed down."""

from collections.abc import Mapping
from ipaddress import ip_network
from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field, SecretStr, field_validator

from aloi.core.chat import ModelSpec
from aloi.core.keys import KeyPolicy, host_of
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
    attachments: str | None = Field(
        default=None,
        description="Where attachments are stored: a folder's path, or `s3://BUCKET/PREFIX` with the usual `AWS_...` "
        "variables; default the folder `attachments` in the home.",
    )
    server: str | None = Field(
        default=None, description="Address of an Aloi server that the command line and the SDK work with."
    )
    api_key: SecretStr | None = Field(default=None, description="API key for that server; else `aloi login` is used.")
    public_url: str | None = Field(
        default=None,
        pattern=r"^https?://[^\s/?#]+/?$",
        description="Address under which people, and agents whose tools are simulated, reach `aloi serve` when a proxy "
        "stands before it, e.g. `https://aloi.example.org`.",
    )
    proxies: frozenset[str] = Field(
        default=frozenset({"127.0.0.1/32", "::1/128"}),
        description="Addresses or networks of that proxy, separated by commas, whose `X-Forwarded-For` and "
        "`X-Forwarded-Proto` are believed where `ALOI_PUBLIC_URL` is set; default this machine.",
    )
    model: str | None = Field(default=None, description="Model of the demo, and the default judge, `provider:model`.")
    judge_model: str | None = Field(default=None, description="Default judge; without it, `model`.")
    base_url: str | None = Field(default=None, description="OpenAI-compatible address of both default models.")
    api_key_env: str | None = Field(default=None, description="Name of the variable that holds their key.")
    allow_code: bool = Field(
        default=True,
        description="Whether `python` targets and evaluators may run; on a server only when it is set to true.",
    )
    allow_hosts: frozenset[str] = Field(
        default=frozenset(), description="Private hosts that agents' tools and webhooks may reach, separated by commas."
    )
    search_url: str | None = Field(default=None, description="SearXNG-compatible address for the web_search tool.")
    key_names: frozenset[str] = Field(
        default=frozenset({"*_API_KEY", "*_TOKEN"}),
        description="Variables that definitions may name on a server: shell patterns, separated by commas; default "
        "`*_API_KEY,*_TOKEN`. Names that begin with `ALOI_` never are.",
    )
    key_hosts: frozenset[str] = Field(
        default=frozenset(),
        description="Hosts that a server may send keys to, beside the model providers' own and this machine: shell "
        "patterns, separated by commas.",
    )

    trace_idle_seconds: float = Field(
        default=5.0,
        ge=0.1,
        le=3600,
        description="A trace that nothing came of for so long becomes an execution; later spans are added to it.",
    )

    @field_validator("proxies")
    @classmethod
    def _are_networks(cls, given: frozenset[str]) -> frozenset[str]:
        """Each as a network: `10.0.0.7` is `10.0.0.7/32`."""
        return frozenset(str(ip_network(text, strict=False)) for text in given)

    @property
    def database(self) -> str:
        """The address of the database."""
        return self.database_url or f"sqlite+aiosqlite:///{self.home / 'aloi.db'}"

    @property
    def attachments_address(self) -> str:
        """Where attachments are stored."""
        return self.attachments or str(self.home / "attachments")

    @property
    def key_policy(self) -> KeyPolicy:
        """What definitions may do with the environment on a server; the default models' own key and address are in."""
        own_host = host_of(self.base_url) if self.base_url else None
        return KeyPolicy(
            names=self.key_names | {name for name in (self.api_key_env,) if name},
            hosts=self.key_hosts | {host for host in (own_host,) if host},
        )

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
