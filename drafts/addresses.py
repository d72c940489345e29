"""Which website an address belongs to, however it is spelt."""

from core.domains import host_of
from core.errors import FieldError
from core.fetch import InvalidUrlError, UrlNotPublicError, check_site, split_url

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


def public_address(url: str, *, pointer: str) -> str:
    """The address in canonical form. Raises InvalidUrlError or UrlNotPublicError, pointing to the value."""
    try:
        return check_site(url)
    except (InvalidUrlError, UrlNotPublicError) as error:
        error.errors = (FieldError(code=error.code, pointer=pointer, message=error.detail),)
        raise


def site_key(url: str) -> str:
    """What all spellings of one site share: its host, and on a shared host the steps that name the product."""
    host = host_of(url)
    if steps := SHARED_HOSTS.get(host):
        path = [step for step in split_url(url).path.split("/") if step]
        return "/".join([host, *path[:steps]]).lower()[:300]
    return host[:300]
