"""Every address of the service."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.csrf import csrf_exempt

from config import health, metrics
from config.docs import pages as docs
from core.api.errors import NotFoundError
from core.api.handler import respond

API: list[URLPattern | URLResolver] = [
    path("", include("accounts.urls")),
    path("", include("directory.urls")),
    path("", include("leaderboards.urls")),
    path("", include("drafts.urls")),
    path("", include("claims.urls")),
    path("", include("orders.urls")),
    path("openapi.json", docs.openapi),
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
    path("", include("accounts.page_urls")),  # before allauth's, some of whose pages it has instead
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("admin/", admin.site.urls),
    path("", include("config.mcp.urls")),
    path("", include("config.page_urls")),
    path("", include("accounts.oauth.urls")),
    path("", include("directory.page_urls")),
    path("", include("leaderboards.page_urls")),
    path("", include("drafts.page_urls")),
    path("", include("claims.page_urls")),
    path("", include("orders.page_urls")),
]
handler400 = "config.pages.bad_request"
handler404 = "config.pages.not_found"
handler500 = "config.pages.failed"
