"""Staff's door to the directory."""

from directory.admin import editorial, listings, sites

__all__ = ["editorial", "listings", "sites"]
