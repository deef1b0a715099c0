"""The tables of evidence that comes from elsewhere while a case runs; see `tables`."""

EVIDENCE_TABLES: tuple[str, ...] = ()
