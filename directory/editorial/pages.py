"""The site’s blog, what its listings post, and the pages whose text its owner sets: privacy, terms, contact."""

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from core.methods import require_safe
from directory import limits
from directory.editorial.posts import get_post, latest_updates, list_posts
from directory.models import SitePage
from directory.reading import PER_PAGE, page_number
from directory.search.cards import rows_of, summary
from directory.shown.pages.sharing import revised_at, share_of_post
from directory.sites.lookup import current_site

SHIPPED = Path(__file__).resolve().parents[1] / "data" / "pages"


@require_safe
def posts(request: HttpRequest) -> HttpResponse:
    q = request.GET.get("q", "")[: limits.BLOG_QUERY].replace("\0", "").strip()
    page = list_posts(
        site=current_site(request), at=timezone.now(), q=q, page=page_number(request), per_page=PER_PAGE
    )
    return render(request, "directory/posts.html", {"page": page, "q": q})


@require_safe
def post(request: HttpRequest, slug: str) -> HttpResponse:
    site = current_site(request)
    article = get_post(site=site, slug=slug, at=timezone.now())
    context = {"post": article, "revised_at": revised_at(article), "share": share_of_post(article, site=site)}
    return render(request, "directory/post.html", context)


@require_safe
def updates(request: HttpRequest) -> HttpResponse:
    rows = latest_updates(site=current_site(request))
    cards = rows_of([update.listing_id for update in rows])
    visible = [(update, summary(cards[update.listing_id])) for update in rows if update.listing_id in cards]
    return render(request, "directory/updates.html", {"rows": visible})


@require_safe
def site_page(request: HttpRequest, name: str) -> HttpResponse:
    """`/privacy`, `/terms`, `/contact`: the text of staff, or the one that we ship."""
    own = SitePage.objects.filter(site=current_site(request), name=name).first()
    text = own.markdown if own else (SHIPPED / f"{name}.md").read_text(encoding="utf-8")
    heading, _, rest = text.strip().partition("\n")
    context = {
        "title": heading.lstrip("# ").strip() or name.capitalize(),
        "text": rest.replace("{contact}", settings.CONTACT_EMAIL),
        "updated_at": own.updated_at if own else None,
    }
    return render(request, "directory/standing.html", context)
