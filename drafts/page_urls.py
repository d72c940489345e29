"""Page addresses of the drafts area."""

from django.urls import path
from django.views.generic import RedirectView

from drafts.editing.pages import draft, tools
from drafts.invites.pages import invite
from drafts.requests.pages import submit

urlpatterns = [
    path("submit", submit, name="submit"),
    path("account/drafts", draft.drafts),
    path("drafts", RedirectView.as_view(url="/account/drafts")),
    path("drafts/<uuid:draft_id>", draft.draft, name="draft"),
    path("drafts/<uuid:draft_id>/progress", draft.progress),
    path("drafts/<uuid:draft_id>/edit", draft.edit),
    path("drafts/<uuid:draft_id>/again", draft.again),
    path("drafts/<uuid:draft_id>/logo", tools.send_logo),
    path("drafts/<uuid:draft_id>/logo/waiting", tools.logo_waiting),
    path("drafts/<uuid:draft_id>/photos/<int:photo_id>/waiting", tools.photo_waiting),
    path("drafts/<uuid:draft_id>/photos/<int:photo_id>/take", tools.take_photo),
    path("drafts/<uuid:draft_id>/photos/<int:photo_id>/remove", tools.take_photo_down),
    path("drafts/<uuid:draft_id>/preview", tools.preview),
    path("drafts/<uuid:draft_id>/invites", tools.invite),
    path("drafts/<uuid:draft_id>/delete", tools.delete),
    path("invites/<str:token>", invite, name="invite"),
]
