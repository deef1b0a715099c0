"""`python -m aloi.cli` is `aloi`."""

from aloi.cli.main import main

main()
