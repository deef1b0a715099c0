"""Filters by a text that occurs somewhere."""


def any_contains(*columns: str) -> str:
    """The SQL for: one of these columns contains a text. Each wants one `pattern`; case does not count for ASCII."""
    return "(" + " OR ".join(f"lower({column}) LIKE lower(?) ESCAPE '!'" for column in columns) + ")"


def pattern(text: str) -> str:
    """What `any_contains` looks for: a text anywhere, its own wildcards taken as they are."""
    return f"%{text.replace('!', '!!').replace('%', '!%').replace('_', '!_')}%"
