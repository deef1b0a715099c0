"""Grading production as it arrives: rules, what they take, their verdicts, drafts, the rate over time."""
