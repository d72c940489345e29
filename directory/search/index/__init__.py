"""Keeps what lists and search read in step with the listings."""

from directory.search.index.terms import recount_terms
from directory.search.index.tiers import refresh_tiers

__all__ = ["recount_terms", "refresh_tiers"]
