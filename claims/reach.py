"""What a proof at an address reaches, and to whom its host belongs. Pure."""

import re
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from pathlib import Path

from core.domains import is_free_mail, is_registrable, is_rented, registrable
from core.email_addresses import normal_or_blank
from core.fetch import split_url

FOLDER = Path(__file__).with_name("data")


def _hosts(name: str) -> frozenset[str]:
    return frozenset((FOLDER / f"{name}.txt").read_text().split())


# Many owners share these hosts: whoever can publish a page there can publish nothing else.
SHARED_PATHS = _hosts("shared_paths")
# Customers' places that the public suffix list does not know as such.
RENTED = _hosts("rented")
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")


class Host(StrEnum):
    """Whose a host is, which decides what may count as a proof there."""

    OWN = "own"
    FREE_MAIL = "free mail"  # its owner's, but anybody may have a mailbox
    RENTED = "rented"  # a customer's, under the domain of somebody else
    SHARED = "shared"  # pages of many, by path
    NOBODY = "nobody"  # not a name that somebody can own


@dataclass(frozen=True, kw_only=True)
class Reach:
    """`origin` is scheme and host with its port; `reason` says why some methods may not count here."""

    url: str
    origin: str
    host: str
    bare: str
    domain: str
    kind: Host
    reason: str

    @property
    def dns_names(self) -> tuple[str, ...]:
        """Where the record may be: below the host or below any parent up to the registered domain."""
        labels = self.host.split(".")
        depth = len(labels) - len(self.domain.split("."))
        hosts = [".".join(labels[cut:]) for cut in range(depth + 1)]
        return tuple(f"_plverify.{host}" for host in dict.fromkeys([self.bare, *hosts]))

    def covers(self, url: str) -> bool:
        """Whether a redirect stays on this host, with or without `www.`, and on this very page where it is shared."""
        parts, own = split_url(url), split_url(self.url)
        if self.bare in SHARED_PATHS and (parts.path.rstrip("/"), parts.query) != (
            own.path.rstrip("/"),
            own.query,
        ):
            return False
        return without_www((parts.hostname or "").lower()) == self.bare

    def has_address(self, email: str) -> bool:
        host = normal_or_blank(email).rpartition("@")[2]
        return host == self.domain or host.endswith(f".{self.domain}")


def without_www(host: str) -> str:
    """The apex of a `www.` host, any other host as it is."""
    return host.removeprefix("www.")


def reach_of(url: str) -> Reach:
    """What may be published for an address, and where it counts."""
    parts = split_url(url)
    host = (parts.hostname or "").rstrip(".").lower()
    bare = without_www(host)
    domain = registrable(bare)
    kind, reason = _kind_of(bare, domain)
    return Reach(
        url=url,
        origin=f"{parts.scheme}://{parts.netloc}",
        host=host,
        bare=bare,
        domain=domain,
        kind=kind,
        reason=reason,
    )


def _kind_of(host: str, domain: str) -> tuple[Host, str]:
    if _is_number(host) or not is_registrable(host):
        return Host.NOBODY, f"{host or 'This address'} is not a name that somebody can own."
    if host in SHARED_PATHS:
        return Host.SHARED, f"{host} is shared by many: only this very page can be shown to be yours."
    if is_rented(host) or domain in RENTED:
        owner = host.partition(".")[2]
        return Host.RENTED, f"{host} is a place under {owner}, whose records and mailboxes are not yours."
    if is_free_mail(domain):
        return Host.FREE_MAIL, f"Anybody can have an address at {domain}."
    return Host.OWN, ""


def _is_number(host: str) -> bool:
    """Whether a host is an address rather than a name, in any notation."""
    try:
        ip_address(host)
    except ValueError:
        return bool(NUMBER.fullmatch(host.rpartition(".")[2]))
    return True
