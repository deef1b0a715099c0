"""Built-in tools of the agent target: one file per tool, each on its own."""
