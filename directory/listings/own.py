"""What an owner sees of a listing beyond what everybody sees."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery, Window
from django.db.models.functions import RowNumber

from accounts.selectors import LISTED_OF_EACH, Waiting, count_for_account, tells_what_waits
from core.api.errors import NotFoundError
from core.api.links import on_site
from core.api.pagination import Page, paginate_own
from core.parts import Named
from directory.addresses import homepage_of
from directory.errors import ListingNotFoundError
from directory.launches import badges
from directory.launches.figures import launch_figures
from directory.listings.next_actions import next_actions
from directory.listings.profile import open_sections, own_profile
from directory.models import (
    BadgeCheck,
    Launch,
    Listing,
    ListingFounder,
    ListingMove,
    ListingRevision,
    ListingUpdate,
    Milestone,
)
from directory.search.cards import rows_of, summary
from directory.sites.lookup import addresses_of_listing, all_sites
from directory.weeks import launch_and_due

OfListings = Callable[[Sequence[int]], Mapping[int, Any]]
OWN_TEXTS = ("headline", "summary", "seo_title", "seo_description")
VERSIONS_LISTED = 20
CHECKS_LISTED = 8
MOVES_LISTED = 10
UPDATES_LISTED = 50
Status = Listing.Status
QUEUED = {Status.AWAITING_BADGE, Status.SCHEDULED}


# what owners see under each name, by listing
tells_owners = Named[OfListings]()


def my_listings(*, owner_id: int, **query: Any) -> Page:
    """A person's listings in any status, newest first, as summaries with the owner's view beside them."""
    rows = Listing.objects.owned_by(owner_id).for_owner(owner_id).order_by("-created_at", "-pk")
    result = paginate_own(rows, **query)
    return replace(result, items=_items(list(result.items)))


def listing_item(*, user_id: int, thing: str) -> dict[str, Any] | None:
    """One listing of a person as their list has it, for events about it."""
    rows = Listing.objects.owned_by(user_id).for_owner(user_id).filter(pk=thing)
    return next(iter(_items(list(rows))), None)


def _items(listings: Sequence[Any]) -> list[dict[str, Any]]:
    cards, extras = rows_of([listing.pk for listing in listings]), owner_views(listings)
    items: list[dict[str, Any]] = []
    for listing in listings:
        with addresses_of_listing(listing):
            items.append({**summary(cards[listing.pk]), **extras[listing.pk]})
    return items


def my_listing(*, owner_id: int, listing_id: int, at: datetime) -> dict[str, Any]:
    """One listing of a person: the public profile, the owner's view and the figures of its launch."""
    return view_of(own_row(owner_id=owner_id, listing_id=listing_id), at=at)


def view_of(listing: Any, *, at: datetime) -> dict[str, Any]:
    """The same of a row that was read before."""
    texts = {name: getattr(listing, name) or None for name in OWN_TEXTS}
    with addresses_of_listing(listing):
        profile = own_profile(listing_id=listing.pk)
    figures = launch_figures(listing_id=listing.pk, at=at)
    return {**profile, **texts, **owner_views([listing])[listing.pk], "launch": figures}


def own_row(*, owner_id: int, listing_id: int) -> Listing:
    """A person's listing. Raises ListingNotFoundError."""
    rows = Listing.objects.owned_among(owner_id, [listing_id]).for_owner(owner_id)
    founders = ListingFounder.objects.filter(listing=OuterRef("pk"))
    rows = rows.annotate(has_founders=Exists(founders)).select_related("site")
    return ListingNotFoundError.unless(rows.first(), "listing")


def headed(listing: Listing) -> dict[str, Any]:
    return {
        "listing_id": listing.pk,
        "name": listing.name,
        "slug": listing.slug,
        "status": listing.status,
        "status_reason": listing.status_reason,
    }


def sections_of(listing: Listing) -> list[str]:
    return open_sections(plan=listing.plan, unlocked=listing.unlocked_sections)


def posted_updates(listing: Listing) -> list[ListingUpdate]:
    return list(listing.updates.order_by("-posted_at", "-pk")[:UPDATES_LISTED])


