"""The main job through the client of openapi-python-client. Prints a line where a person has to act."""

import json
import sys
import time
from typing import Any, TypeVar

from attrs_client import AuthenticatedClient
from attrs_client.api.account import choose_free_listing, get_my_listing
from attrs_client.api.claims import claim_listing, verify_claim
from attrs_client.api.drafts import get_draft, submit_draft, submit_listing, update_draft
from attrs_client.api.orders import create_checkout, get_order, quote_order
from attrs_client.models import (
    CartRequest,
    Checkout,
    Claim,
    ClaimListingRequest,
    Draft,
    Order,
    OwnListing,
    Quote,
    SubmitListingRequest,
    SubmittedDraft,
    UpdateDraftRequest,
)

Kind = TypeVar("Kind")
FIELDS = {"tagline": "Invoices that arrive", "categories": ["Invoicing"]}


def got(kind: type[Kind], answer: object) -> Kind:
    """The answer, which must be of this kind."""
    assert isinstance(answer, kind), answer
    return answer


def ask(**request: str) -> None:
    """Let a person act."""
    sys.stdout.write(json.dumps(request) + "\n")
    sys.stdout.flush()
    sys.stdin.readline()


def main(site: str, key: str, url: str) -> dict[str, Any]:
    """From an address to a listing that is live, paid for and claimed."""
    with AuthenticatedClient(base_url=f"{site}/api/v1", token=key) as api:
        draft = got(Draft, submit_listing.sync(client=api, body=SubmitListingRequest(url=url)))
        while draft.status != "ready":
            assert draft.status != "failed", draft.error
            time.sleep(0.5)
            draft = got(Draft, get_draft.sync(draft.id, client=api))
        change = UpdateDraftRequest.from_dict({"fields": FIELDS})
        got(Draft, update_draft.sync(draft.id, client=api, body=change))
        saved = got(SubmittedDraft, submit_draft.sync(draft.id, client=api))
        got(OwnListing, choose_free_listing.sync(saved.listing_id, client=api))
        items = [{"product": "launch", "listing_id": saved.listing_id}]
        cart = CartRequest.from_dict({"items": items, "billing_country": "BE"})
        quote = got(Quote, quote_order.sync(client=api, body=cart))
        bought = got(Checkout, create_checkout.sync(client=api, body=cart))
        ask(pay=bought.checkout_url)
        order = got(Order, get_order.sync(bought.order.number, client=api))
        which = ClaimListingRequest.from_dict({"slug": saved.slug, "method": "file"})
        claim = got(Claim, claim_listing.sync(client=api, body=which))
        ask(publish=str(claim.instructions.to_dict()["file"]["content"]))
        proved = got(Claim, verify_claim.sync(claim.claim_id, client=api))
        listing = got(OwnListing, get_my_listing.sync(saved.listing_id, client=api))
    return {
        "tagline": listing.tagline,
        "status": listing.status,
        "claim": proved.status,
        "order": order.status,
        "as_quoted": order.total_cents == quote.total_cents,
    }


sys.stdout.write(json.dumps(main(*sys.argv[1:])) + "\n")
