"""API addresses of the accounts area."""

from django.urls import path

from accounts.views import AccountViewSet

urlpatterns = [path("me", AccountViewSet.as_view({"get": "get_account"}))]
