"""Staff's door to the directory."""

from directory.admin import editorial, listings, revisions, sites

__all__ = ["editorial", "listings", "revisions", "sites"]
