"""The pictures in an editor: its group of them, and what its doors of a draft and of a listing share."""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils import timezone

from accounts.sessions import signed_in_act, signed_in_form, signed_in_page, user_of
from core.api import throttling
from core.api.errors import InvalidRequestError
from directory import limits
from directory.images import uploads
from directory.images.pictures import SCREEN_BYTES
from directory.images.uploads import LogoBox
from directory.listings import media
from directory.listings.pages.sections import is_part
from directory.listings.profile import picture_of, site_picture_of
from directory.models import Listing, Upload

ACCEPTED = "image/png,image/jpeg,image/webp"


class FilesInput(forms.FileInput):
    """A field for several files; of these the form itself takes the others."""

    allow_multiple_selected = True

    def value_from_datadict(self, _data: Any, files: Any, name: str) -> Any:
        return files.get(name)


class WordsForm(forms.Form):
    alt = forms.CharField(
        label="What it shows",
        help_text="One sentence, for people who can’t see it.",
        max_length=limits.PICTURE_WORDS,
        error_messages={"required": "Say in one sentence what it shows, and choose the file again."},
    )


class PictureForm(WordsForm):
    """Files, and what one shows in words; of several each is described once it is there."""

    picture = forms.FileField(
        label="Add pictures",
        help_text="Or drop or paste them. PNG, JPEG or WebP, up to 4 MB and 8 megapixels each.",
        widget=FilesInput(
            attrs={
                "class": "input drop",
                "accept": ACCEPTED,
                "data-most": SCREEN_BYTES,
                "aria-describedby": "hint-picture",
            }
        ),
    )
    field_order = ("picture", "alt")

    def __init__(self, *args: Any, is_of_several: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        for entry in self.fields.values():
            entry.widget.attrs["form"] = "gallery-add"  # the group stands inside of the editor's form
        self.bodies: list[UploadedFile] = self.files.getlist("picture") if self.files else []
        self.is_of_several = is_of_several or len(self.bodies) > 1
        if self.is_of_several:
            self.fields["alt"].required = False
        elif not self.is_bound:
            self.fields["alt"].help_text += " With several at once, describe each once it’s there."


class Doors:
    """The addresses of the pictures of a kind, such as listings: `key` is what the address names one by.

    `services` has what is done to them, `state` what the group shows, and `refused` is the editor over a form that was
    not taken. Scripts get the group as it is then, everybody else the editor.
    """

    def __init__(
        self,
        *,
        services: Any,
        state: Callable[..., dict[str, Any]],
        refused: Callable[..., HttpResponse],
        editor: str,
    ) -> None:
        self.services, self.state, self.refused, self.editor = services, state, refused, editor

    def paths(self, at: str) -> list[URLPattern]:
        return [
            path(at, signed_in_form(self.pictures)),
            path(f"{at}/waiting", signed_in_page(self.waiting)),
            path(f"{at}/words", signed_in_act(self.describe)),
            path(f"{at}/<slug:name>/remove", signed_in_act(self.remove)),
            path(f"{at}/<slug:name>/move", signed_in_act(self.move)),
            path(f"{at}/uploads/<int:upload_id>/remove", signed_in_act(self.dismiss)),
        ]

    def pictures(self, request: HttpRequest, **key: Any) -> HttpResponse:
        """Take more of them; they are looked at in the editor."""
        owner_id = user_of(request).pk
        self.state(owner_id=owner_id, **key)
        if request.method != "POST":
            return HttpResponseRedirect(self.editor.format(**key))
        throttling.enforce("write", caller=f"user:{owner_id}")
        form = PictureForm(request.POST, request.FILES, is_of_several=is_part(request))
        if form.is_valid() and self._received(form, owner_id=owner_id, **key):
            return self._answer(request, "Added.", key)
        refusal = form.errors.get("picture", form.errors.get("alt", [""]))[0]
        if is_part(request):
            return HttpResponse(refusal, status=400, content_type="text/plain")
        messages.warning(request, f"Not added. {refusal}")
        return self.refused(request, form, **key)

    def _received(self, form: PictureForm, **about: Any) -> bool:
        """Whether all files of the form could be taken; what is wrong with the others stands at their field."""
        alt = "" if len(form.bodies) > 1 else form.cleaned_data["alt"]
        for body in form.bodies:
            try:
                self.services.add_picture(**about, body=body.read(), alt=alt, at=timezone.now())
            except InvalidRequestError as error:
                name = "" if len(form.bodies) == 1 else f"{body.name}: "
                form.add_error("picture", f"{name}{error.detail}")
        return not form.errors

    def _answer(
        self, request: HttpRequest, words: str, key: dict[str, Any], *, level: int = messages.SUCCESS
    ) -> HttpResponse:
        if is_part(request):
            context = {**self.state(owner_id=user_of(request).pk, **key), "said": words}
            return render(request, "directory/editor/gallery_part.html", context)
        messages.add_message(request, level, words)
        return HttpResponseRedirect(self.editor.format(**key))

    def changed(
        self, request: HttpRequest, change: Callable[..., Any], words: str, key: dict[str, Any], **how: Any
    ) -> HttpResponse:
        """Do it, and say so or why not."""
        owner_id, level = user_of(request).pk, messages.SUCCESS
        throttling.enforce("write", caller=f"user:{owner_id}")
        try:
            change(owner_id=owner_id, at=timezone.now(), **key, **how)
        except InvalidRequestError as error:
            words, level = error.detail, messages.ERROR
        return self._answer(request, words, key, level=level)

    def waiting(self, request: HttpRequest, **key: Any) -> HttpResponse:
        """The group as it is now, while some are being prepared."""
        context = self.state(owner_id=user_of(request).pk, **key)
        return render(request, "directory/editor/gallery_part.html", context)

    def remove(self, request: HttpRequest, name: str, **key: Any) -> HttpResponse:
        return self.changed(request, self.services.remove_picture, "Removed.", key, name=name)

    def move(self, request: HttpRequest, name: str, **key: Any) -> HttpResponse:
        """To another place."""
        typed = request.POST.get("to", "")
        if not typed.isdecimal() or len(typed) > 3:
            self.state(owner_id=user_of(request).pk, **key)
            return self._answer(request, "Say by a number where it goes.", key, level=messages.ERROR)
        return self.changed(request, self.services.move_picture, "Moved.", key, name=name, to=int(typed))

    def describe(self, request: HttpRequest, **key: Any) -> HttpResponse:
        """What they show, as far as it was typed."""
        names = [field.removeprefix("alt-") for field in request.POST if field.startswith("alt-")]
        typed = {name: " ".join(request.POST.get(f"alt-{name}", "").split()) for name in names}
        alts = {name: alt for name, alt in typed.items() if alt}
        if any(len(alt) > limits.PICTURE_WORDS for alt in alts.values()):
            words = f"Say in up to {limits.PICTURE_WORDS} letters what a picture shows."
            return self._answer(request, words, key, level=messages.ERROR)
        return self.changed(request, self.services.describe_pictures, "Saved.", key, alts=alts)

    def dismiss(self, request: HttpRequest, upload_id: int, **key: Any) -> HttpResponse:
        """One that waits, or was refused."""
        owner_id = user_of(request).pk
        self.state(owner_id=owner_id, **key)
        uploads.dismiss(by_id=owner_id, upload_id=upload_id)
        return self._answer(request, "Removed.", key)


def state_of(rows: Sequence[dict[str, Any]], waiting: Sequence[Upload], *, at: str) -> dict[str, Any]:
    """What the group says of pictures that are there and of those that wait, and where its presses go."""
    return {
        "gallery": at,
        "rows": [picture_of(row) | {"name": media.name_of(row)} for row in rows],
        "is_described": all(row.get("alt") for row in rows),
        "waiting": waiting,
        "is_full": len(rows) + len(waiting) >= limits.PICTURES,
        "most": limits.PICTURES,
        "words": limits.PICTURE_WORDS,
    }


def gallery_of(listing: Listing) -> dict[str, Any]:
    waiting = uploads.waiting_beside(listing, "media", media.coming(listing))
    site_picture = site_picture_of(listing.site_picture)
    state = state_of(listing.media, waiting, at=f"/account/listings/{listing.pk}/pictures")
    return {
        **state,
        "fetched": listing.site_picture or {},
        "cover": next(iter(state["rows"]), site_picture),
        "site_picture": site_picture,
        "removed": media.removed_pictures(listing.pk).first(),
    }


def box_of(listing: Listing) -> LogoBox:
    rows = uploads.waiting_beside(listing, "logo", use=Upload.Use.LOGO, listing_id=listing.pk)
    file, action = str(listing.logo.name or ""), f"/account/listings/{listing.pk}/logo"
    return LogoBox(action=action, file=file, name=listing.name, waiting=rows)
