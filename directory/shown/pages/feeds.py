from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from core.api.bodies import dumps
from core.api.caching import fresh
from core.api.errors import NotFoundError
from core.fetch import split_url
from core.methods import require_safe
from directory.shown import entries as feeds
from directory.shown.entries import Feed, atom, calendar, json_feed
from directory.sites.lookup import current_site

FORMS: dict[str, tuple[str, Callable[[Feed], bytes]]] = {
    "atom": ("application/atom+xml; charset=utf-8", atom),
    "json": ("application/feed+json; charset=utf-8", lambda feed: dumps(json_feed(feed))),
}
CALENDAR = "text/calendar; charset=utf-8"
OPEN = {
    "Cache-Control": "public, max-age=300, stale-while-revalidate=300",
    "Access-Control-Allow-Origin": "*",
}


@require_safe
def launches(request: HttpRequest, form: str) -> HttpResponse:
    return _feed(request, form, lambda: feeds.launches_feed(site=current_site(request), at=timezone.now()))


@require_safe
def category(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    return _feed(
        request, form, lambda: feeds.category_feed(site=current_site(request), slug=slug, at=timezone.now())
    )


@require_safe
def blog(request: HttpRequest, form: str) -> HttpResponse:
    return _feed(request, form, lambda: feeds.blog_feed(site=current_site(request), at=timezone.now()))


@require_safe
def awards(request: HttpRequest, form: str) -> HttpResponse:
    return _feed(request, form, lambda: feeds.awards_feed(site=current_site(request), at=timezone.now()))


@require_safe
def updates(request: HttpRequest, slug: str, form: str) -> HttpResponse:
    return _feed(request, form, lambda: feeds.updates_feed(site=current_site(request), slug=slug))


@require_safe
def launch_weeks(request: HttpRequest) -> HttpResponse:
    site = current_site(request)
    result = feeds.launch_weeks(site=site, at=timezone.now())
    host = split_url(settings.SITE_URL).hostname or "localhost"
    body = calendar(name=site.name, host=host, launch_weeks=result)
    return fresh(request, body, media_type=CALENDAR, headers=OPEN)


def _feed(request: HttpRequest, form: str, read: Callable[[], Feed]) -> HttpResponse:
    if form not in FORMS:
        raise Http404
    media_type, write = FORMS[form]
    try:
        feed = read()
    except NotFoundError as error:
        raise Http404 from error
    return fresh(request, write(feed), media_type=media_type, headers=OPEN)
