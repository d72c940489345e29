"""Django app of the accounts area."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """The accounts area."""

    name = "accounts"

    def ready(self) -> None:
        """Connect the proof of an address with what it ends."""
        from allauth.account.signals import email_confirmed  # noqa: PLC0415  (models, which are loaded now)

        from accounts.receivers import begin_with_proof  # noqa: PLC0415

        email_confirmed.connect(begin_with_proof)
