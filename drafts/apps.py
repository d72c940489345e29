"""Django app of the drafts area."""

from importlib import import_module

from django.apps import AppConfig

from core import event_types


class DraftsConfig(AppConfig):
    name = "drafts"

    def ready(self) -> None:
        """Connect sign-ins with websites that wait, reviews with who was invited, and declare what drafts tell of."""
        import_module("drafts.beginning")
        import_module("drafts.services.invited")
        event_types.declare(
            "drafts.event_items.draft_item",
            draft__ready="A draft is ready to check",
            draft__failed="A website could not be read, so its draft failed",
        )
