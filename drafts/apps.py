from importlib import import_module

from django.apps import AppConfig

from core import event_types


class DraftsConfig(AppConfig):
    name = "drafts"

    def ready(self) -> None:
        """Connect sign-ins, reviews, sent logos and edits of listings with drafts, and declare what drafts tell of."""
        for hook in ("requests.pages", "invites.inviting", "editing.following"):
            import_module(f"drafts.{hook}")
        event_types.declare(
            "drafts.api.draft_item",
            draft__ready="A draft is ready to check",
            draft__failed="A website could not be read, so its draft failed",
        )
