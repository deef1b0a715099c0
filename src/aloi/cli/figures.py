"""Figures as people read them."""

from datetime import datetime

# The first 13 characters of a UUIDv7 are its milliseconds: enough to find one run.
ID_SHOWN = 13


def short_id(identity: str) -> str:
    """A beginning of an id that finds it again."""
    return identity[:ID_SHOWN]


def duration(seconds: float) -> str:
    """`350 ms`, `1.2 s`, `2 min 5 s`, `3 h 20 min`."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def clock(seconds: float) -> str:
    """`0:12`, `1:02:03`."""
    whole = max(0, round(seconds))
    minutes = f"{whole // 60 % 60}:{whole % 60:02}"
    return minutes if whole < 3600 else f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def short_number(number: int) -> str:
    """`950`, `12.3k`, `4.5M`."""
    if number < 1000:
        return str(number)
    return f"{number / 1000:.1f}k" if number < 999_950 else f"{number / 1_000_000:.1f}M"


def when(moment: datetime) -> str:
    """A moment in the local time zone, to the minute."""
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")
