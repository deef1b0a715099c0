"""The tables of rules that grade executions of production; see `tables`."""

ONLINE_TABLES: tuple[str, ...] = ()
