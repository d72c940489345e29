"""Every vote there ever was."""

from datetime import date, datetime

from django.db.models import Subquery

from directory.models import ListingStats, Site, SiteCount
from directory.search.cards import page_of, summaries
from leaderboards.boards.base import BoardView, ByVotes, with_listings


class AllTime(ByVotes):
    """It has no weeks: votes of any time count."""

    code, position, tab = "community-all-time", 20, "All time"
    title, summary = "Most voted of all time", "all votes"
    formula = "All votes ever cast by people on the site, one a person and listing."
    tie_rule = "Equal votes: the listing that was listed earlier stands first."

    def view(self, *, site: Site, week: date | None, page: int, per_page: int, at: datetime) -> BoardView:
        rows = ListingStats.objects.filter(site=site, is_live=True).order_by("-votes", "listing_id")
        live = Subquery(SiteCount.objects.filter(site=site).values("live"))
        places = page_of(rows, fields=("listing_id", "votes"), page=page, per_page=per_page, about=live)
        places_page = with_listings(
            places,
            cards=summaries(listing_ids=[listing_id for listing_id, _ in places.items]),
            metrics=[self.votes(votes) for _, votes in places.items],
        )
        return BoardView(board=self, week=None, as_of=at, page=places_page)
