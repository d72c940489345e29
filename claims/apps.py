"""Django app of the claims area."""

from importlib import import_module

from django.apps import AppConfig

from directory.listings import proofs


class ClaimsConfig(AppConfig):
    """The claims area."""

    name = "claims"

    def ready(self) -> None:
        """Tell listings how they can be claimed, and have edits of contested ones refused."""
        proofs.methods = import_module("claims.methods").METHODS
        import_module("claims.services.freezing")
