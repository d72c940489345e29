from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.csrf import csrf_exempt
from django.views.generic.base import RedirectView

from accounts import urls as accounts
from claims import urls as claims
from config import account_data, discovery, health, home, media, metrics, pages, status
from config.docs import errors, operation, start
from config.docs import pages as docs
from config.mcp import pages as mcp_pages
from config.mcp import view as mcp
from core.api.errors import NotFoundError
from core.api.handler import respond
from core.methods import require_safe
from directory import urls as directory
from drafts import urls as drafts
from leaderboards import urls as leaderboards
from orders import urls as orders

API: list[URLPattern | URLResolver] = [
    path("", include(accounts.API)),
    path("", include(directory.API)),
    path("", include(leaderboards.API)),
    path("", include(drafts.API)),
    path("", include(claims.API)),
    path("", include(orders.API)),
    path("openapi.json", docs.openapi),
]
PAGES = [
    path("docs/mcp", mcp_pages.connect, name="docs_mcp"),
    path("docs/mcp/<str:name>", mcp_pages.tool_page, name="docs_mcp_tool"),
    path("llms.txt", discovery.llms),
    path(".well-known/security.txt", discovery.security),
    path(".well-known/jwks.json", discovery.jwks),
    path(".well-known/mcp/server.json", discovery.registry_manifest),
    path("", home.home, name="home"),
    path("share/home/<slug:digest>.png", home.home_image),
    path("theme", pages.choose_theme, name="choose_theme"),
    path("how-ranking-works", pages.how_ranking_works, name="how_ranking_works"),
    path("how-reviews-work", pages.how_reviews_work, name="how_reviews_work"),
    path("how-a-launch-works", pages.how_a_launch_works, name="how_a_launch_works"),
    path("how-drafts-are-written", pages.how_drafts_are_written, name="how_drafts_are_written"),
    path("crawler", pages.crawler, name="crawler"),
    path("status", status.status, name="status"),
    path("docs", docs.page, name="docs"),
    path("docs/operations/<slug:name>", operation.page, name="docs_operation"),
    path("docs/start", start.start, name="docs_start"),
    path("docs/changes", docs.changes, name="docs_changes"),
    path("docs/errors", errors.errors, name="docs_errors"),
    path("docs/events", start.events, name="docs_events"),
    path("docs/votes", start.votes, name="docs_votes"),
    path("docs/try", operation.try_it, name="docs_try"),
    path("account/data", account_data.overview, name="account_data"),
    path("account/data/export", account_data.export),
    path("account/data/erase", account_data.erase),
    path("media/<path:path>", media.media),
    path("favicon.ico", require_safe(RedirectView.as_view(url="/static/mark.svg"))),
]


@csrf_exempt  # cookies mean nothing to the API, and a form page is no answer here
def unknown_address(request: HttpRequest, rest: str = "") -> HttpResponse:
    """The problem object for an address of the API that nothing answers."""
    return respond(NotFoundError("There is nothing at this address."), request=request)


urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1/", include(API)),
    re_path(r"^api/(?P<rest>.*)$", unknown_address),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", metrics.metrics),
    path("mcp", mcp.endpoint, name="mcp"),
    path("mcp/", mcp.endpoint),
    path("", include(accounts.PAGES)),  # before allauth's, some of whose pages it has instead
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("admin/", admin.site.urls),
    path("", include(PAGES)),
    path("", include("accounts.oauth.urls")),
    path("", include(directory.PAGES)),
    path("", include(leaderboards.PAGES)),
    path("", include(drafts.PAGES)),
    path("", include(claims.PAGES)),
    path("", include(orders.PAGES)),
]
handler400 = "config.pages.bad_request"
handler404 = "config.pages.not_found"
handler500 = "config.pages.failed"
