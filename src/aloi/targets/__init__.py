"""The kinds of targets, one file each."""
