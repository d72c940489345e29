"""Standing pages whose text the site's owner sets: privacy, terms, contact."""

from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from directory.models import SitePage
from directory.sites.lookup import current_site

SHIPPED = Path(__file__).resolve().parents[2] / "data" / "pages"


@require_safe
def standing(request: HttpRequest, name: str) -> HttpResponse:
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
