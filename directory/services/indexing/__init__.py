"""Keeps what lists and search read in step with the listings."""
