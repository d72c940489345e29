"""Opens a homepage and says whether our badge is on it, or why that could not be seen."""

import codecs
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.fetch import OTHER_SITES, Fetched, Fetcher, FetchError
from core.outages import ServiceAwayError
from directory import weeks
from directory.launches.badge_finding import find_badge
from directory.models import BadgeCheck, Listing
from directory.sites.lookup import rules_of

ACCEPTED = ("text/html", "application/xhtml+xml")
DETAILS = {
    "found": "The badge is on the homepage.",
    "link_only": "The homepage links to the listing, but the badge's image is not in the link.",
    "image_only": "The badge's image is on the homepage, but not in a link to the listing.",
    "not_found": "No link to the listing with the badge in it was found.",
    "too_large": "The badge is not in the part of the homepage that we read; the page is very large.",
}
# what a homepage in order may look like when our own network or name servers are out of order
UNREACHED = ("dns_failed", "connect_failed", "timeout", "tls_failed", "address_not_public")
LATELY = timedelta(days=1)
SEVERAL = 3
OURS_AT_MOST = timedelta(days=7)
AGAIN = timedelta(hours=1)
AGAIN_SOON = timedelta(minutes=15)
SOON_FOR = timedelta(hours=1)
BYTE_ORDER_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@dataclass(frozen=True, kw_only=True)
class Bounds:
    seconds: float
    max_bytes: int
    max_tags: int


AT_ONCE = Bounds(seconds=1.0, max_bytes=512 * 1024, max_tags=20_000)
IN_A_JOB = Bounds(seconds=15.0, max_bytes=2 * 1024 * 1024, max_tags=200_000)


@dataclass(frozen=True, kw_only=True)
class Check:
    """What one check of a homepage showed.

    `result` is a key of DETAILS, or the reason why the homepage could not be read (`was_read` is false): bad_status
    or a code of FetchError. The latter says nothing about the badge.
    """

    result: str
    detail: str
    was_read: bool = True
    snippet: str = ""

    @property
    def is_seen(self) -> bool:
        return self.result == "found"

    @property
    def is_final(self) -> bool:
        """Whether a check with wider bounds would say the same."""
        return self.was_read and self.result != "too_large"


def check_homepage(*, homepage: str, slug: str, bounds: Bounds = IN_A_JOB) -> Check:
    is_whole = True
    try:
        with Fetcher() as fetcher:
            page = fetcher.get(homepage, accept=ACCEPTED, max_bytes=bounds.max_bytes, timeout=bounds.seconds)
    except FetchError as error:
        if error.partial is None:
            return Check(result=error.code[:20], detail=error.detail, was_read=False)
        page, is_whole = error.partial, False
    if not 200 <= page.status < 300:
        return Check(result="bad_status", detail=f"The homepage answered {page.status}.", was_read=False)
    finding = find_badge(html=page_text(page), base_url=page.url, slug=slug, max_tags=bounds.max_tags)
    result = finding.result if is_whole or finding.result == "found" else "too_large"
    return Check(result=result, detail=DETAILS[result], snippet=finding.snippet)


def check_at_once(*, homepage: str, slug: str) -> Check | None:
    """A check that a request can wait for; None when as many as may are waiting already."""
    try:
        with OTHER_SITES.place():
            return check_homepage(homepage=homepage, slug=slug, bounds=AT_ONCE)
    except ServiceAwayError:
        return None


def page_text(page: Fetched) -> str:
    """What matters in the page is ASCII, so only encodings that spell that in another way make a difference."""
    encoding = BYTE_ORDER_MARKS.get(page.body[:2], page.charset if "utf-16" in page.charset else "utf-8")
    try:
        return page.body.decode(encoding, errors="replace")
    except LookupError:
        return page.body.decode(errors="replace")


def record(*, listing: Listing, check: Check, at: datetime) -> BadgeCheck:
    """Keep what was seen, so that the owner and staff can see it too, and when to check again."""
    return BadgeCheck.objects.create(
        listing=listing,
        at=at,
        found=check.is_seen,
        was_read=check.was_read,
        result=check.result,
        detail=check.detail[:500],
        snippet=check.snippet.replace("\0", "\ufffd")[:500],
        next_at=_next_at(listing, check=check, at=at),
    )


def _next_at(listing: Listing, *, check: Check, at: datetime) -> datetime | None:
    """When a launch that waits for this is tried again; nothing waits when it is found, ahead of its week or live."""
    week = listing.launch_week
    is_ahead = listing.status == Listing.Status.SCHEDULED and week is not None and weeks.start(week) > at
    if check.is_seen or listing.is_live or is_ahead:
        return None
    is_soon = not check.was_read and at - unread_since(listing=listing, at=at) < SOON_FOR
    return at + (AGAIN_SOON if is_soon else AGAIN)


def unread_since(*, listing: Listing, at: datetime) -> datetime:
    """When a homepage was first found closed after it could last be read; `at` when it has been open since."""
    checks = BadgeCheck.objects.filter(listing=listing, at__lte=at)
    read = checks.filter(was_read=True).order_by("-at", "-pk").first()
    unread = checks.filter(was_read=False, **({"at__gt": read.at} if read else {}))
    first = unread.order_by("at", "pk").first()
    return first.at if first else at


def is_grace_over(*, listing: Listing, since: datetime, at: datetime) -> bool:
    """Whether a homepage that is closed has been given its time: so many hours of tries, counted from `since` at most.

    While most homepages cannot be reached, the fault is more likely ours, and for some days nobody pays for it.
    """
    grace = timedelta(hours=rules_of(listing.site_id).launch_grace_hours)
    closed_for = at - max(since, unread_since(listing=listing, at=at))
    return closed_for >= grace and (closed_for > OURS_AT_MOST or not _is_our_fault(at=at))


def _is_our_fault(*, at: datetime) -> bool:
    """Whether most of the homepages of the last day, of several, could not even be reached when last tried."""
    recent = BadgeCheck.objects.filter(at__gte=at - LATELY, at__lte=at)
    newest = recent.order_by("listing", "-at", "-pk").distinct("listing")
    results = list(newest.values_list("result", flat=True))
    unreached = sum(result in UNREACHED for result in results)
    return unreached >= SEVERAL and 2 * unreached > len(results)


def trying_again(check: Check) -> str:
    """What the owner reads while a homepage is closed."""
    return f"We couldn’t open the homepage. We’ll keep trying. {check.detail}"[:300]
