"""The prepared summary of a listing: everything lists show of it but its counters, as JSON."""

from datetime import UTC, datetime
from typing import NamedTuple

import orjson

from directory.search.index.sources import Source, Tree


class Card(NamedTuple):
    listing_id: int
    body: str
    featured_until: datetime | None
    counted_as: str
    counted_in: list[int]
    counted_below: list[int]


def moment(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def card(source: Source, *, tree: Tree, media_url: str) -> Card:
    """The card of a listing. What depends on votes or on the clock is filled in when it is read."""
    is_live = source.public_status == "live"
    body = {
        "slug": source.slug,
        "name": source.name,
        "tagline": source.tagline or None,
        "short_description": source.short_description or None,
        "url": source.url,
        "logo_url": f"{media_url}{source.logo}" if source.logo else source.logo_url or None,
        "categories": [
            {"slug": slug, "name": name, "primary": number == 0}
            for number, (slug, name) in enumerate(tree.names[pk] for pk in source.category_ids)
        ],
        "pricing_model": source.pricing_model or None,
        "country": source.country or None,
        "stage": source.stage or None,
        "votes": 0,
        "followers": 0,
        "views": 0,
        "domain_rating": source.domain_rating,
        "status": source.public_status or source.status,
        "launch_week": source.launch_week and source.launch_week.isoformat(),
        "launched_at": moment(source.launched_at),
        "plan": source.plan,
        "featured": False,
        "claimed": source.claimed_by_method != "",
        "awards": [{"code": award["code"], "week": award["week"]} for award in source.awards],
        "page_url": f"/listings/{source.slug}",
        "api_url": f"/api/v1/listings/{source.slug}",
        "updated_at": moment(source.updated_at),
    }
    return Card(
        listing_id=source.id,
        body=orjson.dumps(body).decode(),
        featured_until=source.featured_until,
        counted_as=source.public_status,
        counted_in=sorted(source.category_ids) if is_live else [],
        counted_below=tree.lineage(source.category_ids) if is_live else [],
    )
