"""Django app of the claims area."""

from django.apps import AppConfig


class ClaimsConfig(AppConfig):
    """The claims area."""

    name = "claims"
