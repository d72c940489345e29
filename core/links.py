"""Absolute addresses of this service, made from settings and never from the request's Host header."""

from django.conf import settings


def absolute(path: str) -> str:
    """The public address of a path of this service."""
    return f"{settings.SITE_URL}{path}"


def challenge(*, resource: str = "api/v1", **parameters: str) -> str:
    """A `WWW-Authenticate` value (RFC 6750, RFC 9728) that points to the protected-resource metadata."""
    parameters = {
        "resource_metadata": absolute(f"/.well-known/oauth-protected-resource/{resource}"),
        **parameters,
    }
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in parameters.items())
