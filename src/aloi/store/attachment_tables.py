"""The tables of files on cases; see `tables`."""

ATTACHMENT_TABLES: tuple[str, ...] = ()