def update_of(listing: Listing, *, update_id: int) -> ListingUpdate:
    """One of its news. Raises NotFoundError."""
    return NotFoundError.unless(listing.updates.filter(pk=update_id).first(), "update")


def revisions(listing: Listing) -> list[ListingRevision]:
    return list(listing.revisions.select_related("by", "listing").order_by("-at", "-pk")[:VERSIONS_LISTED])


def author(revision: ListingRevision) -> str:
    """Who made an edit, as its owner reads it: staff are the site team."""
    by = revision.by
    is_owner = by is not None and by.pk == revision.listing.owner_id
    return by.get_short_name() if by and (is_owner or not by.is_staff) else "staff"


def posted_update(posted: ListingUpdate) -> dict[str, Any]:
    with addresses_of_listing(posted.listing):
        page_url = on_site(f"/listings/{posted.listing.slug}#update-{posted.pk}")
    return {
        "id": posted.pk,
        "title": posted.title,
        "body": posted.body,
        "posted_at": posted.posted_at,
        "followers_notified": posted.followers_notified,
        "page_url": page_url,
    }


def own_milestone(step: Milestone) -> dict[str, Any]:
    """A step, and whether everybody sees it."""
    sections = sections_of(step.listing)
    return {
        "id": step.pk,
        "date": step.date,
        "title": step.title,
        "description": step.description or None,
        "url": step.url or None,
        "visible": "milestones" in sections,
    }


def owner_views(listings: Sequence[Any]) -> dict[int, dict[str, Any]]:
    """Status, queue, versions, sites and next actions of listings, in a constant number of queries."""
    ids = [listing.pk for listing in listings]
    queues, versions, sites = _queues(listings), _versions(ids), _sites(listings)
    views = {name: read(ids) for name, read in tells_owners.items()}
    return {
        listing.pk: {
            "listing_id": listing.pk,
            "status": listing.status,
            "status_reason": listing.status_reason or None,
            "plan": listing.plan,
            "launch_week": listing.launch_week,
            "queue": queues.get(listing.pk),
            "unlocked_sections": sections_of(listing),
            **{name: existing.get(listing.pk, []) for name, existing in views.items()},
            "draft_id": listing.newest_draft,
            "versions": versions.get(listing.pk, []),
            "sites": sites[listing.pk],
            "next_actions": next_actions(
                listing, queue=queues.get(listing.pk), prove_again_by=listing.prove_again_by
            ),
        }
        for listing in listings
    }


def queue_and_checks(listing: Listing) -> tuple[dict[str, Any] | None, list[Any]]:
    """Its place in the queue, its week and its badge; nothing for one that does not wait. And its newest checks."""
    if listing.status not in QUEUED:
        return None, []
    checks = list(_checks([listing.pk]).order_by("-at", "-pk")[:CHECKS_LISTED])
    return _queue(listing, place=_positions([listing.pk]), check=next(iter(checks), None)), checks


def _queues(listings: Sequence[Listing]) -> dict[int, dict[str, Any]]:
    waiting = [listing for listing in listings if listing.status in QUEUED]
    if not waiting:
        return {}
    ids = [listing.pk for listing in waiting]
    newest = _checks(ids).order_by("listing", "-at", "-pk").distinct("listing")
    checks = {check.listing_id: check for check in newest}
    places = _positions(ids)
    return {listing.pk: _queue(listing, place=places, check=checks.get(listing.pk)) for listing in waiting}


def _queue(listing: Listing, *, place: Mapping[int, int], check: Any) -> dict[str, Any]:
    return {
        "position": place.get(listing.pk, 1),
        "week": listing.launch_week,
        "badge": _badge(listing, check),
    }


def _checks(ids: Sequence[int]) -> QuerySet[Any]:
    """Checks of homepages, each with whether the badge was there when its homepage was last read.

    A check that could not read the homepage says nothing about the badge: what was seen before still stands.
    """
    read = BadgeCheck.objects.filter(listing=OuterRef("listing"), was_read=True).order_by("-at", "-pk")
    return BadgeCheck.objects.filter(listing__in=ids).annotate(was_seen=Subquery(read.values("found")[:1]))


def happened(listing: Listing) -> list[ListingMove]:
    return list(listing.moves.order_by("-at", "-pk")[:MOVES_LISTED])


