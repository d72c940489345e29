"""The board of monthly revenue, which staff enter."""

from collections.abc import Mapping, Sequence
from typing import Any

from directory.models import Site
from leaderboards.boards.ranked import RankedBoard
from leaderboards.models import RevenueReport


class Revenue(RankedBoard):
    """Every verified figure stands above every self-reported one."""

    code, position, title, tab = "revenue", 50, "Revenue", "Revenue"
    summary, metric, unit, period = "monthly revenue", "monthly_revenue", "cents", "month"
    formula = (
        "The newest monthly revenue, in cents. Every verified figure stands above every self-reported one."
    )
    source = """
        SELECT DISTINCT ON (report.listing_id) report.listing_id, report.amount_cents AS value,
               report.currency AS unit, report.is_verified, report.as_of
        FROM leaderboards_revenuereport AS report JOIN directory_listing AS own ON own.id = report.listing_id
        WHERE own.site_id = %(site)s AND report.currency IN ('', %(currency)s)
        ORDER BY report.listing_id, report.is_verified DESC, report.as_of DESC, report.id DESC
    """

    def notes(self, *, site: Site, slugs: Sequence[str]) -> Mapping[str, Any]:
        reports = RevenueReport.objects.filter(listing__site=site, listing__slug__in=slugs)
        newest = reports.order_by("listing", "-is_verified", "-as_of", "-pk").distinct("listing")
        return dict(newest.values_list("listing__slug", "method"))
