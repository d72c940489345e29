"""The only door to strangers' addresses: public ones only, pinned, bounded in bytes, hops and time."""

from core.fetch.addresses import is_public
from core.fetch.errors import Fetched, FetchError, InvalidUrlError, UrlNotPublicError
from core.fetch.fetcher import ANY_TYPE, OTHER_SITES, Fetcher
from core.fetch.resolving import make_resolver, resolve_host
from core.fetch.urls import canonical_url, check_link, check_site, check_url, join_url, raw_host, split_url
