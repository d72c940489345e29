"""What periodic jobs do for search on every site."""

from datetime import datetime

from directory.models import Site
from directory.search.index.terms import recount_terms
from directory.search.index.tiers import refresh_recent


def refresh_all_tiers(*, at: datetime) -> None:
    """Bring the tiers of popularity in line with the votes."""
    for site_id in _site_ids():
        refresh_recent(site_id=site_id, at=at)


def recount_all_terms() -> None:
    """Count how many listings use each word."""
    for site_id in _site_ids():
        recount_terms(site_id=site_id)


def _site_ids() -> list[int]:
    return list(Site.objects.order_by("pk").values_list("pk", flat=True))
