"""Django app of the drafts area."""

from django.apps import AppConfig


class DraftsConfig(AppConfig):
    """The drafts area."""

    name = "drafts"
