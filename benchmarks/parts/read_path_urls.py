"""The service's addresses, and beside them bare Django views that answer the bytes of a file."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import path

from config.urls import urlpatterns as service

COMPACT = {"ensure_ascii": False, "separators": (",", ":")}


@cache
def kept(name: str) -> bytes:
    """What the service answered."""
    return (Path(os.environ["BARE_FOLDER"]) / name).read_bytes()


@cache
def parsed(name: str) -> Any:
    """The same as Python data."""
    return json.loads(kept(name))


def sized(response: HttpResponse) -> HttpResponse:
    """With its length, which a middleware adds otherwise."""
    response["Content-Length"] = len(response.content)
    return response


def as_bytes(_request: HttpRequest, name: str) -> HttpResponse:
    """The bytes as they are."""
    return sized(HttpResponse(kept(name), content_type="application/json"))


def as_json(_request: HttpRequest, name: str) -> HttpResponse:
    """The same bytes, written from Python data."""
    return sized(JsonResponse(parsed(name), json_dumps_params=COMPACT))


urlpatterns = [
    path("bare/bytes/<str:name>", as_bytes),
    path("bare/json/<str:name>", as_json),
    path("within/json/<str:name>", as_json),
    *service,
]
