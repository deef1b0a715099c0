"""Tokens of servers that somebody signed in to, in a file that its owner alone can read."""

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from aloi.client.wire import address_of
from aloi.core.errors import InvalidInput
from aloi.settings import Settings

FILE = "credentials.json"
TOKENS = TypeAdapter(dict[str, str])


def token_of(settings: Settings) -> str | None:
    """What to show the server that the settings name: the key that is set, else the token of a login from here.

    Raises:
        InvalidInput: the file cannot be read.
    """
    if settings.api_key is not None:
        return settings.api_key.get_secret_value()
    return token_for(settings.home, settings.server) if settings.server else None


def token_for(home: Path, server: str) -> str | None:
    """The token of a server, as it was saved; null when nobody signed in to it from here.

    Raises:
        InvalidInput: the file cannot be read, or the address is none.
    """
    return _tokens(home).get(address_of(server))


def save_token(home: Path, server: str, token: str | None) -> None:
    """Keep the token of a server; null forgets it.

    Raises:
        InvalidInput: the file cannot be read or written, or the address is none.
    """
    tokens = {name: known for name, known in _tokens(home).items() if name != address_of(server)}
    if token is not None:
        tokens[address_of(server)] = token
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write(home / FILE, json.dumps(tokens))
    except OSError as error:
        raise InvalidInput(
            f"{home / FILE} cannot be written: {error.strerror}; name another folder with --home"
        ) from error


def _write(path: Path, text: str) -> None:
    """Replace a file by one that its owner alone can read; whoever reads sees the old one or the new one, whole."""
    handle, fresh = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(fresh).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(fresh).unlink()
        raise


def _tokens(home: Path) -> dict[str, str]:
    path = home / FILE
    try:
        return TOKENS.validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}; name another folder with --home") from error
    except ValidationError:
        # What pydantic says quotes the file, tokens and all.
        raise InvalidInput(f"{path} is damaged; remove it, and sign in again with `aloi login`") from None
