"""The API's description as a file, which clients are made from: `python -m aloi.api.openapi` at the project's root."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from aloi.api.app import create_app


def document() -> str:
    """The OpenAPI document as JSON text with sorted keys and a newline at its end."""
    return json.dumps(create_app(None).openapi(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Write the file; with `--check` compare it instead.

    Args:
        arguments: those of the command line, without the program's name.

    Returns:
        0, or 1 when the file is not what it should be.
    """
    parser = argparse.ArgumentParser(prog="python -m aloi.api.openapi", description="Write the API's description.")
    parser.add_argument("file", type=Path, nargs="?", default=Path("openapi.json"))
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the file is not up to date")
    options = parser.parse_args(arguments)
    path: Path = options.file
    if not options.check:
        path.write_text(document(), encoding="utf-8")
        return 0
    if path.is_file() and path.read_text(encoding="utf-8") == document():
        return 0
    print(f"{path} is not what the application says; run: python -m aloi.api.openapi", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
