"""Django app of the core area."""

from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "core"
