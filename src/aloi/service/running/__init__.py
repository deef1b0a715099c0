"""What carries runs out: freezing, the lease, the one path with the store behind it, usage, and taking up again."""
