"""What the pages of this area say of themselves to those who link to them, and their card images."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from core.api.errors import NotFoundError
from core.methods import require_safe
from directory import weeks
from directory.categories.tree import get_category
from directory.editorial.posts import get_post
from directory.launches.calendar import launch_week
from directory.listings.profile import covers, get_listing
from directory.models import Site
from directory.people.founders import get_founder
from directory.shown.sharing import (
    Picture,
    Row,
    Share,
    crumbs,
    day,
    image_response,
    shortened,
    stated,
    stored,
    stored_logo,
    web_addresses,
)
from directory.sites.lookup import current_site

Facts = Mapping[str, Any]
WEEK_TITLES = {"current": "Launches this week", "past": "Launches of the week", "future": "Coming up"}
PLACES = 3


def share_of_listing(listing: Facts, *, site: Site, cover: Facts | None) -> Share:
    """A public profile with its picture: no vote count, which is another one when the image is seen."""
    category = next((row for row in listing["categories"] if row["primary"]), None)
    foot = f"Launch week of {day(listing['launch_week'])}" if listing["launch_week"] else ""
    text = listing["tagline"] or listing["short_description"] or ""
    path = f"/listings/{listing['slug']}"
    way = [("Home", "/"), (listing["name"], path)]
    if category:
        way.insert(1, (category["name"], f"/categories/{category['slug']}"))
    return Share(
        title=f"{listing['name']}: {text}" if text else listing["name"],
        text=shortened(listing["short_description"] or text),
        path=path,
        type="product",
        picture=Picture(
            site=site.name,
            title=listing["name"],
            text=text,
            foot=foot or (category["name"] if category else ""),
            logo=stored_logo(listing),
            letter=listing["name"][:1],
            cover=stored(cover["url"]) if cover else "",
        ),
        data=[*_product(listing, category=category), crumbs(*way)],
    )


def _product(result: Facts, *, category: Facts | None) -> list[dict[str, Any]]:
    """The listing and its questions as search engines take them: what is stated, and the rating that the page shows."""
    free = {"@type": "Offer", "price": "0", "priceCurrency": settings.CURRENCY}
    product = stated(
        "Product",
        name=result["name"],
        description=result["short_description"] or result["tagline"],
        url=result["page_url"],
        image=result["logo_url"] if stored_logo(result) else None,
        sameAs=web_addresses(result["url"], *result["socials"].values()),
        category=category and category["name"],
        aggregateRating=_rating(result["community_rating"]),
        offers=free if result["pricing_model"] == "free" else None,
    )
    questions = [
        {
            "@type": "Question",
            "name": row["question"],
            "acceptedAnswer": {"@type": "Answer", "text": row["answer"]},
        }
        for row in result["faqs"]
    ]
    return [product, *([stated("FAQPage", mainEntity=questions)] if questions else [])]


def _rating(rating: Facts) -> dict[str, Any] | None:
    if rating["average"] is None:
        return None
    return {
        "@type": "AggregateRating",
        "ratingValue": rating["average"],
        "reviewCount": rating["count"],
        "bestRating": 5,
        "worstRating": 1,
    }


def share_of_week(result: Facts, *, site: Site) -> Share:
    """A launch week; the first three once they are final, since the votes of a running week go on."""
    monday = result["week"]
    total = result.get("total", len(result["items"]))
    launches = f"{total} launch{'' if total == 1 else 'es'}"
    days, is_final = weeks.span(monday), result["final"] and result["items"]
    rows = tuple(
        Row(name=row["name"], text=row["tagline"] or "", logo=stored_logo(row))
        for row in (item["listing"] for item in result["items"][:PLACES])
    )
    title = WEEK_TITLES[result["status"]]
    path = f"/weeks/{monday}"
    return Share(
        title=f"{title}, {days}",
        text=f"{launches}, ranked by the votes of people.",
        path=path,
        picture=Picture(
            site=site.name,
            title=days,
            kicker=title,
            text="" if is_final else "Ranked by the votes of people, and nothing else.",
            foot=f"{launches} · final, by community votes" if is_final else "",
            rows=rows if is_final else (),
        ),
    )


def share_of_category(category: Facts, *, site: Site) -> Share:
    path, parent = f"/categories/{category['slug']}", category["parent"]
    text = category["description"] or f"Products in {category['name']}, most voted first."
    above = [(parent["name"], f"/categories/{parent['slug']}")] if parent else []
    return Share(
        title=category["name"],
        text=shortened(text),
        path=path,
        picture=Picture(site=site.name, kicker="Category", title=category["name"], text=text),
        data=[crumbs(("Categories", "/categories"), *above, (category["name"], path))],
    )


def share_of_founder(founder: Facts, *, site: Site) -> Share:
    path = f"/founders/{founder['slug']}"
    made = ", ".join(company["name"] for company in founder["companies"])
    return Share(
        title=f"{founder['name']}, {founder['title']}" if founder["title"] else founder["name"],
        text=shortened(founder["bio"] or f"Maker of {made}."),
        path=path,
        type="profile",
        picture=Picture(
            site=site.name,
            title=founder["name"],
            text=made,
            kicker=founder["title"] or "Founder",
            letter=founder["name"][:1],
        ),
        data=[
            stated(
                "Person",
                name=founder["name"],
                jobTitle=founder["title"],
                description=founder["bio"],
                url=founder["page_url"],
                sameAs=web_addresses(*founder["socials"].values()),
            ),
            crumbs(("Founders", "/founders"), (founder["name"], path)),
        ],
    )


def share_of_post(post: Facts, *, site: Site) -> Share:
    path, revised = f"/blog/{post['slug']}", revised_at(post)
    return Share(
        title=post["title"],
        text=shortened(post["excerpt"]),
        path=path,
        type="article",
        picture=Picture(
            site=site.name,
            title=post["title"],
            text=post["excerpt"],
            foot=" · ".join(part for part in (post["author"], day(post["published_at"])) if part),
        ),
        data=[
            stated(
                "BlogPosting",
                headline=post["title"],
                datePublished=post["published_at"].isoformat(),
                dateModified=revised and revised.isoformat(),
                url=post["page_url"],
                author=post["author"] and {"@type": "Person", "name": post["author"]},
            ),
            crumbs(("Blog", "/blog"), (post["title"], path)),
        ],
    )


def revised_at(post: Facts) -> datetime | None:
    """When a post was last changed, if that was after the day it came out on."""
    return post["updated_at"] if post["updated_at"].date() > post["published_at"].date() else None


def _week(site: Site, key: str) -> Share:
    try:
        monday = weeks.parse(key, at=timezone.now())
    except ValueError as error:
        raise NotFoundError("There is no such week.") from error
    return share_of_week(launch_week(site=site, week=monday, at=timezone.now()), site=site)


# How the image of each kind of page finds its subject by what its address names
SUBJECTS: Mapping[str, Callable[[Site, str], Share]] = {
    "listings": lambda site, slug: share_of_listing(
        get_listing(site=site, slug=slug), site=site, cover=covers(site=site, slugs=[slug]).get(slug)
    ),
    "weeks": _week,
    "categories": lambda site, slug: share_of_category(
        get_category(site=site, slug=slug, page=1, per_page=1)[0], site=site
    ),
    "founders": lambda site, slug: share_of_founder(get_founder(site=site, slug=slug), site=site),
    "blog": lambda site, slug: share_of_post(get_post(site=site, slug=slug, at=timezone.now()), site=site),
}


@require_safe
def image(request: HttpRequest, kind: str, subject: str, digest: str) -> HttpResponse:
    return image_response(request, SUBJECTS[kind](current_site(request), subject))
