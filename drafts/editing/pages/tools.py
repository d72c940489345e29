"""HTML doors beside the editor: see the listing before it is one, invite a co-founder, delete the draft."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone

from accounts.sessions import signed_in_act, signed_in_form, signed_in_page, user_of
from core.api import throttling
from core.api.errors import ApiError, InvalidRequestError
from directory.engagement.voting import Marks
from directory.images import uploads
from directory.images.uploads import LogoBox, sent_file
from directory.listings.pages.gallery import state_of
from directory.models import Upload
from directory.reading import texts_of, way_back
from drafts.errors import DraftNotReadyError
from drafts.invites import inviting
from drafts.models import Draft
from drafts.pictures import logos, photos
from drafts.publishing import saving
from drafts.shapes.inputs import InviteCofounderIn


@signed_in_page
def preview(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """`/drafts/<id>/preview`: the listing that this draft would be, on the listing's own page."""
    try:
        result = saving.preview(owner_id=user_of(request).pk, draft_id=draft_id, at=timezone.now())
    except (DraftNotReadyError, InvalidRequestError):
        messages.warning(request, "There is no preview yet: something that a listing needs is missing.")
        return HttpResponseRedirect(f"/drafts/{draft_id}")
    draft = Draft.objects.only("site_picture", "site_picture_url", "media").get(pk=draft_id)
    context = {
        "listing": result,
        "draft_id": draft_id,
        "draft": draft,
        "is_public": False,
        "stated_by": "you",
        "marks": Marks(),
        "site_picture": cover_of(draft),
        **texts_of(result),
    }
    return render(request, "drafts/preview.html", context)


def cover_of(draft: Draft) -> dict[str, Any] | None:
    """The picture that the website gives of itself, as pages show pictures."""
    is_there = draft.site_picture and draft.site_picture_url
    return {"url": draft.site_picture.url, "width": 1280, "height": 800} if is_there else None


def gallery_of(draft: Draft) -> dict[str, Any]:
    """What the group of the pictures shows: the maker's own, which a listing has once the draft is one."""
    from_site = cover_of(draft)
    if draft.listing_id:
        return {"cover": from_site, "from_site": from_site}
    waiting = uploads.waiting_beside(draft, "media", use=Upload.Use.DRAFT_MEDIA, draft_id=draft.pk)
    state = state_of(draft.media, waiting, at=f"/drafts/{draft.pk}/pictures")
    return {**state, "cover": next(iter(state["rows"]), from_site), "from_site": from_site}


def box_of(draft: Draft) -> LogoBox:
    rows = uploads.waiting_beside(draft, "logo", use=Upload.Use.DRAFT_LOGO, draft_id=draft.pk)
    file = str((draft.logo or {}).get("file") or "")
    own = (row.value for row in draft.field_rows.all() if (row.group, row.name) == ("fields", "name"))
    name = next(own, None) or draft.domain
    logo = draft.logo or {}
    return LogoBox(
        action=f"/drafts/{draft.pk}/logo",
        file=file,
        name=name,
        waiting=rows,
        problem=logo.get("problem", ""),
        is_coming=bool(logo) and not (file or logo.get("problem")),
    )


@signed_in_act
def send_logo(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    owner_id, body = user_of(request).pk, sent_file(request)
    Draft.objects.own(owner_id, draft_id)
    logos.send_logo(owner_id=owner_id, draft_id=draft_id, body=body, at=timezone.now())
    return HttpResponseRedirect(f"/drafts/{draft_id}#logo")


@signed_in_page
def logo_waiting(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    draft = Draft.objects.own(user_of(request).pk, draft_id)
    return render(request, "directory/parts/logo_state.html", {"box": box_of(draft)})


@signed_in_page
def photo_waiting(request: HttpRequest, draft_id: uuid.UUID, photo_id: int) -> HttpResponse:
    photo = photos.own_photo(owner_id=user_of(request).pk, draft_id=draft_id, photo_id=photo_id)
    return render(request, "directory/editor/founder_photo.html", {"photo": photo})


@signed_in_act
def take_photo(request: HttpRequest, draft_id: uuid.UUID, photo_id: int) -> HttpResponse:
    """`/drafts/<id>/photos/<id>/take`: the photo that stands on the website is fetched for its founder."""
    return _after(request, draft_id, photos.take, photo_id=photo_id, at=timezone.now())


@signed_in_act
def take_photo_down(request: HttpRequest, draft_id: uuid.UUID, photo_id: int) -> HttpResponse:
    return _after(request, draft_id, photos.take_down, photo_id=photo_id)


def _after(request: HttpRequest, draft_id: uuid.UUID, act: Any, **about: Any) -> HttpResponse:
    """Do it, and go back to the people of the editor that it was pressed in."""
    throttling.enforce("write", caller=f"user:{user_of(request).pk}")
    act(owner_id=user_of(request).pk, draft_id=draft_id, **about)
    editor = way_back(request, otherwise=f"/drafts/{draft_id}")
    return HttpResponseRedirect(f"{editor.partition('#')[0]}#field-founders")


@signed_in_act
def invite(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """`/drafts/<id>/invites`: mail an invitation to a co-founder."""
    throttling.enforce("write", caller=f"user:{user_of(request).pk}")
    Draft.objects.own(user_of(request).pk, draft_id)
    form = InviteCofounderIn(data={"email": request.POST.get("email", "").strip()})
    try:
        if form.is_valid():
            email = form.validated_data["email"]
            inviting.invite_cofounder(
                owner=user_of(request), draft_id=draft_id, email=email, at=timezone.now()
            )
            messages.success(request, f"{email} has an invitation. It works for 14 days.")
        else:
            messages.warning(request, "Enter an e-mail address, such as hello@example.com.")
    except ApiError as error:
        if error.status in {404, 429}:
            raise
        messages.warning(request, error.detail)
    return HttpResponseRedirect(f"/drafts/{draft_id}#field-invites")


@signed_in_form
def delete(request: HttpRequest, draft_id: uuid.UUID) -> HttpResponse:
    """`/drafts/<id>/delete`: says what goes, then forgets the draft."""
    owner_id = user_of(request).pk
    if request.method != "POST":
        return render(request, "drafts/delete.html", {"draft": Draft.objects.own(owner_id, draft_id)})
    domain = saving.delete_draft(owner_id=owner_id, draft_id=draft_id)
    messages.success(request, f"The draft of {domain} is deleted.")
    return HttpResponseRedirect("/account/drafts")
