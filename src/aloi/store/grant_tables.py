"""The tables of targets that members are narrowed to; see `tables`."""

GRANT_TABLES: tuple[str, ...] = ()
