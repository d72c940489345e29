"""How sign-in works here: by e-mail, with mail as jobs, counted per caller as everything else."""

import uuid
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.stagekit import clear_login
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from accounts.models import User
from core import mail, throttling
from core.links import absolute


def our_address(url: str) -> str:
    """The same page at the address from the settings; allauth goes by the Host header, we never do."""
    return absolute(urlsplit(url)._replace(scheme="", netloc="").geturl())


class AccountAdapter(DefaultAccountAdapter):
    """Sends sign-in mail through the jobs table, so that a mail server that is down loses nothing."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue a message of allauth's, made from our `<template_prefix>.txt`, subject first."""
        links = {name: our_address(value) for name, value in context.items() if name.endswith("_url")}
        context = {
            **context,
            **links,
            "email": email,
            "site_name": settings.SITE_NAME,
            "site_url": absolute(""),
        }
        subject, _, text = render_to_string(f"{template_prefix}.txt", context).strip().partition("\n")
        paragraphs = [paragraph.strip() for paragraph in text.split("\n\n") if paragraph.strip()]
        html = render_to_string("mail/plain.html", {**context, "subject": subject, "paragraphs": paragraphs})
        mail.queue(to=email, subject=subject, text=text, html=html, key=f"account-{uuid.uuid4()}")

    def get_client_ip(self, request: HttpRequest) -> str:
        """The network the API's limits count by, so that both doors agree."""
        return throttling.network(throttling.client_address(request))

    def pre_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse | None:
        """Stop an account that staff have suspended, after its credentials have proved right."""
        if user.is_suspended:
            clear_login(request)
            return self.respond_user_inactive(request, user)
        return super().pre_login(request, user, **options)
