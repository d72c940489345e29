"""Django app of the accounts area."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The accounts area."""

    name = "accounts"
