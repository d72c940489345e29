"""API addresses of the orders area."""

from django.urls import path

from orders.views import ProductViewSet

urlpatterns = [path("products", ProductViewSet.as_view({"get": "list_products"}))]
