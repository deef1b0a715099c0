"""What stands in for tools and steps while a case runs: fixed answers, and answers that a model writes."""
