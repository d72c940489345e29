"""Page addresses of the claims area."""

from django.urls import path

from claims import pages

urlpatterns = [
    path("listings/<slug:slug>/claim", pages.claim, name="claim"),
    path("account/claims", pages.claims, name="account_claims"),
    path("claims/<int:claim_id>/check", pages.check),
    path("claims/confirm/<str:token>", pages.confirm, name="confirm_claim"),
]
