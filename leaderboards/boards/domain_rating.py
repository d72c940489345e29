"""The board of Domain Ratings, which come from files and from a service."""

from collections.abc import Mapping, Sequence
from typing import Any

from directory.models import Listing, Site
from leaderboards.boards.ranked import RankedBoard


class DomainRatings(RankedBoard):
    """Each figure with its source, date and trend."""

    code, position, title, tab = "domain-rating", 40, "Domain Rating", "Domain Rating"
    summary, metric = "how strongly other sites link to each product", "domain_rating"
    formula = "Latest rating of each website, 0 to 100."
    lede = "How strongly other sites link to each product, 0 to 100. Source and date under the figures."
    rows = "leaderboards/parts/ratings.html"
    source = """
        SELECT id AS listing_id, domain_rating AS value, '' AS unit, NULL::boolean AS is_verified,
               (domain_rating_detail->>'checked_at')::date AS as_of
        FROM directory_listing WHERE site_id = %(site)s AND domain_rating IS NOT NULL
    """

    def notes(self, *, site: Site, slugs: Sequence[str]) -> Mapping[str, Any]:
        rows = Listing.objects.filter(site=site, slug__in=slugs)
        return dict(rows.values_list("slug", "domain_rating_detail"))
