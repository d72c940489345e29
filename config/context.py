"""What every template knows."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

THEMES = ("light", "dark")


def site(request: HttpRequest) -> dict[str, Any]:
    """The site's name and address, and the theme the reader chose."""
    theme = request.COOKIES.get("theme", "")
    return {
        "site_name": settings.SITE_NAME,
        "site_url": settings.SITE_URL,
        "theme": theme if theme in THEMES else "",
        "request_id": getattr(request, "request_id", ""),
    }
