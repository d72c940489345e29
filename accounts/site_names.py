"""What the sites of this installation are called, which the area above knows."""

from collections.abc import Callable

from django.conf import settings

NamesOfSites = Callable[[], list[str]]
SOURCES: list[NamesOfSites] = []


def tells_site_names(names: NamesOfSites) -> NamesOfSites:
    SOURCES.append(names)
    return names


def site_names() -> set[str]:
    """The names of all sites, and the one of the settings."""
    return {settings.SITE_NAME, *(name for names in SOURCES for name in names())}
