from importlib import import_module

from django.apps import AppConfig

from core import event_types
from directory.listings import proofs


class ClaimsConfig(AppConfig):
    name = "claims"

    def ready(self) -> None:
        """Tell listings how they can be claimed, have edits of contested ones refused, declare what claims tell of."""
        proofs.methods = import_module("claims.methods").METHODS
        import_module("claims.ownership.owning")
        event_types.declare(
            "claims.api.claim_item",
            claim__verified="A claim was verified",
            claim__contested="A claim is contested: you and somebody else proved the same listing",
            claim__lapsed="The proof of a claim is gone, so it lapsed",
        )
