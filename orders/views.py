from functools import partial
from typing import Any

from django.utils import timezone

from accounts.authentication import SignedInRequest
from core.api.caching import Public
from core.api.errors import NotFoundError, check_all
from core.api.operations import OperationViewSet, operation
from core.api.pagination import Page, own_list_in, paginate_own
from core.api.scopes import Scope
from core.api.throttling import network_caller
from directory.sites.lookup import current_site
from orders import checkout, quoting, vat_numbers
from orders.errors import CODES
from orders.models import Order
from orders.products.launch import Launch
from orders.promos import Caller
from orders.quoting import Quote
from orders.selectors import catalogue
from orders.selectors import orders as selectors
from orders.serializers.carts import CartIn
from orders.serializers.catalogue import ProductListOut
from orders.serializers.orders import CheckoutOut, OrderOut, QuoteOut
from orders.vat import NumberCheck

NUMBER_PART = {"number": "The order's number, as create_checkout and list_my_orders give it."}
A_CART = {
    "items": [{"product": Launch.code, "listing_id": 981, "week": "2026-11-30"}],
    "billing_country": "DE",
    "promo_code": "LAUNCH20",
}


class ProductViewSet(OperationViewSet):
    @operation(returns=ProductListOut, cache=Public(stamps=("listings", "products")))
    def list_products(self, request: Any) -> catalogue.ProductList:
        """List what can be bought, with prices before VAT, the weeks on sale and each product's options."""
        return catalogue.product_list(site=current_site(request), at=timezone.now())


def check_vat_number(view: Any, request: SignedInRequest, *, body: dict[str, Any]) -> NumberCheck:
    """Ask for the VAT number before the transaction begins."""
    return vat_numbers.check_number(
        vat_number=body.get("vat_number", ""), country=body.get("billing_country", ""), at=timezone.now()
    )


def cart_rules(request: SignedInRequest, *, body: dict[str, Any]) -> None:
    """What is wrong with items and VAT number beside what the shape of a cart refuses."""
    at = timezone.now()
    items = body.get("items") or []
    check_all(
        partial(
            quoting.refuse_items, user_id=request.user.pk, site=current_site(request), items=items, at=at
        ),
        partial(
            quoting.refuse_number, body.get("vat_number"), country=body.get("billing_country", ""), at=at
        ),
    )


def buyer_of(request: SignedInRequest) -> Caller:
    return Caller(user_id=request.user.pk, network=network_caller(request))


class OrderViewSet(OperationViewSet):
    @operation(
        scope=Scope.ORDERS_WRITE,
        body=CartIn,
        returns=QuoteOut,
        keyed=False,
        prepare=check_vat_number,
        rules=cart_rules,
        codes=CODES,
        opens_world=True,
    )
    def quote_order(self, request: SignedInRequest, *, body: dict[str, Any], prepared: NumberCheck) -> Quote:
        """Price a cart with today's prices, VAT and a promo code. Nothing is saved or charged.

        Every option is checked, and everything that is wrong is named at once.
        """
        return quoting.quote_order(
            buyer=buyer_of(request), site=current_site(request), cart=body, number=prepared, at=timezone.now()
        )

    @operation(
        scope=Scope.ORDERS_WRITE,
        body=CartIn,
        returns=CheckoutOut,
        status=201,
        location="/orders/{order[number]}",
        prepare=check_vat_number,
        rules=cart_rules,
        codes=CODES,
        opens_world=True,
    )
    def create_checkout(
        self, request: SignedInRequest, *, body: dict[str, Any], prepared: NumberCheck
    ) -> Order:
        """Build an order and get the link where a person reviews it, gives billing details and pays.

        Hand checkout_url to the person; no program can pay. Send an idempotency key, so that trying again makes no
        second order. Weeks are held when the person starts to pay, not before. Then get_order tells the status.
        """
        return checkout.create_checkout(
            buyer=buyer_of(request), site=current_site(request), cart=body, number=prepared, at=timezone.now()
        )

    @operation(scope=Scope.ACCOUNT_READ, query=own_list_in(Order.Status), returns=OrderOut, paged=True)
    def list_my_orders(self, request: SignedInRequest, *, query: dict[str, Any]) -> Page:
        """List your orders, newest first, with status and lines."""
        return paginate_own(selectors.my_orders(owner_id=request.user.pk), **query)

    @operation(scope=(Scope.ACCOUNT_READ, Scope.ORDERS_WRITE), parts=NUMBER_PART, returns=OrderOut)
    def get_order(self, request: SignedInRequest, *, number: str) -> Order:
        """Get one of your orders: status, totals with VAT, lines and whether each was fulfilled."""
        order = selectors.my_order(owner_id=request.user.pk, number=number)
        if order is None:
            raise NotFoundError("You have no such order.")
        return order


def order_item(*, user_id: int, thing: str) -> dict[str, Any] | None:
    """The order as list_my_orders gives it."""
    row = selectors.my_orders(owner_id=user_id).filter(pk=thing).first()
    return None if row is None else OrderOut.render(row)
