"""`/share/curves/<token>.png`: the picture in the mails of a launch; its address stands in nothing else."""

from importlib import import_module

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from core.api.errors import NotFoundError
from directory.launches.launch_mail import curve_of

DRAWING = "directory.shown.sharing.curve"  # loads Pillow, so only once somebody asks
A_DAY = 86400


@require_safe
def curve(request: HttpRequest, token: str) -> HttpResponse:
    """Votes by the hour up to the moment of the mail."""
    by_hour = NotFoundError.unless(curve_of(token), "picture")
    response = HttpResponse(import_module(DRAWING).drawn(by_hour), content_type="image/png")
    response["Cache-Control"] = f"private, max-age={A_DAY}"
    response["X-Robots-Tag"] = "noindex"
    return response
