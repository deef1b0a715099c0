"""How fast the API answers over large runs."""
