"""Redrawn logos and what staff uploaded. Larger installations put a web server or a bucket in front of `/media/`."""

import mimetypes

from django.conf import settings
from django.core.exceptions import SuspiciousFileOperation
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from django.views.static import serve

DAY = 86400
SHOWN = {"image/png", "image/jpeg", "image/webp", "image/gif", "image/avif", "image/svg+xml"}


@require_safe
def media(request: HttpRequest, path: str) -> HttpResponse | FileResponse:
    """`/media/<path>`: an image; anything else that lies in the folder is not for the public."""
    if mimetypes.guess_type(path)[0] not in SHOWN:
        raise Http404(path)
    try:
        response = serve(request, path, document_root=str(settings.MEDIA_ROOT))
    except SuspiciousFileOperation as error:
        raise Http404(path) from error
    # even a picture that somebody opens by itself runs nothing and asks for nothing
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = f"public, max-age={DAY}"
    return response  # type: ignore[return-value]
