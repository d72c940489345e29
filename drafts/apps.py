"""Django app of the drafts area."""

from importlib import import_module

from django.apps import AppConfig


class DraftsConfig(AppConfig):
    name = "drafts"

    def ready(self) -> None:
        """Connect the sign-in with the website that waits for it, now that the models are loaded."""
        import_module("drafts.beginning")
