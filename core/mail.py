"""Mail as jobs: what is to be sent is a row of the transaction that caused it."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends import filebased
from django.template.loader import render_to_string

from core import jobs
from core.links import absolute

SUBJECT_MAX = 200


def send(*, template: str, to: str, key: str, context: dict[str, Any], unsubscribe_url: str = "") -> None:
    """Queue one message made from `<template>.txt`, whose first line is the subject, and `<template>.html`."""
    context = {"site_name": settings.SITE_NAME, "site_url": absolute(""), **context}
    subject, _, text = render_to_string(f"{template}.txt", context).strip().partition("\n")
    html = render_to_string(f"{template}.html", context)
    queue(to=to, subject=subject, text=text, html=html, key=key, unsubscribe_url=unsubscribe_url)


def queue(*, to: str, subject: str, text: str, html: str, key: str, unsubscribe_url: str = "") -> None:
    """Queue one message. The same key is sent once; line breaks in the subject are folded, so nothing adds a header."""
    jobs.add(
        "core.send_mail",
        key=key,
        to=to,
        subject=" ".join(subject.split())[:SUBJECT_MAX],
        text=text.strip() + "\n",
        html=html,
        unsubscribe_url=unsubscribe_url,
    )


@jobs.job("core.send_mail", queue="mail", attempts=8)
def send_mail(
    lease: jobs.Lease, *, to: str, subject: str, text: str, html: str, unsubscribe_url: str
) -> None:
    """Hand one message to the mail server. Its Message-ID is made of the job's id, so that a repeat can be told."""
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">")
    headers = {"Message-ID": f"<{lease.job_id}@{domain}>", "Auto-Submitted": "auto-generated"}  # RFC 3834
    if unsubscribe_url:
        headers |= {
            "List-Unsubscribe": f"<{unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    message = EmailMultiAlternatives(subject, text, settings.DEFAULT_FROM_EMAIL, [to], headers=headers)
    if html:
        message.attach_alternative(html, "text/html")
    message.send()


class PrivateFiles(filebased.EmailBackend):
    """Mail as files for their owner's eyes alone: they hold codes and links that sign in."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        folder = Path(str(kwargs.get("file_path") or getattr(settings, "EMAIL_FILE_PATH", "")))
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if folder == settings.DATA_DIR / "mail":  # ours, perhaps from a release that left it open
            folder.chmod(0o700)
        super().__init__(*args, **kwargs)

    def open(self) -> bool:
        if self.stream is not None:
            return False
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self.stream = os.fdopen(os.open(self._get_filename(), flags, 0o600), "ab")
        return True
