"""The main job through the client of OpenAPI Generator. Prints a line where a person has to act."""

import json
import sys
import time
from typing import Any

from pydantic_client import AccountApi, ApiClient, ClaimsApi, Configuration, DraftsApi, OrdersApi
from pydantic_client.models.cart_request import CartRequest
from pydantic_client.models.claim_listing_request import ClaimListingRequest
from pydantic_client.models.draft_fields_request import DraftFieldsRequest
from pydantic_client.models.item_request import ItemRequest
from pydantic_client.models.submit_listing_request import SubmitListingRequest
from pydantic_client.models.update_draft_request import UpdateDraftRequest


def ask(**request: str) -> None:
    """Let a person act."""
    sys.stdout.write(json.dumps(request) + "\n")
    sys.stdout.flush()
    sys.stdin.readline()


def main(site: str, key: str, url: str) -> dict[str, Any]:
    """From an address to a listing that is live, paid for and claimed."""
    with ApiClient(Configuration(host=f"{site}/api/v1", access_token=key)) as client:
        drafts, account = DraftsApi(client), AccountApi(client)
        orders, claims = OrdersApi(client), ClaimsApi(client)
        draft = drafts.submit_listing(SubmitListingRequest(url=url))
        while draft.status != "ready":
            assert draft.status != "failed", draft.error
            time.sleep(0.5)
            draft = drafts.get_draft(draft.id)
        fields = DraftFieldsRequest(tagline="Invoices that arrive", categories=["Invoicing"])
        drafts.update_draft(draft.id, update_draft_request=UpdateDraftRequest(fields=fields))
        saved = drafts.submit_draft(draft.id)
        account.choose_free_listing(saved.listing_id)
        item = ItemRequest(product="launch", listing_id=saved.listing_id)
        cart = CartRequest(items=[item], billing_country="BE")
        quote = orders.quote_order(cart)
        bought = orders.create_checkout(cart)
        ask(pay=bought.checkout_url)
        order = orders.get_order(bought.order.number)
        claim = claims.claim_listing(ClaimListingRequest(slug=saved.slug, method="file"))
        assert claim.instructions.file is not None
        ask(publish=claim.instructions.file.content)
        proved = claims.verify_claim(claim.claim_id)
        listing = account.get_my_listing(saved.listing_id)
    return {
        "tagline": listing.tagline,
        "status": listing.status,
        "claim": proved.status,
        "order": order.status,
        "as_quoted": order.total_cents == quote.total_cents,
    }


sys.stdout.write(json.dumps(main(*sys.argv[1:])) + "\n")
