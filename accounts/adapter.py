"""How sign-in works here: by e-mail, with mail as jobs, counted per caller as everything else."""

import hashlib
import uuid
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.stagekit import clear_login
from allauth.core import context as current
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.ratelimit import respond_429
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from accounts.models import User
from core import mail, throttling
from core.fetch import split_url
from core.links import absolute


def our_address(url: str) -> str:
    """The same page at the address from the settings; allauth goes by the Host header, we never do."""
    return absolute(split_url(url)._replace(scheme="", netloc="").geturl())


def digest(email: str) -> str:
    """An address as counts name it."""
    return hashlib.sha256(email.lower().encode()).hexdigest()


def guessers(request: HttpRequest, credentials: dict[str, Any]) -> tuple[str, str]:
    """Whom a wrong password is counted against."""
    network = throttling.network(throttling.client_address(request))
    return f"account:{digest(str(credentials.get('email', '')))}", f"net:{network}"


class AccountAdapter(DefaultAccountAdapter):
    """Sends sign-in mail through the jobs table, so that a mail server that is down loses nothing."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue a message of allauth's, made from our `<template_prefix>.txt`, subject first.

        Each code that is mailed may be guessed at a few times, so how many are mailed is limited too.
        """
        if throttling.count("sign_in", caller=f"mail:{digest(email)}").is_exceeded:
            raise ImmediateHttpResponse(respond_429(current.request))
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

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Stop who guesses. allauth's own counts are in the cache, which holds nothing while Redis is away."""
        super().pre_authenticate(request, **credentials)
        if any(throttling.is_spent("sign_in", caller=caller) for caller in guessers(request, credentials)):
            raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a wrong password against the account and the network it came from."""
        for caller in guessers(request, credentials):
            throttling.count("sign_in", caller=caller)

    def get_client_ip(self, request: HttpRequest) -> str:
        """The network the API's limits count by, so that both doors agree."""
        return throttling.network(throttling.client_address(request))

    def pre_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse | None:
        """Stop an account that staff have suspended, after its credentials have proved right."""
        if user.is_suspended:
            clear_login(request)
            return self.respond_user_inactive(request, user)
        return super().pre_login(request, user, **options)
