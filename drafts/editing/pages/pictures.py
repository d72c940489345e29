"""The pictures in the editor of a draft: its maker's own, and the one that the website gives of itself."""

import uuid
from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.sessions import user_of
from directory.listings.pages.gallery import Doors, PictureForm
from drafts import selectors
from drafts.editing.pages import draft as editor
from drafts.editing.pages.tools import gallery_of
from drafts.models import Draft
from drafts.pictures import gallery


def _state(*, owner_id: int, draft_id: uuid.UUID) -> dict[str, Any]:
    return gallery_of(Draft.objects.own(owner_id, draft_id))


def _refused(request: HttpRequest, form: PictureForm, *, draft_id: uuid.UUID) -> HttpResponse:
    view = selectors.draft_view(owner_id=user_of(request).pk, draft_id=draft_id)
    return editor.editor_page(request, view, picture_form=form)


DOORS = Doors(services=gallery, state=_state, refused=_refused, editor="/drafts/{draft_id}#in-pictures")
