"""Invented content for a directory that looks alive."""
