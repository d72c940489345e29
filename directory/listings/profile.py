"""One listing in full, as everybody may see it."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import orjson
from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, Q, Subquery
from django.db.models.functions import JSONObject

from core.api.links import on_site
from core.postgresql.base import fetch_row
from directory.categories.filing import PAID_SECTIONS
from directory.errors import ListingNotFoundError
from directory.images.pictures import SIZED
from directory.models import Listing, ListingFounder, ListingRevision, Site
from directory.reviews.limits import AVERAGE_FROM
from directory.search.cards import COLUMNS, summary

UPDATES_LISTED = 5
ALTERNATIVES_LISTED = 20
RANKED_UP_TO = 1000
EDITS_READ = 200
UNPLACED = dict.fromkeys(
    ("page_title", "start", "end", "fetched_at")
)  # a quote of no text has no place in it

# One statement builds the profile as JSON: the same through the ORM costs ten times as much processor time.
# What stands ahead of a listing is asked for in ranges of one index each.
PROFILE = f"""
SELECT {COLUMNS}, l.plan, l.unlocked_sections, row_to_json(details)::text
FROM directory_listing AS l
JOIN directory_listingstats AS s ON s.listing_id = l.id
JOIN directory_listingcard AS c ON c.listing_id = l.id
CROSS JOIN LATERAL (SELECT
    nullif(l.description, '') AS description, l.features, l.usps, l.keywords, l.tags,
    json_build_object('model', nullif(l.pricing_model, ''), 'summary', nullif(l.pricing_summary, '')) AS pricing,
    (SELECT coalesce(json_agg(f), '[]') FROM (
        SELECT CASE WHEN l.status = 'live' THEN f.slug END AS slug, f.name,
            coalesce(nullif(p.title, ''), nullif(f.title, '')) AS title, nullif(f.bio, '') AS bio, f.socials
        FROM directory_listingfounder AS p JOIN directory_founder AS f ON f.id = p.founder_id
        WHERE p.listing_id = l.id ORDER BY p.position, p.id
    ) AS f) AS founders,
    l.faqs, l.socials,
    json_build_object(
        'website', l.url, 'demo_video', nullif(l.demo_video_url, ''), 'contact_email', nullif(l.contact_email, '')
    ) AS links,
    nullif(l.city, '') AS city, l.founded_year,
    (SELECT coalesce(json_agg(u), '[]') FROM (
        SELECT id, title, body, posted_at AT TIME ZONE 'UTC' AS posted_at FROM directory_listingupdate
        WHERE listing_id = l.id ORDER BY posted_at DESC, id DESC LIMIT {UPDATES_LISTED}
    ) AS u) AS latest_updates,
    json_build_object(
        'average', CASE WHEN s.reviews >= {AVERAGE_FROM} THEN round(s.stars::numeric / s.reviews, 1) END,
        'count', s.reviews
    ) AS community_rating,
    l.domain_rating_detail,
    json_build_object('week', CASE WHEN l.status = 'live' THEN 1 + (
        SELECT (
            SELECT count(a.launched_at) FROM directory_launch AS a
            WHERE a.site_id = l.site_id AND a.week = l.launch_week AND NOT a.is_hidden AND a.votes > own.votes
        ) + (
            SELECT count(*) FROM directory_launch AS a
            WHERE a.site_id = l.site_id AND a.week = l.launch_week AND NOT a.is_hidden
                AND a.votes = own.votes AND a.launched_at <= own.launched_at
                AND (a.launched_at < own.launched_at OR a.listing_id < l.id)
        )
        FROM directory_launch AS own
        WHERE own.listing_id = l.id AND own.week = l.launch_week AND own.launched_at IS NOT NULL
    ) END, 'all_time', CASE WHEN l.status = 'live' THEN (
        SELECT 1 + ahead + CASE WHEN ahead < {RANKED_UP_TO} THEN (
            SELECT count(*) FROM (
                SELECT FROM directory_listingstats AS a
                WHERE a.site_id = l.site_id AND a.is_live AND a.votes = s.votes AND a.listing_id < l.id
                LIMIT {RANKED_UP_TO}
            ) AS equal
        ) ELSE 0 END
        FROM (
            SELECT count(*) AS ahead FROM (
                SELECT FROM directory_listingstats AS a
                WHERE a.site_id = l.site_id AND a.is_live AND a.votes > s.votes LIMIT {RANKED_UP_TO}
            ) AS more
        ) AS these
    ) END) AS rank,
    (SELECT count(*) FROM (
        (SELECT a.listing_id FROM directory_alternative AS c
        JOIN directory_listingstats AS a ON a.listing_id = c.alternative_id
        WHERE c.listing_id = l.id AND c.approved AND a.is_live AND a.site_id = l.site_id
        LIMIT {ALTERNATIVES_LISTED})
        UNION
        (SELECT a.listing_id FROM directory_listingcategory AS own
        JOIN directory_listingcategory AS f ON f.category_id = own.category_id
        JOIN directory_listingstats AS a ON a.listing_id = f.listing_id
        WHERE own.listing_id = l.id AND own.position = 0
            AND f.position = 0 AND f.listing_id <> l.id AND a.is_live AND a.site_id = l.site_id
        LIMIT {ALTERNATIVES_LISTED})
    ) AS chosen) AS alternatives_count,
    l.not_found AS not_found_on_website, l.evidence, nullif(l.story, '{{}}') AS story, l.media,
    (SELECT coalesce(json_agg(m), '[]') FROM (
        SELECT id, date, title, nullif(description, '') AS description, nullif(url, '') AS url, true AS visible
        FROM directory_milestone WHERE listing_id = l.id ORDER BY date DESC, id DESC
    ) AS m) AS milestones,
    json_build_object(
        'claimed', l.claimed_by_method <> '', 'method', nullif(l.claimed_by_method, ''),
        'checked_at', l.claim_checked_at AT TIME ZONE 'UTC'
    ) AS verified,
    l.last_crawled_at AT TIME ZONE 'UTC' AS last_crawled_at
) AS details
WHERE """  # noqa: S608 constants
# in one line each: psycopg reads a text of more than 4,096 letters anew each time
PUBLIC, ANY = (
    " ".join((PROFILE + where).split())
    for where in (
        "l.site_id = %(site)s AND l.slug = %(slug)s AND l.status IN ('live', 'scheduled')",
        "l.id = %(id)s",
    )
)


def get_listing(*, site: Site, slug: str) -> dict[str, Any]:
    """The full public profile. Raises ListingNotFoundError unless the listing is live or upcoming."""
    return _profile(PUBLIC, {"site": site.pk, "slug": slug})


def profile(*, listing_id: int) -> dict[str, Any]:
    """The full profile of a listing in any status, for its owner and for staff."""
    return _profile(ANY, {"id": listing_id})


def own_profile(*, listing_id: int) -> dict[str, Any]:
    """The full profile with all paid sections, as its owner sees it: each milestone says whether it is visible."""
    view = _whole(ANY, {"id": listing_id})
    is_visible = "milestones" in view["unlocked_sections"]
    view["milestones"] = [{**step, "visible": is_visible} for step in view["milestones"]]
    return view


def public_id(*, site: Site, slug: str) -> int:
    """The id of a live or upcoming listing. Raises ListingNotFoundError."""
    rows = Listing.objects.public().filter(site=site, slug=slug).values_list("pk", flat=True)
    return ListingNotFoundError.unless(rows.first(), "listing")


def open_sections(*, plan: str, unlocked: Collection[str]) -> list[str]:
    """The paid sections everybody may see: all of them on the paid plan, else those that were unlocked."""
    return [name for name in PAID_SECTIONS if plan == Listing.Plan.PAID or name in unlocked]


def _profile(statement: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The profile as everybody sees it: locked sections are absent."""
    view = _whole(statement, params)
    for name in PAID_SECTIONS:
        if name not in view["unlocked_sections"]:
            del view[name]
    return view


