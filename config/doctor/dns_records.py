"""What the DNS says of the site and of its mail."""

from collections.abc import Iterator
from datetime import datetime
from email.utils import parseaddr

import dns.exception
import dns.resolver
from django.conf import settings

from config.doctor.findings import Finding, note, ok, wrong
from core.domains import registrable
from core.fetch import FetchError, is_public, look_up, make_resolver, split_url


def check_names(*, at: datetime) -> Iterator[Finding]:
    """The site's address, and whether other mail servers can tell that its mail is its own."""
    if settings.IS_LOCAL:
        yield note("names", "the site is on this machine alone, so nothing is asked of the DNS")
        return
    yield _address(split_url(settings.SITE_URL).hostname or "")
    if "smtp" not in settings.EMAIL_BACKEND:
        yield wrong("mail", "is kept as files or shown, and sent to nobody. Set EMAIL_URL.")
        return
    yield _answers()
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    yield _only("SPF", domain, begins="v=spf1", advice="name the servers that send for it")
    yield _dmarc(domain)
    yield _mail_servers(domain)


def _answers() -> Finding:
    if settings.MAIL_REPLY_TO:
        return ok("answers", f"what people answer to mails goes to {settings.MAIL_REPLY_TO}")
    return wrong(
        "answers", "nobody reads what people answer to mails. Set CONTACT_EMAIL to an address that is read."
    )


def _address(host: str) -> Finding:
    try:
        result = look_up(host)
    except FetchError as error:
        return wrong("address", f"{error}")
    text = ", ".join(map(str, result))
    return (
        ok("address", f"{host} is {text}")
        if all(map(is_public, result))
        else note("address", f"{host} is {text}")
    )


def _texts(name: str) -> list[str] | None:
    """The TXT records of a name; None when no name server answers."""
    try:
        answer = make_resolver().resolve(f"{name}.", "TXT", search=False, raise_on_no_answer=False)
    except dns.resolver.NXDOMAIN:
        return []
    except dns.exception.DNSException:
        return None
    return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]


def _only(what: str, name: str, *, begins: str, advice: str) -> Finding:
    """There must be exactly one record that begins so."""
    texts = _texts(name)
    if texts is None:
        return wrong(what, f"no name server answers for {name}.")
    rows = [text for text in texts if text.lower().startswith(begins.lower())]
    if len(rows) == 1:
        return ok(what, f"{name}: {rows[0][:80]}")
    number = f"{len(rows)} records" if rows else "no record"
    return wrong(what, f"{number} at {name} that begin with {begins}; there must be one: {advice}.")


def _dmarc(domain: str) -> Finding:
    """At the domain, or at the registered one above it, as RFC 7489 has it."""
    names = list(dict.fromkeys(f"_dmarc.{name}" for name in (domain, registrable(domain))))
    rows = [_only("DMARC", name, begins="v=DMARC1", advice="v=DMARC1; p=none begins one") for name in names]
    return next((entry for entry in rows if entry.level == "ok"), rows[0])


def _mail_servers(domain: str) -> Finding:
    try:
        answer = make_resolver().resolve(f"{domain}.", "MX", search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return wrong("MX", f"{domain} takes no mail, so nobody hears of mail that bounces.")
    except dns.exception.DNSException:
        return wrong("MX", f"no name server answers for {domain}.")
    return ok("MX", ", ".join(sorted(record.exchange.to_text(omit_final_dot=True) for record in answer)))
