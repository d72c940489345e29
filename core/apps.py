"""Django app of the core area."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    """The core area."""

    name = "core"
