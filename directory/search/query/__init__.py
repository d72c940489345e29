"""Reads: what was typed, what it may mean, and the listings in their order."""
