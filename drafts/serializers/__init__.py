"""What comes into the drafts area and what goes out."""

from drafts.serializers.parts import InviteOut
from drafts.serializers.shapes import DraftItemOut, DraftOut, SubmittedDraftOut
from drafts.serializers.values import InviteCofounderIn, SubmitListingIn, UpdateDraftIn

__all__ = [
    "DraftItemOut",
    "DraftOut",
    "InviteCofounderIn",
    "InviteOut",
    "SubmitListingIn",
    "SubmittedDraftOut",
    "UpdateDraftIn",
]
