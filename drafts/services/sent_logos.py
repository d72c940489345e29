"""A logo that an owner sent for a draft becomes the draft's, as if its address had been typed."""

from datetime import datetime

from directory.images import files, uploads
from directory.images.own_logos import address_of, named
from directory.images.pictures import Made
from directory.models import Upload
from drafts.services.editing import update_draft


@uploads.finishes(Upload.Use.DRAFT_LOGO)
def use_logo(upload: Upload, made: Made, at: datetime) -> None:
    """A draft that is a listing already hands it on, as an edit like others."""
    if upload.draft_id is None:
        return
    name, content = named(made)
    files.store(name, content)
    upload.file.name = name
    changes = {"fields": {"logo_url": address_of(name)}}
    update_draft(owner_id=upload.by_id, draft_id=upload.draft_id, changes=changes, at=at)
