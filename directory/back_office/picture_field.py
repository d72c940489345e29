"""A picture of a form of staff: drawn anew in the process that draws owners' pictures, never by the request."""

import hashlib
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile, UploadedFile

from directory.images.drawings import PictureRefusedError
from directory.images.pictures import LEAST_SCREEN, MAX_PIXELS, SCREEN_BYTES, SCREEN_SIDES
from directory.images.process import PicturesBusyError, drawn_apart

MEGABYTES, MEGAPIXELS = SCREEN_BYTES // 1024 // 1024, MAX_PIXELS // 1_000_000
HELP = (
    f"PNG, JPEG or WebP, at most {MEGABYTES} MB and {MEGAPIXELS} megapixels,"
    f" at least {LEAST_SCREEN} pixels high and wide. Shown at most {SCREEN_SIDES[0]} pixels wide."
)


class PictureField(forms.FileField):
    """An uploaded picture becomes a file of ours, named by what is in it. Nothing of it is decoded here."""

    widget = forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"})

    def clean(self, data: Any, initial: Any = None) -> Any:
        """The picture as it is stored; without a new one what there was, and `False` where it is taken away."""
        value = super().clean(data, initial)
        return self._drawn(value) if isinstance(value, UploadedFile) else value

    @staticmethod
    def _drawn(values: UploadedFile) -> SimpleUploadedFile:
        if (values.size or 0) > SCREEN_BYTES:
            raise ValidationError(f"The file has more than {MEGABYTES} MB.")
        try:
            content = drawn_apart(values.read()).content
        except PictureRefusedError as error:
            raise ValidationError(str(error)) from error
        except PicturesBusyError as error:
            raise ValidationError(error.detail) from error
        name = f"{hashlib.sha256(content).hexdigest()[:24]}.webp"
        return SimpleUploadedFile(name, content, "image/webp")
