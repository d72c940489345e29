"""The box of a logo, which the pages of a listing and of a draft have."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from accounts.sessions import user_of
from core.api import throttling
from directory.models import Upload


@dataclass(frozen=True, kw_only=True)
class LogoBox:
    """A logo as it is, where another is sent to, and what waits or was refused."""

    action: str
    file: str
    name: str
    waiting: Sequence[Upload]


def sent_file(request: HttpRequest) -> bytes:
    """The file of a form, counted like a call of the API; nothing where none was chosen."""
    throttling.enforce("write", caller=f"user:{user_of(request).pk}")
    file = request.FILES.get("picture")
    return file.read() if file else b""
