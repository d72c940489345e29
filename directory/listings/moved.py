"""Where an address leads that was another's before: a merged listing or category, or a changed slug."""

import re

from directory.models import FormerSlug, Site

PAGE = re.compile(r"/(listings|categories)/([a-z0-9-]+)(|/sources|/alternatives|/badges|/report|/claim)\Z")


def can_move(path: str) -> bool:
    return PAGE.match(path) is not None


def moved_path(*, site: Site, path: str) -> str:
    """The address to go to instead, or nothing."""
    match = PAGE.match(path)
    if match is None:
        return ""
    kind, slug, part = match.groups()
    rows = FormerSlug.objects.filter(slug=slug)
    if kind == "listings":
        now = rows.filter(site=site, listing__isnull=False).values_list("listing__slug", flat=True).first()
    else:
        now = rows.filter(category__isnull=False).values_list("category__slug", flat=True).first()
    return f"/{kind}/{now}{part}" if now and now != slug else ""
