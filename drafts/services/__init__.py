"""Changes to drafts, one function per operation."""

from drafts.services.discarding import delete_draft, preview
from drafts.services.editing import update_draft
from drafts.services.following import drafts_of
from drafts.services.inviting import accept_invite, invite_cofounder
from drafts.services.logos import send_logo
from drafts.services.publishing import submit_draft
from drafts.services.rereading import read_website_again
from drafts.services.sent_logos import use_logo
from drafts.services.submitting import submit_listing, try_again
from drafts.services.writing import write_from_website

__all__ = [
    "accept_invite",
    "delete_draft",
    "drafts_of",
    "invite_cofounder",
    "preview",
    "read_website_again",
    "send_logo",
    "submit_draft",
    "submit_listing",
    "try_again",
    "update_draft",
    "use_logo",
    "write_from_website",
]
