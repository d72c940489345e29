"""Invented content for a directory that looks alive: files, and the loader that puts them into the database."""
