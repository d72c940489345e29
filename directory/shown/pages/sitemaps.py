"""What search engines ask for: robots.txt and the sitemap, an index by type."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from xml.sax.saxutils import escape

from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import conditional_page

from core.api.errors import NotFoundError
from core.api.links import absolute, on_site
from core.methods import require_safe
from directory.editorial.posts import published
from directory.launches.calendar import years
from directory.models import Category, Founder, Listing, Site
from directory.sites.lookup import current_site

IDS_A_FILE = 20_000
OPEN = ("/api/v1/openapi.json",)  # the description of the API, which llms.txt names
CLOSED = (
    "/account",
    "/accounts/",
    "/admin/",
    "/api/",
    "/drafts/",
    "/listings/*/visit",
    "/oauth/",
    "/search",
    "/submit",
    "/theme",
)
FIXED = (
    "/",
    "/categories",
    "/founders",
    "/blog",
    "/awards",
    "/hall-of-fame",
    "/programmes",
    "/weeks/this",
    "/docs",
    "/how-ranking-works",
    "/how-reviews-work",
    "/how-a-launch-works",
)
Address = tuple[str, datetime | None]


def _fixed(site: Site, _number: int) -> Iterator[Address]:
    yield from ((path, None) for path in FIXED)
    yield from ((f"/best/{year}", None) for year in years(site=site, at=timezone.now()))


def _categories(_site: Site, _number: int) -> Iterator[Address]:
    yield from ((f"/categories/{slug}", None) for slug in Category.objects.values_list("slug", flat=True))


def _posts(site: Site, _number: int) -> Iterator[Address]:
    for post in published(site=site, at=timezone.now()).only("slug", "updated_at"):
        yield f"/blog/{post.slug}", post.updated_at


def _listings(site: Site, number: int) -> Iterator[Address]:
    rows = Listing.objects.public().filter(
        site=site, pk__gte=number * IDS_A_FILE, pk__lt=(number + 1) * IDS_A_FILE
    )
    for slug, at in rows.order_by("pk").values_list("slug", "updated_at"):
        yield f"/listings/{slug}", at


def _founders(site: Site, number: int) -> Iterator[Address]:
    rows = Founder.objects.filter(pk__gte=number * IDS_A_FILE, pk__lt=(number + 1) * IDS_A_FILE)
    live = rows.filter(founded__listing__site=site, founded__listing__status=Listing.Status.LIVE)
    for slug in live.order_by("pk").values_list("slug", flat=True).distinct():
        yield f"/founders/{slug}", None


SECTIONS: dict[str, Callable[[Site, int], Iterator[Address]]] = {
    "pages": _fixed,
    "categories": _categories,
    "blog": _posts,
    "listings": _listings,
    "founders": _founders,
}
NUMBERED: dict[str, type[Listing] | type[Founder]] = {"listings": Listing, "founders": Founder}


def _xml(root: str, entry: str, addresses: Iterator[Address]) -> HttpResponse:
    lines = [
        f"<{entry}><loc>{escape(on_site(path))}</loc>"
        + (f"<lastmod>{at.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}</lastmod>" if at else "")
        + f"</{entry}>"
        for path, at in addresses
    ]
    body = "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
            *lines,
            f"</{root}>",
        ]
    )
    return HttpResponse(
        body, content_type="application/xml", headers={"Cache-Control": "public, max-age=3600"}
    )


@require_safe
@conditional_page
def index(_request: HttpRequest) -> HttpResponse:
    files: list[Address] = []
    for name in SECTIONS:
        model = NUMBERED.get(name)
        highest = model.objects.aggregate(highest=Max("pk"))["highest"] or 0 if model else 0
        files += [(f"/sitemaps/{name}-{number}.xml", None) for number in range(highest // IDS_A_FILE + 1)]
    return _xml("sitemapindex", "sitemap", iter(files))


@require_safe
@conditional_page
def section(request: HttpRequest, name: str, number: int) -> HttpResponse:
    if name not in SECTIONS or number > IDS_A_FILE or (number and name not in NUMBERED):
        raise NotFoundError("There is no such sitemap.")
    return _xml("urlset", "url", SECTIONS[name](current_site(request), number))


@require_safe
def robots(_request: HttpRequest) -> HttpResponse:
    lines = [
        "User-agent: *",
        *(f"Allow: {path}" for path in OPEN),
        *(f"Disallow: {path}" for path in CLOSED),
        "",
        f"Sitemap: {absolute('/sitemap.xml')}",
        "",
    ]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")
