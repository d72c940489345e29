"""The pictures of a listing, as the editor's group of them shows them."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from directory import limits
from directory.images import uploads
from directory.listings import media, own
from directory.listings.profile import site_picture_of
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
    )


class PictureForm(WordsForm):
    """Files, and what one shows in words; of several each is described once it is there."""

    picture = forms.FileField(
        label="Add pictures",
        help_text="PNG, JPEG or WebP, up to 4 MB and 8 megapixels each. Choose, drop or paste them.",
        widget=FilesInput(attrs={"accept": ACCEPTED}),
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


def gallery_of(listing: Listing) -> dict[str, Any]:
    waiting = uploads.waiting_beside(listing, "media", use=Upload.Use.GALLERY, listing_id=listing.pk)
    rows, site_picture = own.pictures_of(listing), site_picture_of(listing.site_picture)
    return {
        "gallery": f"/account/listings/{listing.pk}/pictures",
        "fetched": listing.site_picture or {},
        "rows": rows,
        "cover": next(iter(rows), site_picture),
        "waiting": waiting,
        "is_full": len(listing.media) + len(waiting) >= limits.PICTURES,
        "most": limits.PICTURES,
        "words": limits.PICTURE_WORDS,
        "site_picture": site_picture,
        "removed": media.removed_pictures(listing.pk).first(),
    }
