"""The site's blog."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from directory import limits
from directory.reading import PER_PAGE, page_number
from directory.selectors.editorial import get_post, list_posts
from directory.selectors.sites import current_site


@require_safe
def posts(request: HttpRequest) -> HttpResponse:
    """`/blog`."""
    q = request.GET.get("q", "")[: limits.BLOG_QUERY].replace("\0", "").strip()
    page = list_posts(
        site=current_site(request), at=timezone.now(), q=q, page=page_number(request), per_page=PER_PAGE
    )
    return render(request, "directory/posts.html", {"page": page, "q": q})


@require_safe
def post(request: HttpRequest, slug: str) -> HttpResponse:
    """`/blog/<slug>`."""
    found = get_post(site=current_site(request), slug=slug, at=timezone.now())
    structured = {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        "headline": found["title"],
        "datePublished": found["published_at"].isoformat(),
        "dateModified": found["updated_at"].isoformat(),
        "url": found["page_url"],
        **({"author": {"@type": "Person", "name": found["author"]}} if found["author"] else {}),
    }
    return render(request, "directory/post.html", {"post": found, "structured": structured})
