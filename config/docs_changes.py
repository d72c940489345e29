"""The page of changes: what a user of the site or the API can notice, from the changelog."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def changes(request: HttpRequest) -> HttpResponse:
    """`/docs/changes`: CHANGELOG.md, whose first line is the page's heading."""
    _, _, text = (settings.BASE_DIR / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n")
    return render(request, "docs/changes.html", {"text": text})
