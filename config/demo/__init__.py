"""Puts the invented content of `config.demo.data` into the database."""
