"""How sign-in works here: by e-mail, with mail as jobs."""

import uuid
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter

from core import mail


class AccountAdapter(DefaultAccountAdapter):
    """Sends sign-in mail through the jobs table, so that a mail server that is down loses nothing."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue a message of allauth's."""
        message = self.render_mail(template_prefix, email, context)
        mail.queue(
            to=email,
            subject=str(message.subject),
            text=str(message.body),
            html=next((str(body) for body, kind in getattr(message, "alternatives", []) if kind == "text/html"), ""),
            key=f"account-{uuid.uuid4()}",
        )