def _whole(statement: str, params: Mapping[str, Any]) -> dict[str, Any]:
    row: tuple[Any, ...] = ListingNotFoundError.unless(fetch_row(statement, params), "listing")
    *card, plan, unlocked, details = row
    sections = open_sections(plan=plan, unlocked=unlocked)
    return {**summary(card), **_completed(orjson.loads(details)), "unlocked_sections": sections}


def _completed(details: dict[str, Any]) -> dict[str, Any]:
    rank = details["rank"]
    if rank["all_time"] and rank["all_time"] > RANKED_UP_TO:
        rank["all_time"] = None
    details["evidence"] = {
        name: [{**UNPLACED, **quote} for quote in quotes] for name, quotes in details["evidence"].items()
    }
    details["media"] = public_media(details["media"])
    details["alternatives_count"] = min(ALTERNATIVES_LISTED, details["alternatives_count"])
    for update in details["latest_updates"]:
        update["posted_at"] = _moment(update["posted_at"])
    details["verified"]["checked_at"] = _moment(details["verified"]["checked_at"])
    details["last_crawled_at"] = _moment(details["last_crawled_at"])
    if rating := details["domain_rating_detail"]:
        # a measurement has a day; as a time it is that day's first moment
        rating["checked_at"] = f"{rating['checked_at'][:10]}T00:00:00Z"
    return details


