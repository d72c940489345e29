"""API addresses of the claims area."""

from django.urls import path

from claims.api import ClaimViewSet

urlpatterns = [
    path("claims", ClaimViewSet.as_view({"get": "list_my_claims", "post": "claim_listing"})),
    path("claims/<str:claim_id>/verify", ClaimViewSet.as_view({"post": "verify_claim"})),
]
