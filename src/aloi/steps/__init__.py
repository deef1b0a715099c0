"""The kinds of steps of a workflow: one file each."""