def _moment(text: str | None) -> str | None:
    """A time of UTC, as PostgreSQL's JSON has it, as the interface writes it."""
    return text and f"{text[:19]}Z"


def public_media(media: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Pictures as answers have them: with addresses on the site that is asked, and no name of a file."""
    return [picture_of(row) for row in media]


def picture_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """One of them, with the addresses of its sizes as `srcset` takes them, the smallest format first."""
    address = on_site(f"{settings.MEDIA_URL}{row['file']}")
    stem = address.rpartition(".")[0]
    sources = [
        {
            "type": f"image/{kind}",
            "srcset": ", ".join(f"{stem}-{width}.{kind} {width}w" for width in row.get("sizes", ())),
        }
        for kind in SIZED
    ]
    facts = {name: value for name, value in row.items() if name not in {"file", "sizes"}}
    facts["alt"] = row.get("alt") or None
    return facts | {"url": address} | ({"sources": sources} if row.get("sizes") else {})


def site_picture_of(row: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The picture that its website gives of itself, if there is one to show."""
    return picture_of(row) if row and row.get("file") else None


def covers(*, site: Site, slugs: Collection[str]) -> dict[str, dict[str, Any]]:
    """The picture that stands for each listing: its owner's first, else the one that its website gives of itself."""
    rows = Listing.objects.filter(site=site, slug__in=slugs).values_list("slug", "media", "site_picture")
    return _covers(rows)


def covers_and_makers(
    *, site: Site, slugs: Collection[str]
) -> tuple[dict[str, dict[str, Any]], dict[str, str | None]]:
    """The same, and who made each, by name: in one statement, for lists that say both in each row."""
    firsts = ListingFounder.objects.filter(listing=OuterRef("pk")).order_by("position", "pk")
    named = Listing.objects.filter(site=site, slug__in=slugs).annotate(
        maker=Subquery(firsts.values("founder__name")[:1])
    )
    rows = list(named.values_list("slug", "media", "site_picture", "maker"))
    return _covers(row[:3] for row in rows), {slug: maker for slug, *_, maker in rows}


def covers_of(listings: Iterable[Listing]) -> dict[str, dict[str, Any]]:
    """The same of listings that are at hand."""
    return _covers((listing.slug, listing.media, listing.site_picture) for listing in listings)


def _covers(
    rows: Iterable[tuple[str, Sequence[dict[str, Any]], dict[str, Any] | None]],
) -> dict[str, dict[str, Any]]:
    pictures = {slug: next((row for row in media if row.get("file")), own or {}) for slug, media, own in rows}
    return {slug: picture_of(row) for slug, row in pictures.items() if row.get("file")}


def own_words(*, site: Site, slug: str, beside: Collection[str]) -> dict[str, Any]:
    """What its page shows beyond the profile: the owner's words, whether anybody owns it, its founders' photos.

    And the covers of it and of the listings beside it.
    """
    words = ("headline", "summary", "seo_title", "seo_description", "owner_id", "owner__founder__slug")
    theirs = Q(owner=OuterRef("owner")) | Q(founded_by__founder__user=OuterRef("owner"))
    others = Listing.objects.live().filter(theirs, site=site).exclude(pk=OuterRef("pk"))
    photos = ListingFounder.objects.filter(listing=OuterRef("pk")).exclude(founder__photo="")
    matches = Listing.objects.filter(site=site, slug__in=[slug, *beside]).annotate(
        photos=ArraySubquery(photos.values(data=JSONObject(slug="founder__slug", file="founder__photo"))),
        is_of_several=Exists(others),
    )
    pictured = ("media", "site_picture", "photos")
    rows = {row["slug"]: row for row in matches.values("pk", "slug", *words, *pictured, "is_of_several")}
    pictures = _covers((row["slug"], row["media"], row["site_picture"]) for row in rows.values())
    return {**rows[slug], "covers": pictures}


def statements(*, site: Site, slug: str) -> dict[str, tuple[str, datetime | None]]:
    """Who stated each value that no quote carries, and when; under "" of those that were never edited.

    Who owns a listing states what its website does not; where nobody does, the site team did.
    """
    listing = Listing.objects.only("owner_id").get(site=site, slug=slug)
    by_field: dict[str, tuple[str, datetime | None]] = {"": ("owner" if listing.owner_id else "staff", None)}
    edits = listing.revisions.exclude(review=ListingRevision.Review.REVERTED).order_by("-at", "-pk")
    for changed, at, is_staff, by in edits.values_list("changed", "at", "by__is_staff", "by")[:EDITS_READ]:
        who = "staff" if is_staff and by != listing.owner_id else "owner"
        by_field = dict.fromkeys(changed, (who, at)) | by_field
    return by_field
