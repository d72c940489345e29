"""Inviting a co-founder, and what an invited person sends."""

import re
from collections.abc import Callable
from typing import Any

from django.core.mail import EmailMultiAlternatives

from drafts.models import Draft
from tests.conftest import Caller

Api = Callable[..., Caller]
API = "/api/v1/drafts"
PROFILE = {
    "name": "Mira Vale",
    "title": "Co-founder",
    "bio": "I keep the books.",
    "linkedin": "https://www.linkedin.com/in/miravale",
    "x": "",
    "github": "",
    "website": "",
    "consent": "on",
}


def invite(api: Api, draft: Draft, email: str = "mira@people.example") -> Any:
    return api("listings:write").post(f"{API}/{draft.pk}/invites", {"email": email})


def link(message: EmailMultiAlternatives) -> str:
    found = re.search(r"https?://\S+(/invites/\S+)", str(message.body))
    assert found, message.body
    return found[1]
