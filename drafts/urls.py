from django.urls import path
from django.views.generic import RedirectView

from core.methods import require_safe
from drafts.api import DraftViewSet
from drafts.editing.pages import draft, pictures, tools
from drafts.invites.pages import invite
from drafts.requests.pages import submit

API = [
    path("drafts", DraftViewSet.as_view({"get": "list_my_drafts", "post": "submit_listing"})),
    path("drafts/<str:id>", DraftViewSet.as_view({"get": "get_draft", "patch": "update_draft"})),
    path("drafts/<str:id>/invites", DraftViewSet.as_view({"post": "invite_cofounder"})),
    path("drafts/<str:id>/submit", DraftViewSet.as_view({"post": "submit_draft"})),
]
PAGES = [
    path("submit", submit, name="submit"),
    path("account/drafts", draft.drafts),
    path("drafts", require_safe(RedirectView.as_view(url="/account/drafts"))),
    path("drafts/<uuid:draft_id>", draft.draft, name="draft"),
    path("drafts/<uuid:draft_id>/progress", draft.progress),
    path("drafts/<uuid:draft_id>/edit", draft.edit),
    path("drafts/<uuid:draft_id>/again", draft.again),
    path("drafts/<uuid:draft_id>/logo", tools.send_logo),
    path("drafts/<uuid:draft_id>/logo/waiting", tools.logo_waiting),
    *pictures.DOORS.paths("drafts/<uuid:draft_id>/pictures"),
    path("drafts/<uuid:draft_id>/photos/<int:photo_id>/waiting", tools.photo_waiting),
    path("drafts/<uuid:draft_id>/photos/<int:photo_id>/take", tools.take_photo),
    path("drafts/<uuid:draft_id>/photos/<int:photo_id>/remove", tools.take_photo_down),
    path("drafts/<uuid:draft_id>/preview", tools.preview),
    path("drafts/<uuid:draft_id>/invites", tools.invite),
    path("drafts/<uuid:draft_id>/delete", tools.delete),
    path("invites/<str:token>", invite, name="invite"),
]
