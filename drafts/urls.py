"""API addresses of the drafts area."""

from django.urls import path

from drafts.api import DraftViewSet

urlpatterns = [
    path("drafts", DraftViewSet.as_view({"get": "list_my_drafts", "post": "submit_listing"})),
    path("drafts/<str:id>", DraftViewSet.as_view({"get": "get_draft", "patch": "update_draft"})),
    path("drafts/<str:id>/invites", DraftViewSet.as_view({"post": "invite_cofounder"})),
    path("drafts/<str:id>/submit", DraftViewSet.as_view({"post": "submit_draft"})),
]
