"""What stands between a listing and its launch, also in the words that its owner and staff both read."""

from dataclasses import dataclass
from datetime import datetime

from core.domains import host_of
from directory import weeks
from directory.addresses import product_address
from directory.facts import TEXT_COLUMNS, lacking
from directory.models import BadgeCheck, Listing
from directory.wording import in_a_row, words_of


def missing_facts(listing: Listing) -> list[str]:
    return lacking(
        {name: getattr(listing, name) for name in TEXT_COLUMNS} | {"categories": listing.filed.exists()}
    )


def live_twin(listing: Listing) -> Listing | None:
    """Another listing that is live at the same product address of the same site; an address is live once."""
    return live_at(site_id=listing.site_id, url=listing.url, besides=listing.pk)


def live_at(*, site_id: int, url: str, besides: int = 0) -> Listing | None:
    """The live listing of a product address, leaving one listing out."""
    rows = Listing.objects.live().filter(site_id=site_id, host=host_of(url)).exclude(pk=besides)
    address, existing = product_address(url), rows.order_by("pk").values_list("pk", "url")
    same = next((pk for pk, entry in existing if product_address(entry) == address), None)
    return Listing.objects.filter(pk=same).first() if same else None


def own_at(*, site_id: int, owner_id: int, url: str) -> Listing | None:
    """A person's own listing of a product address, unless it was rejected; a live one first, then the newest."""
    rows = Listing.objects.owned_by(owner_id).filter(site_id=site_id, host=host_of(url))
    address = product_address(url)
    same = [
        listing
        for listing in rows.exclude(status=Listing.Status.REJECTED).order_by("-pk")
        if product_address(listing.url) == address
    ]
    return next((listing for listing in same if listing.is_live), same[0] if same else None)


Status = Listing.Status


@dataclass(frozen=True, kw_only=True)
class Why:
    says: str
    is_bad: bool = False
    can_check: bool = False


def why_not_live(listing: Listing, *, check: BadgeCheck | None, at: datetime) -> Why | None:
    """One or two sentences from its status, its reason and the newest look at its homepage; none for a live one."""
    if listing.is_live:
        return None
    if listing.status in Listing.OFF_SITE:
        reason = listing.status_reason or "no reason is on record."
        return Why(says=f"It is {listing.get_status_display().lower()}: {reason}", is_bad=True)
    week = f"{listing.launch_week:%-d %B}" if listing.launch_week else "no week"
    is_booked = listing.status == Status.SCHEDULED
    if listing.status == Status.AWAITING_BADGE or (is_booked and _lacks_badge(listing, check)):
        return Why(says=f"{_badge(listing, check)} {_by_when(listing, week=week, at=at)}", can_check=True)
    if is_booked:
        keeps = " if the badge is still there" if listing.needs_badge else ""
        return Why(
            says=f"It launches in the week of {week}, on Monday 00:00 UTC{keeps}.",
            can_check=listing.needs_badge,
        )
    return Why(says=_saved(listing))


def _saved(listing: Listing) -> str:
    if lacking := missing_facts(listing):
        return f"It is saved. Left: {in_a_row([words_of(name).lower() for name in lacking])}."
    if twin := live_twin(listing):
        return f"It is saved. {twin.name} is live at the same address, so it cannot launch."
    return f"It is saved, and its owner has not chosen a launch. {listing.status_reason}".strip()


def _lacks_badge(listing: Listing, check: BadgeCheck | None) -> bool:
    return listing.needs_badge and not (check and check.found)


def _badge(listing: Listing, check: BadgeCheck | None) -> str:
    says = f"The free plan needs our badge on {host_of(listing.url)}."
    if check is None:
        return f"{says} Nobody has looked yet."
    return f"{says} On {check.at:%-d %B at %H:%M} UTC: {check.detail or check.result}"


def _by_when(listing: Listing, *, week: str, at: datetime) -> str:
    if listing.launch_week is None:
        return ""
    if listing.status == Status.SCHEDULED:
        return f"If it’s missing on Monday {week}, 00:00 UTC, it moves to the next free week."
    if weeks.start(listing.launch_week) > at:
        first = f"Once it is there, it launches on Monday {week}, 00:00 UTC."
    else:
        first = f"Its week of {week} is running: it goes live as soon as the badge is there."
    then = {0: "moves to the next free week", 1: "moves to the next free week, for the last time"}
    after = then.get(listing.missed_weeks, "becomes a draft again")
    return f"{first} If it’s missing after Sunday {weeks.sunday(listing.launch_week):%-d %B}, it {after}."
