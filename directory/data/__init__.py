"""The category tree that an installation begins with."""
