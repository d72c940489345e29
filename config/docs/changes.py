"""The page of changes: what is new for who uses the site or the API. CHANGELOG.md says it to who runs them."""

from pathlib import Path

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from config.release import version

NEWS = Path(__file__).parent / "news.md"


@require_safe
def changes(request: HttpRequest) -> HttpResponse:
    """`/docs/changes`: the news of each version, newest first."""
    text = NEWS.read_text(encoding="utf-8")
    return render(request, "docs/changes.html", {"text": text, "version": version()})
