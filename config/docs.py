"""The OpenAPI file and the documentation page, both served by us."""

from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator

from core.rendering import dumps


@lru_cache(maxsize=1)
def schema() -> dict[str, Any]:
    """The OpenAPI 3.1 document, built once a process."""
    return SchemaGenerator().get_schema(request=None, public=True)


@lru_cache(maxsize=1)
def schema_bytes() -> bytes:
    """The document as it is served."""
    return dumps(schema())


@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """`/api/v1/openapi.json`."""
    headers = {"Cache-Control": "public, max-age=300", "Access-Control-Allow-Origin": "*"}
    return HttpResponse(schema_bytes(), content_type="application/json", headers=headers)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """`/docs`: every operation, readable without scripts and tried out with them."""
    return render(request, "docs.html", {"paths": schema()["paths"], "info": schema()["info"]})
