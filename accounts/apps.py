from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        """Connect the proof of an address with what it ends: `receivers` needs the models, which are loaded now."""
        autodiscover_modules("receivers")
