"""The pages that belong to no area: errors, the theme, and prose about how the site works."""

import sys

from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponsePermanentRedirect,
    HttpResponseRedirect,
    JsonResponse,
)
from django.shortcuts import render
from django.template import loader
from django.urls import is_valid_path
from django.utils import timezone
from django.utils.encoding import iri_to_uri
from django.utils.http import escape_leading_slashes, url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from config.context import THEMES
from config.page_answers import PROGRAMS
from core.api.errors import NotFoundError
from core.api.handler import PROBLEM, InternalError, answer
from core.methods import require_safe
from core.outages import is_outage
from directory.sites.lookup import current_site
from drafts.crawl.report import Budget
from orders.pricing import share
from orders.quoting import public_rate
from orders.selectors.catalogue import product_list
from orders.vat import NOTHING
from orders.wording import country_name

YEAR = 365 * 86400
CHOICES = {"theme": THEMES, "keys": ("off",)}


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404 for people, who are led to a page that differs by its last slash; a problem object for programs."""
    if request.path.startswith(PROGRAMS):
        status, body, _, headers = answer(NotFoundError("There is nothing at this address."), request=request)
        return JsonResponse(body, status=status, headers=headers, content_type=PROBLEM)
    path = request.path.removesuffix("/") if request.path.endswith("/") else f"{request.path}/"
    if request.resolver_match is None and request.method in {"GET", "HEAD"} and is_valid_path(path):
        query = f"?{request.META['QUERY_STRING']}" if request.META["QUERY_STRING"] else ""
        return HttpResponsePermanentRedirect(escape_leading_slashes(iri_to_uri(path)) + query)
    return render(request, "404.html", status=404)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400 for people, a problem object for programs: a host that is not ours, a body that is too large."""
    status, body, _, headers = answer(exception, request=request)
    if request.path.startswith(PROGRAMS):
        return JsonResponse(body, status=status, headers=headers, content_type=PROBLEM)
    return _bare("400.html", request, status=status, detail=body["detail"])


def failed(request: HttpRequest) -> HttpResponse:
    """500, or 503 while the database is away, for people; a problem object for programs."""
    error = sys.exc_info()[1]
    is_away = is_outage(error)
    fault = error if is_away else InternalError("This is our fault and has been logged.")
    status, body, _, headers = answer(fault, request=request)  # type: ignore[arg-type]
    if request.path.startswith(PROGRAMS):
        return JsonResponse(body, status=status, headers=headers, content_type=PROBLEM)
    return _bare("503.html" if is_away else "500.html", request, status=status, headers=headers)


def _bare(
    template: str,
    request: HttpRequest,
    *,
    status: int,
    headers: dict[str, str] | None = None,
    detail: str = "",
) -> HttpResponse:
    """A page rendered without the request: whatever failed may be what the usual layout needs."""
    context = {
        "request_id": getattr(request, "request_id", ""),
        "site_name": settings.SITE_NAME,
        "detail": detail,
    }
    return HttpResponse(loader.render_to_string(template, context), status=status, headers=headers)


@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Remember light or dark, or that the / key does nothing, or neither any more; go back to the page."""
    target = request.POST.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, allowed_hosts=None):
        target = "/"
    response = HttpResponseRedirect(target)
    name = "keys" if "keys" in request.POST else "theme"
    choice = request.POST.get(name, "")
    if choice in CHOICES[name]:
        response.set_cookie(name, choice, max_age=YEAR, samesite="Lax", secure=settings.HTTPS, httponly=True)
    else:
        response.delete_cookie(name)
    return response


@require_safe
def how_ranking_works(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/how_ranking_works.html")


@require_safe
def how_reviews_work(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/how_reviews_work.html")


@require_safe
def how_a_launch_works(request: HttpRequest) -> HttpResponse:
    now = timezone.now()
    result = product_list(site=current_site(request), at=now)
    rate = public_rate(at=now)
    on_sale = [
        (spec, price.amount_cents + share(price.amount_cents, rate or NOTHING))
        for spec, price in result.products
        if price.is_on_sale and result.is_open
    ]
    context = {
        "products": on_sale,
        "currency": result.currency,
        "taxed_in": country_name(settings.SELLER_COUNTRY) if rate is not None else "",
    }
    return render(request, "pages/how_a_launch_works.html", context)


@require_safe
def how_drafts_are_written(request: HttpRequest) -> HttpResponse:
    return render(request, "pages/how_drafts_are_written.html", {"has_model": bool(settings.OPENAI_API_KEY)})


@require_safe
def crawler(request: HttpRequest) -> HttpResponse:
    budget = Budget()
    context = {
        "token": settings.CRAWLER_TOKEN,
        "user_agent": settings.CRAWLER_USER_AGENT,
        "pages": budget.pages,
        "connections": budget.connections,
        "seconds": round(budget.site_seconds),
        "delay": round(budget.max_delay),
    }
    return render(request, "pages/crawler.html", context)
