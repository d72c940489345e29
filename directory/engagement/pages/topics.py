from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.sessions import signed_in, user_of
from core.api import throttling
from directory import limits
from directory.engagement import topics
from directory.reading import way_back
from directory.sites.lookup import current_site

FULL = f"You follow {limits.TOPICS_FOLLOWED} makers and categories. Stop one of them in your account first."


@require_http_methods(["GET", "HEAD", "POST"])
def follow_founder(request: HttpRequest, slug: str) -> HttpResponse:
    return _follow(request, kind=topics.FOUNDER, slug=slug, page=f"/founders/{slug}")


@require_http_methods(["GET", "HEAD", "POST"])
def follow_category(request: HttpRequest, slug: str) -> HttpResponse:
    """`/categories/<slug>/follow`: what launches in it and below it comes by mail, on Mondays."""
    return _follow(request, kind=topics.CATEGORY, slug=slug, page=f"/categories/{slug}")


def _follow(request: HttpRequest, *, kind: str, slug: str, page: str) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect_to_login(page)
    return _followed(request, kind=kind, slug=slug, page=page)


@signed_in
def _followed(request: HttpRequest, *, kind: str, slug: str, page: str) -> HttpResponse:
    if request.method != "POST":
        return HttpResponseRedirect(page)
    user, site = user_of(request), current_site(request)
    throttling.enforce("vote", caller=f"user:{user.pk}")
    is_followed = False
    if request.POST.get("do") == "unfollow":
        topics.unfollow(kind=kind, slug=slug, user=user, site=site)
    else:
        is_followed = topics.follow(kind=kind, slug=slug, user=user, site=site, at=timezone.now())
        if not is_followed:
            messages.warning(request, FULL)
    here = way_back(request, otherwise=page)
    if not request.headers.get("X-Part"):
        return HttpResponseRedirect(here)
    context = {
        "is_followed": is_followed,
        "path": page,
        "name": topics.name_of(kind=kind, slug=slug),
        "back": here,
    }
    return render(request, "directory/parts/follow_topic.html", context)
