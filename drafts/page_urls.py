"""Page addresses of the drafts area."""

from django.urls import path

from drafts import pages, pages_invites, pages_submit, pages_tools

urlpatterns = [
    path("submit", pages_submit.submit, name="submit"),
    path("account/drafts", pages.drafts),
    path("drafts/<uuid:draft_id>", pages.draft, name="draft"),
    path("drafts/<uuid:draft_id>/progress", pages.progress),
    path("drafts/<uuid:draft_id>/edit", pages.edit),
    path("drafts/<uuid:draft_id>/again", pages.again),
    path("drafts/<uuid:draft_id>/logo", pages_tools.send_logo),
    path("drafts/<uuid:draft_id>/logo/waiting", pages_tools.logo_waiting),
    path("drafts/<uuid:draft_id>/preview", pages_tools.preview),
    path("drafts/<uuid:draft_id>/invites", pages_tools.invite),
    path("drafts/<uuid:draft_id>/delete", pages_tools.delete),
    path("invites/<str:token>", pages_invites.invite, name="invite"),
]
