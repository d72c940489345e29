"""Staff's door to the directory."""

from directory.admin import categories, editorial, listings, people, reports, revisions, sites, votes

__all__ = ["categories", "editorial", "listings", "people", "reports", "revisions", "sites", "votes"]
