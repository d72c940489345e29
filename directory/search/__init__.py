"""Finding listings: by words, by filters, or by looking through them in an order."""

from directory.search.query.browsing import browse_ids
from directory.search.query.finding import SearchResult, search_listings

__all__ = ["SearchResult", "browse_ids", "search_listings"]
