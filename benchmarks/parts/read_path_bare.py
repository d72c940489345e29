"""A Django project with nothing in it but two views that answer the bytes of a file, as fast as Django can."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

COMPACT = {"ensure_ascii": False, "separators": (",", ":")}


@cache
def body(name: str) -> bytes:
    """What the service answered."""
    return (Path(os.environ["BARE_FOLDER"]) / name).read_bytes()


@cache
def parsed(name: str) -> Any:
    """The same as Python data."""
    return json.loads(body(name))


def sized(response: HttpResponse) -> HttpResponse:
    """With its length, which a middleware adds otherwise."""
    response["Content-Length"] = len(response.content)
    return response


def as_bytes(_request: HttpRequest, name: str) -> HttpResponse:
    """The bytes as they are."""
    return sized(HttpResponse(body(name), content_type="application/json"))


def as_json(_request: HttpRequest, name: str) -> HttpResponse:
    """The same bytes, written from Python data."""
    return sized(JsonResponse(parsed(name), json_dumps_params=COMPACT))


urlpatterns = [path("bytes/<str:name>", as_bytes), path("json/<str:name>", as_json)]
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"], MIDDLEWARE=[], USE_TZ=True)
django.setup()
application = get_wsgi_application()
