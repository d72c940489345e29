from django.urls import path

from claims import pages
from claims.api import ClaimViewSet

API = [
    path("claims", ClaimViewSet.as_view({"get": "list_my_claims", "post": "claim_listing"})),
    path("claims/<str:claim_id>/verify", ClaimViewSet.as_view({"post": "verify_claim"})),
]
PAGES = [
    path("listings/<slug:slug>/claim", pages.claim, name="claim"),
    path("account/claims", pages.claims, name="account_claims"),
    path("claims/<int:claim_id>/check", pages.check),
    path("claims/confirm/<str:token>", pages.confirm, name="confirm_claim"),
]
