"""Which database of which PostgreSQL server an address means."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

from aloi.core.errors import InvalidInput

SCHEMES = ("postgresql", "postgres", "postgresql+asyncpg")
MODES = {"ro": True, "rw": False}
# `host` is a folder with the server's socket.
OPTIONS = ("host", "sslmode", "sslrootcert", "sslcert", "sslkey")
FORM = (
    "write postgresql://USER:PASSWORD@HOST:PORT/NAME, with the characters / ? # @ : % in its parts percent-encoded "
    "(%2F %3F %23 %40 %3A %25)"
)


@dataclass(frozen=True)
class PostgresAddress:
    """A database of a server, and whether it is only read. What is null is left to the PG... variables of libpq."""

    database: str
    host: str | None = None
    port: int | None = None
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    read_only: bool = False

    @property
    def name(self) -> str:
        """The address without the password, for messages."""
        user = f"{self.user}@" if self.user else ""
        port = f":{self.port}" if self.port else ""
        return f"postgresql://{user}{self.host or self.options.get('host', '')}{port}/{self.database}"

    @property
    def dsn(self) -> str:
        """The options alone, as libpq's kind of address; the other parts are given apart."""
        return f"postgresql://?{urlencode(self.options)}"


def parse_postgres(rest: str, read_only: bool) -> PostgresAddress:
    """The database that an address names.

    Args:
        rest: what stands behind `postgresql://`.

    Raises:
        InvalidInput: it cannot be read. The message quotes nothing of it: any part may be a piece of a password.
    """
    try:
        split = urlsplit(f"postgresql://{rest}")
        port = split.port
    except ValueError:
        raise InvalidInput(f"the address of the PostgreSQL database cannot be read; {FORM}") from None
    options = _options(split)
    read_only = read_only or MODES[options.pop("mode", "rw")]
    return PostgresAddress(
        database=_database(split),
        host=split.hostname,
        port=port,
        user=_decoded(split.username),
        password=_decoded(split.password),
        options=options,
        read_only=read_only,
    )


def _database(split: SplitResult) -> str:
    name = split.path.removeprefix("/")
    if not name or {"/", "@"} & set(name) or split.fragment:
        raise InvalidInput(f"the address of the PostgreSQL database names no database, or cannot be read; {FORM}")
    return unquote(name)


def _options(split: SplitResult) -> dict[str, str]:
    options = dict(parse_qsl(split.query, keep_blank_values=True))
    if not set(options) <= {"mode", *OPTIONS} or options.get("mode", "rw") not in MODES:
        raise InvalidInput(
            "the address of the PostgreSQL database has an option that is not known here; "
            f"it may have mode=ro, {', '.join(OPTIONS)}; {FORM}"
        )
    return options


def _decoded(part: str | None) -> str | None:
    return None if part is None else unquote(part)
