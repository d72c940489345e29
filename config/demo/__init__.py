"""Puts the invented content of `directory.data` into the database."""
