"""Who may do what: members, grants, API keys, and how they sign in."""
