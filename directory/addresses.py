"""Which product an address belongs to, however it is spelt. Pure."""

from core.domains import host_of
from core.fetch import split_url

SHARED_HOSTS = {
    "apps.apple.com": 4,
    "play.google.com": 4,
    "chromewebstore.google.com": 3,
    "addons.mozilla.org": 4,
    "github.com": 2,
    "gitlab.com": 2,
    "bitbucket.org": 2,
    "codeberg.org": 2,
    "sites.google.com": 2,
    "marketplace.visualstudio.com": 2,
}
"""Hosts on which many products live, with the number of path steps that tell them apart."""


def product_address(url: str) -> str:
    """What all spellings of one product's address share: host without `www.`, path without trailing slash, no query."""
    return host_of(url) + split_url(url).path.rstrip("/")


def homepage_of(url: str) -> str:
    """The homepage of whoever an address belongs to; where many share a host, the page of that one."""
    if host_of(url) in SHARED_HOSTS:
        return url
    parts = split_url(url)
    return f"{parts.scheme}://{parts.netloc}/"
