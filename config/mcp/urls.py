"""The endpoint, its pages, and where programs find it."""

from django.urls import path
from django.views.decorators.csrf import csrf_exempt

from config import discovery
from config.mcp import pages, view

urlpatterns = [
    path("mcp", view.endpoint, name="mcp"),
    path("mcp/", view.endpoint),
    path("docs/mcp", pages.connect, name="docs_mcp"),
    path("docs/mcp/<str:name>", pages.tool_page, name="docs_mcp_tool"),
    path("llms.txt", csrf_exempt(discovery.llms)),
    path(".well-known/security.txt", csrf_exempt(discovery.security)),
    path(".well-known/jwks.json", csrf_exempt(discovery.jwks)),
    path(".well-known/mcp/server.json", csrf_exempt(discovery.registry_manifest)),
]
