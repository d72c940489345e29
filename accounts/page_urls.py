"""Page addresses of the accounts area."""

from django.urls import path

from accounts import pages

urlpatterns = [
    path("account", pages.overview, name="account_overview"),
    path("account/keys", pages.keys, name="account_keys"),
    path("account/keys/<int:key_id>/rotate", pages.rotate_key, name="rotate_key"),
    path("account/keys/<int:key_id>/revoke", pages.revoke_key, name="revoke_key"),
]
