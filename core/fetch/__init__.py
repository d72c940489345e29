"""The only door to strangers' addresses: public ones only, pinned, bounded in bytes, hops and time."""

from core.fetch.connecting import make_resolver, resolve_host
from core.fetch.errors import Fetched, FetchError, InvalidUrlError, UrlNotPublicError
from core.fetch.fetcher import ANY_TYPE, OTHER_SITES, Fetcher
from core.fetch.urls import (
    canonical_url,
    check_link,
    check_site,
    check_url,
    is_public,
    join_url,
    raw_host,
    split_url,
)
