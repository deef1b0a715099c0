"""The tables of saved evaluators' versions; see `tables`."""

EVALUATOR_TABLES: tuple[str, ...] = ()
