"""The service as its web server runs it, and in the same process the bare views, without any middleware."""

from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.test.utils import override_settings

from config.wsgi import application as service

BARE = "/bare/"

settings.ROOT_URLCONF = "benchmarks.parts.read_path_urls"
with override_settings(MIDDLEWARE=[]):
    bare = WSGIHandler()


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """One of the two."""
    handler = bare if environ["PATH_INFO"].startswith(BARE) else service
    return handler(environ, start_response)
