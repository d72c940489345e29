"""Keeps what lists and search read in step with the listings."""

from directory.services.indexing.terms import recount_terms
from directory.services.indexing.tiers import refresh_tiers

__all__ = ["recount_terms", "refresh_tiers"]
