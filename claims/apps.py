"""Django app of the claims area."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class ClaimsConfig(AppConfig):
    """The claims area."""

    name = "claims"

    def ready(self) -> None:
        """Have edits of contested listings looked at: `freezing` needs the models, which are loaded now."""
        autodiscover_modules("services.freezing")