def _positions(ids: Sequence[int]) -> dict[int, int]:
    """Each listing's place among those of its site that launch in the same week, in booking order."""
    own = Launch.objects.filter(listing__in=ids, launched_at=None)
    same = own.filter(site=OuterRef("site"), week=OuterRef("week"))
    mates = Launch.objects.filter(Exists(same), launched_at=None)
    place = Window(RowNumber(), partition_by=[F("site"), F("week")], order_by=["booked_at", "pk"])
    places = dict(mates.annotate(place=place).values_list("listing", "place"))
    return {listing: places[listing] for listing in ids if listing in places}


def _badge(listing: Listing, check: Any) -> dict[str, Any]:
    with addresses_of_listing(listing):
        return {
            "required": listing.needs_badge,
            "found": bool(check and check.was_seen),
            "html": badges.badge_html(slug=listing.slug, name=listing.name),
            "link_url": badges.link_url(listing.slug),
            "last_checked_at": check.at if check else None,
            "last_result": check.result if check else None,
            "homepage": homepage_of(listing.url),
            "next_check_at": check.next_at if check else None,
        }


def _versions(ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    place = Window(RowNumber(), partition_by=[F("listing")], order_by=["-at", "-pk"])
    rows = (
        ListingRevision.objects.filter(listing__in=ids).select_related("by", "listing").annotate(place=place)
    )
    result: dict[int, list[dict[str, Any]]] = {}
    for row in rows.filter(place__lte=VERSIONS_LISTED).order_by("listing", "place"):
        result.setdefault(row.listing_id, []).append(
            {"id": row.pk, "changed": row.changed, "by": author(row), "at": row.at, "review": row.review}
        )
    return result


def _sites(listings: Sequence[Listing]) -> dict[int, list[dict[str, Any]]]:
    """The sites of the installation, and on which of them the same company's listing of this owner stands."""
    everywhere = sorted(all_sites().by_id.values(), key=lambda site: site.pk)
    linked = {(listing.owner_id, listing.domain, listing.site_id) for listing in listings if listing.owner_id}
    if len(everywhere) > 1:  # what else there may be; most installations have one site
        owners = {listing.owner_id for listing in listings}
        theirs = Listing.objects.filter(owner__in=owners, domain__in={listing.domain for listing in listings})
        linked |= set(theirs.values_list("owner", "domain", "site"))
    return {
        listing.pk: [
            {
                "key": site.key,
                "name": site.name,
                "linked": (listing.owner_id, listing.domain, site.pk) in linked,
            }
            for site in everywhere
        ]
        for listing in listings
    }


@count_for_account("listings")
def counted_listings(user_id: int) -> list[QuerySet[Any]]:
    """Those that a person owns, and those of others that they own too."""
    shared = Listing.co_owners.through.objects.filter(user_id=user_id)
    return [Listing.objects.filter(owner=user_id), shared.exclude(listing__owner=user_id)]


WAITS: dict[str, tuple[str, str, str]] = {
    Status.DRAFT: (
        "Choose how {name} launches",
        "A free launch needs our badge, a paid one doesn’t.",
        "Choose",
    ),
    Status.AWAITING_BADGE: (
        "Put the badge on {host}",
        "By Sunday {due}, for its launch in the week of {week}.",
        "See it",
    ),
    Status.REJECTED: ("{name} was not accepted", "{reason}", "Read why"),
    Status.SUSPENDED: ("{name} is suspended", "{reason}", "Read why"),
}


@tells_what_waits
def listings_waiting(user_id: int) -> list[Waiting]:
    """Listings that go no further without their owner."""
    rows = Listing.objects.owned_by(user_id).filter(status__in=WAITS).order_by("-updated_at", "-pk")
    return [_waiting(listing) for listing in rows[:LISTED_OF_EACH]]


def _waiting(listing: Listing) -> Waiting:
    title, detail, act = WAITS[listing.status]
    week, due = launch_and_due(listing.launch_week)
    words = {
        "name": listing.name,
        "host": listing.host,
        "reason": listing.status_reason,
        "week": week,
        "due": due,
    }
    path = f"/account/listings/{listing.pk}"
    return Waiting(title=title.format(**words), detail=detail.format(**words), path=path, act=act)
