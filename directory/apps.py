"""Django app of the directory area."""

from django.apps import AppConfig


class DirectoryConfig(AppConfig):
    """The directory area."""

    name = "directory"
