"""Django app of the directory area."""

from django.apps import AppConfig


class DirectoryConfig(AppConfig):
    name = "directory"
