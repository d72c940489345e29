from django.urls import path

from orders.pages import account, buying, checkout, places, webhooks
from orders.views import OrderViewSet, ProductViewSet

LINK = "checkout/<str:number>/<str:signature>"

API = [
    path("products", ProductViewSet.as_view({"get": "list_products"})),
    path("orders", OrderViewSet.as_view({"get": "list_my_orders"})),
    path("orders/quote", OrderViewSet.as_view({"post": "quote_order"})),
    path("orders/checkout", OrderViewSet.as_view({"post": "create_checkout"})),
    path("orders/<str:number>", OrderViewSet.as_view({"get": "get_order"})),
]
PAGES = [
    path(LINK, checkout.checkout, name="checkout"),
    path(f"{LINK}/back", checkout.back),
    path(f"{LINK}/part", checkout.part),
    path(f"{LINK}/refund", checkout.ask_refund),
    path(f"{LINK}/place", places.answer_place),
    path(f"{LINK}/documents/<str:invoice_number>", checkout.document),
    path("account/orders", account.orders, name="account_orders"),
    path("account/orders/<str:number>", account.order, name="account_order"),
    path("account/orders/<str:number>/cancel", account.cancel),
    path("account/orders/<str:number>/refund", account.ask_refund),
    path("account/orders/<str:number>/lines/<int:line_id>", account.decide),
    path("account/orders/<str:number>/invoices/<str:invoice_number>", account.document),
    path("account/listings/<int:listing_id>/buy", buying.buy, name="buy"),
    path("account/listings/<int:listing_id>/buy/featured", buying.featured, name="buy_featured"),
    path("pay/test/<str:token>", webhooks.pay),
    path("webhooks/<slug:provider>", webhooks.webhook),
]
