"""The posts of the site's blog, and the newest updates of its listings."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.contrib.postgres.search import SearchQuery, SearchRank, SearchVector
from django.core.files.storage import default_storage
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Length

from core.api.errors import NotFoundError
from core.api.links import on_site
from core.api.pagination import Page
from directory.models import BlogPost, Listing, ListingUpdate, Site
from directory.search.cards import page_of

FIELDS = ("slug", "title", "excerpt", "author", "published_at", "updated_at", "length", "cover")
LETTERS_A_MINUTE = 1200
UPDATES_LISTED = 50


def published(*, site: Site, at: datetime) -> QuerySet[BlogPost]:
    return (
        BlogPost.objects.filter(site=site, published_at__isnull=False, published_at__lte=at)
        .annotate(length=Length("markdown"))
        .order_by("-published_at", "-pk")
    )


def list_posts(*, site: Site, at: datetime, q: str = "", page: int, per_page: int) -> Page:
    """Published posts, newest first, or those that `q` fits, best first."""
    rows = published(site=site, at=at)
    if any(letter.isalnum() for letter in q):
        query = SearchQuery(q, config="english", search_type="plain")
        words = SearchVector("title", weight="A", config="english") + SearchVector(
            "excerpt", "markdown", weight="C", config="english"
        )
        rows = (
            rows.annotate(words=words, fit=SearchRank(words, query))
            .filter(Q(words=query) | Q(title__icontains=q))
            .order_by("-fit", "-published_at", "-pk")
        )
    result = page_of(rows, fields=FIELDS, page=page, per_page=per_page)
    return replace(result, items=[_card(**dict(zip(FIELDS, row, strict=True))) for row in result.items])


def get_post(*, site: Site, slug: str, at: datetime) -> dict[str, Any]:
    """A published post in full. Raises NotFoundError."""
    is_public = Q(listings__status__in=["live", "scheduled"], listings__site=F("site"))
    post: Any = (
        published(site=site, at=at)
        .filter(slug=slug)
        .annotate(about=ArrayAgg("listings__slug", filter=is_public, order_by="listings__slug", default=[]))
        .first()
    )
    if post is None:
        raise NotFoundError("There is no such post.")
    card = _card(**{name: getattr(post, name) for name in FIELDS})
    return {**card, "markdown": post.markdown, "faqs": post.faqs, "listings": post.about}


def _card(*, slug: str, length: int, cover: Any, **values: Any) -> dict[str, Any]:
    return {
        "slug": slug,
        "title": values["title"],
        "excerpt": values["excerpt"],
        "author": values["author"] or None,
        "published_at": values["published_at"],
        "updated_at": values["updated_at"],
        "reading_minutes": max(1, round(length / LETTERS_A_MINUTE)),
        "cover_url": on_site(default_storage.url(str(cover))) if cover else None,
        "page_url": on_site(f"/blog/{slug}"),
    }


def latest_updates(*, site: Site) -> list[ListingUpdate]:
    rows = ListingUpdate.objects.filter(listing__site=site, listing__status=Listing.Status.LIVE)
    return list(rows.select_related("listing").order_by("-posted_at", "-pk")[:UPDATES_LISTED])
