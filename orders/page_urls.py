"""Page addresses of the orders area, and the doors of payment providers."""

from django.urls import path

from orders import pages_sandbox, views_webhooks

urlpatterns = [
    path("pay/test/<str:token>", pages_sandbox.pay),
    path("webhooks/<slug:provider>", views_webhooks.webhook),
]
