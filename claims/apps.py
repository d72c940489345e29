"""Django app of the claims area."""

from django.apps import AppConfig


class ClaimsConfig(AppConfig):
    """The claims area."""

    name = "claims"

    def ready(self) -> None:
        """Have edits of contested listings looked at."""
        from claims.services import freezing  # noqa: F401, PLC0415  (models have to be there first)
