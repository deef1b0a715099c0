"""Simulated tools that are served by MCP to agents that run elsewhere."""
