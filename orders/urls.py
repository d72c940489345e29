"""API addresses of the orders area."""

from django.urls import path

from orders.views import OrderViewSet, ProductViewSet

urlpatterns = [
    path("products", ProductViewSet.as_view({"get": "list_products"})),
    path("orders", OrderViewSet.as_view({"get": "list_my_orders"})),
    path("orders/quote", OrderViewSet.as_view({"post": "quote_order"})),
    path("orders/checkout", OrderViewSet.as_view({"post": "create_checkout"})),
    path("orders/<str:number>", OrderViewSet.as_view({"get": "get_order"})),
]
