"""Redrawn logos and what staff uploaded, from a folder or a bucket; larger sites put a cache before `/media/`."""

import mimetypes

from django.core.exceptions import SuspiciousFileOperation
from django.core.files.storage import default_storage
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.http import http_date
from django.views.static import was_modified_since

from core.api.handler import UnavailableError
from core.methods import require_safe

YEAR = 365 * 86400
INLINE = {"image/png", "image/jpeg", "image/webp", "image/gif", "image/avif", "image/svg+xml"}


class StorageAwayError(UnavailableError, OSError):
    """The place where media are kept does not answer. `reason` is for us."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            "Pictures can be neither shown nor stored just now. Try again in a minute.",
            headers={"Retry-After": "15"},
        )
        self.reason = reason

    def __str__(self) -> str:
        return self.reason


@require_safe
def media(request: HttpRequest, path: str) -> HttpResponse | FileResponse:
    """`/media/<path>`: an image; anything else that lies in the storage is not for the public."""
    kind = mimetypes.guess_type(path)[0]
    if kind not in INLINE or ".." in path.split("/"):
        raise Http404(path)
    try:
        changed_at = default_storage.get_modified_time(path).timestamp()
        response = _sent(request, path, kind=kind, changed_at=changed_at)
    except StorageAwayError:
        return HttpResponse(status=503, headers={"Retry-After": "5"})
    except (OSError, SuspiciousFileOperation, ValueError) as error:  # no such file, or no name of a file
        raise Http404(path) from error
    # even a picture that somebody opens by itself runs nothing and asks for nothing
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = f"public, max-age={YEAR}, immutable"  # a name says what is in its file
    response["Last-Modified"] = http_date(changed_at)
    return response


def _sent(
    request: HttpRequest, path: str, *, kind: str, changed_at: float
) -> HttpResponseNotModified | FileResponse:
    if not was_modified_since(request.headers.get("If-Modified-Since"), changed_at):
        return HttpResponseNotModified()
    return FileResponse(default_storage.open(path), content_type=kind)
