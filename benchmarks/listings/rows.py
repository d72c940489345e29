"""A demo listing as the row of a site, with times counted back from the moment of loading."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from urllib.parse import quote

import orjson

from benchmarks.listings.data.shapes import DemoListing, DemoQuote
from directory import weeks
from directory.search.documents import Source, moment

LISTED_BEFORE_LAUNCH = timedelta(days=16)
CRAWLED_BEFORE = timedelta(days=3)
FEATURED_FOR, FEATURED_LEFT = timedelta(days=7), timedelta(days=5)


def launched_at(demo: DemoListing, *, at: datetime) -> datetime | None:
    """When it went live; nothing for one that is still to come."""
    if demo.status == "upcoming":
        return None
    if demo.launch_week is None:
        return at - timedelta(days=demo.listed_days_ago or 1)
    week = week_of(demo, at=at)
    return min(weeks.start(week), at) if week else None


def week_of(demo: DemoListing, *, at: datetime) -> date | None:
    """The Monday of its launch week."""
    return None if demo.launch_week is None else weeks.week_of(at) + demo.launch_week * weeks.WEEK


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a demo listing goes: its id, its site, and how many votes it has there."""

    listing_id: int
    site_id: int
    votes: int


def source_of(demo: DemoListing, *, place: Place, categories: Mapping[str, int], at: datetime) -> Source:
    """What lists and search show of it."""
    launched = launched_at(demo, at=at)
    created = (launched or at) - LISTED_BEFORE_LAUNCH
    return Source(
        id=place.listing_id,
        site_id=place.site_id,
        status="scheduled" if demo.status == "upcoming" else demo.status,
        slug=demo.slug,
        name=demo.name,
        tagline=demo.tagline,
        short_description=demo.short_description,
        description=demo.description,
        url=demo.url,
        domain=demo.domain,
        host=demo.domain,
        logo_url="",
        logo="",
        pricing_model=demo.pricing_model or "",
        country=demo.country or "",
        stage=demo.stage or "",
        keywords=list(demo.keywords),
        tags=list(demo.tags),
        plan=demo.plan,
        claimed_by_method=demo.claimed_by_method or "",
        awards=[],
        domain_rating=None,
        featured_until=at + FEATURED_LEFT if demo.is_featured else None,
        launch_week=week_of(demo, at=at),
        launched_at=launched,
        created_at=created,
        updated_at=max(created, min(at, launched or at)),
        category_ids=[categories[slug] for slug in demo.categories],
        votes=place.votes,
    )


def details_of(demo: DemoListing, *, at: datetime) -> dict[str, Any]:
    """What only its profile shows of it, by column."""
    crawled = (launched_at(demo, at=at) or at) - CRAWLED_BEFORE
    return {
        "pricing_summary": demo.pricing_summary or "",
        "city": demo.city or "",
        "founded_year": demo.founded_year,
        "contact_email": demo.contact_email or "",
        "demo_video_url": demo.demo_video_url or "",
        "features": list(demo.features),
        "usps": list(demo.usps),
        "faqs": as_json([{"question": faq.question, "answer": faq.answer} for faq in demo.faqs]),
        "socials": as_json(demo.socials),
        "story": as_json(demo.story),
        "evidence": as_json(
            {field: [_evidence(one, at=crawled) for one in quotes] for field, quotes in demo.evidence.items()}
        ),
        "not_found": as_json([{"field": field, "reason": reason} for field, reason in demo.not_found]),
        "claim_checked_at": crawled if demo.claimed_by_method else None,
        "last_crawled_at": crawled,
    }


def as_json(value: Any) -> str:
    """A value of a JSON column."""
    return orjson.dumps(value).decode()


def _evidence(one: DemoQuote, *, at: datetime) -> dict[str, Any]:
    page = f"{one.page_title}\n{one.quote}".encode()
    return {
        "quote": one.quote,
        "url": one.url,
        "link": f"{one.url}#:~:text={quote(one.quote, safe='')}",
        "page_title": one.page_title,
        "source": one.source,
        "start": None,
        "end": None,
        "page_sha256": hashlib.sha256(page).hexdigest(),
        "fetched_at": moment(at),
    }
