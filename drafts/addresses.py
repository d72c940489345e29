"""Which website an address belongs to, however it is spelt."""

import re

from core.api.errors import FieldError
from core.domains import host_of
from core.fetch import InvalidUrlError, UrlNotPublicError, check_site, split_url
from directory.addresses import SHARED_HOSTS

HOME_PATH = re.compile(r"/?|/[a-z]{2}(?:[-_][a-z]{2})?/?|/(?:index|home|default)\.\w{3,5}", re.IGNORECASE)
"""What a home page is called, in one language or another."""


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


def whole_site(url: str) -> str:
    """The site of which the address is a page, without its last slash; empty where it is a site by itself."""
    parts = split_url(url)
    root = f"{parts.scheme}://{parts.netloc}"
    if (steps := SHARED_HOSTS.get(host_of(url))) is None:
        return "" if HOME_PATH.fullmatch(parts.path) else root
    path = [step for step in parts.path.split("/") if step]
    return "/".join([root, *path[:steps]]) if len(path) > steps else ""
