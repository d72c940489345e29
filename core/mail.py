"""Mail as jobs: what is to be sent is a row of the transaction that caused it, and so is its line of the mail log."""

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from smtplib import SMTPException, SMTPRecipientsRefused, SMTPResponseException
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends import filebased
from django.db import models, transaction
from django.db.models import Subquery, Value
from django.db.models.functions import Coalesce, Concat, Now
from django.template.loader import render_to_string, select_template

from core import jobs
from core.api import throttling
from core.api.links import absolute
from core.clock import database_now
from core.domains import is_free_mail
from core.email_addresses import mailbox, normal_or_blank
from core.mail_text import in_paragraphs
from core.models import Job, Mail
from core.outages import Bulkhead, if_writable, is_contention

KIND, NOTE_KIND, ATTEMPTS = "core.send_mail", "core.note_mail", 8
SUBJECT_MAX = ANSWER_MAX = 200
TOO_LATE = "Not sent, as what it holds has ended. "
SOONEST_END = timedelta(minutes=5)
# One that hangs is left alone for a minute; one that works makes others wait for tenths of a second
SERVER = Bulkhead("The mail server", away_seconds=60.0, wait=0.5, in_jobs=True)


class CannotSendAgainError(Exception):
    """Not sent a second time; says why."""


@dataclass(frozen=True, kw_only=True)
class Envelope:
    """What goes with a message beside its text: whose page shows it, what it is about, how to stop such mail.

    Not repeatable is what holds a code or link that works once: its subject is not kept and it is not sent again.
    What `lasts`, as a code does, would only mislead afterwards and is not sent then. The database's clock counts. It
    is five minutes or more, so that what goes out at once asks nothing of its end.
    """

    person_id: int | None = None
    thing: models.Model | None = None
    template: str = ""
    is_repeatable: bool = True
    lasts: timedelta | None = None
    unsubscribe_url: str = ""
    attachments: tuple[str, ...] = ()  # a kind of `attaches` and a key of that, as kind:key


@dataclass(frozen=True, kw_only=True)
class Attachment:
    name: str
    content: bytes
    type: str


PLAIN = Envelope()
ATTACHED: dict[str, Callable[[str], Attachment | None]] = {}


def attaches(kind: str) -> Callable[[Callable[[str], Attachment | None]], Callable[[str], Attachment | None]]:
    """Declare what makes the files of a kind, by their keys, when a message is just being sent."""

    def declared(function: Callable[[str], Attachment | None]) -> Callable[[str], Attachment | None]:
        ATTACHED[kind] = function
        return function

    return declared


def send(*, template: str, to: str, key: str, context: dict[str, Any], envelope: Envelope = PLAIN) -> None:
    """Queue one message made from `<template>.txt`, whose first line is the subject.

    Where there is no `<template>.html`, its paragraphs are the HTML as well.
    """
    context = _common() | context
    subject, _, text = render_to_string(f"{template}.txt", context).strip().partition("\n")
    context |= {"subject": subject, **in_paragraphs(text, context)}
    html = select_template([f"{template}.html", "mail/plain.html"]).render(context)
    queue(
        to=to, subject=subject, text=text, html=html, key=key, envelope=replace(envelope, template=template)
    )


def _common() -> dict[str, Any]:
    """What every template may say. It asks for an answer only where there is who reads it."""
    return {
        "site_name": settings.SITE_NAME,
        "site_url": absolute(""),
        "is_read": bool(settings.MAIL_REPLY_TO),
    }


def queue(*, to: str, subject: str, text: str, html: str, key: str, envelope: Envelope = PLAIN) -> None:
    """Queue one message. The same key is sent once; line breaks in the subject are folded, so nothing adds a header."""
    if envelope.lasts is not None and envelope.lasts < SOONEST_END:
        raise ValueError(f"A mail lasts {SOONEST_END} or longer.")
    subject = " ".join(subject.split())[:SUBJECT_MAX]
    line = Mail(
        key=key,
        address=to.lower(),
        user_id=envelope.person_id,
        about=name_of(envelope.thing) if envelope.thing else "",
        template=envelope.template,
        subject=subject if envelope.is_repeatable else "",
        is_repeatable=envelope.is_repeatable,
        ends_at=Now() + envelope.lasts if envelope.lasts else None,
        queued_at=Now(),
    )
    Mail.objects.bulk_create([line], ignore_conflicts=True)
    # left out where there are none: workers of the former release know nothing of it
    files: dict[str, Any] = {"attachments": list(envelope.attachments)} if envelope.attachments else {}
    jobs.add(
        KIND,
        key=key,
        to=to,
        subject=subject,
        text=text.strip() + "\n",
        html=html,
        unsubscribe_url=envelope.unsubscribe_url,
        **files,
    )


def name_of(thing: models.Model) -> str:
    return f"{thing._meta.label_lower}:{thing.pk}"  # noqa: SLF001  (documented by Django)


def give_up(*, key: str, error: str, **_: str) -> None:
    """The job has failed for good. Its worker may have died at each try, and then nothing was noted of any."""
    Mail.objects.filter(key=key, state=Mail.State.QUEUED).update(
        state=Mail.State.FAILED,
        tries=Subquery(Job.objects.filter(kind=KIND, key=key).values("attempt")),
        answer=error.replace("\0", "")[:ANSWER_MAX],
        settled_at=Now(),
    )


@jobs.job(KIND, queue="mail", attempts=ATTEMPTS, on_dead=give_up, never_planned=True)
def send_mail(lease: jobs.Lease, **parts: Any) -> None:
    """Hand one message to the mail server, unless that has just kept others waiting.

    What the server refuses for good is done, as a repeat changes nothing: the log says that it bounced. So is what
    has ended before it could go out.
    """
    if _has_ended(lease):
        return
    message, was_away = _message(lease, **parts), SERVER.is_away
    fault = jobs.fault_of(partial(_hand_over, message))
    if isinstance(fault, jobs.NotNowError):
        raise fault
    if fault is not None:
        if _note(lease.key, tries=lease.attempt, fault=fault) != Mail.State.BOUNCED:
            raise fault
    else:  # the message is out: nothing may have it sent again
        _note_sent(lease)
    if was_away and not SERVER.is_away:
        with if_writable():
            jobs.hurry(KIND)


def _has_ended(lease: jobs.Lease) -> bool:
    """Whether a mail's end has come. Its job goes: to `/metrics`, one that is done means that the server takes mail."""
    lines = Mail.objects.filter(key=lease.key, ends_at__lte=lease.at)
    if lease.waited < SOONEST_END or not lines.exists():
        return False
    answer = Concat(Value(TOO_LATE), "answer")
    lines.filter(state=Mail.State.QUEUED).update(state=Mail.State.FAILED, answer=answer, settled_at=Now())
    Job.objects.filter(pk=lease.job_id, token=lease.token).delete()
    return True


def _note_sent(lease: jobs.Lease) -> None:
    """Write so into the log, or have a job do that: a lock on it, as a migration holds, may last for minutes."""
    lock = jobs.fault_of(partial(_note, lease.key, tries=lease.attempt))
    if is_contention(lock):
        jobs.again(NOTE_KIND, key=lease.key, at=database_now(), tries=lease.attempt)
    elif lock is not None:
        raise lock


@jobs.job(NOTE_KIND, queue="mail")
def note_mail(lease: jobs.Lease, *, tries: int) -> None:
    _note(lease.key, tries=tries)


def _hand_over(message: EmailMultiAlternatives) -> None:
    """A refusal is an answer, however long it took: the server is there."""
    refusal: SMTPException | None = None
    with SERVER.place():
        try:
            message.send()
        except (SMTPRecipientsRefused, SMTPResponseException) as error:
            refusal = error
    if refusal is not None:
        raise refusal


def _message(  # noqa: PLR0913  (what a job of it holds)
    lease: jobs.Lease,
    *,
    to: str,
    subject: str,
    text: str,
    html: str,
    unsubscribe_url: str,
    attachments: Sequence[str] = (),
) -> EmailMultiAlternatives:
    """Its Message-ID is made of the job's id, so that a repeat can be told."""
    domain = settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">")
    headers = {"Message-ID": f"<{lease.job_id}@{domain}>", "Auto-Submitted": "auto-generated"}  # RFC 3834
    if unsubscribe_url:
        headers |= {
            "List-Unsubscribe": f"<{unsubscribe_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }
    message = EmailMultiAlternatives(
        subject,
        text,
        settings.DEFAULT_FROM_EMAIL,
        [to],
        headers=headers,
        reply_to=[settings.MAIL_REPLY_TO] if settings.MAIL_REPLY_TO else None,
    )
    if html:
        message.attach_alternative(html, "text/html")
    for name in attachments:
        kind, _, key = name.partition(":")
        if file := ATTACHED[kind](key):
            message.attach(file.name, file.content, file.type)
    return message


def _note(key: str, *, tries: int, fault: Exception | None = None) -> Mail.State:
    state, answer = _outcome(fault, is_last=tries >= ATTEMPTS)
    lines = Mail.objects.filter(key=key)
    if (
        state != Mail.State.SENT
    ):  # a worker that lost its lease does not gainsay the one that sent it meanwhile
        lines = lines.exclude(state=Mail.State.SENT)
    lines.update(
        state=state,
        tries=tries,
        answer=answer.replace("\0", "")[:ANSWER_MAX],
        settled_at=None if state == Mail.State.QUEUED else Now(),
    )
    return state


def _outcome(fault: Exception | None, *, is_last: bool) -> tuple[Mail.State, str]:
    if fault is None:
        return Mail.State.SENT, ""
    again = Mail.State.FAILED if is_last else Mail.State.QUEUED
    if not isinstance(fault, SMTPRecipientsRefused):
        return again, f"{type(fault).__name__}: {fault}"
    ((code, text),) = fault.recipients.values()
    words = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    return (Mail.State.BOUNCED if code >= 500 else again), f"{code} {words}"


@transaction.atomic
def send_again(*, mail_id: int, at: datetime) -> Mail:
    """Send a message once more, as it was. Raises CannotSendAgainError for what works once, waits, or is gone."""
    line = Mail.objects.select_for_update(no_key=True).get(pk=mail_id)
    if not line.is_repeatable:
        raise CannotSendAgainError("It held a code or link that works once. They can ask for a new one.")
    if line.ends_at is not None and line.ends_at <= at:
        raise CannotSendAgainError("What it says is over.")
    job = Job.objects.filter(kind=KIND, key=line.key).first()
    if job is None:
        raise CannotSendAgainError("Its text was kept for 7 days and is gone.")
    if job.state in {Job.State.QUEUED, Job.State.RUNNING}:
        raise CannotSendAgainError("It is on its way already.")
    jobs.again(KIND, key=line.key, at=at, **job.payload)
    line.state, line.settled_at, line.closed_at = Mail.State.QUEUED, None, None
    line.save(update_fields=["state", "settled_at", "closed_at"])
    return line


def bounced() -> models.QuerySet[Mail]:
    return Mail.objects.filter(state=Mail.State.BOUNCED, is_repeatable=True, closed_at=None)


def refused_since(moment: datetime) -> models.QuerySet[Mail]:
    """Those queued since then that came back at once, whatever they held: many of them are no fault of an address."""
    return Mail.objects.filter(state=Mail.State.BOUNCED, queued_at__gt=moment)


def ended_in_vain(*, since: datetime) -> models.QuerySet[Mail]:
    """Those queued since then whose end came before they could go out, by no fault of their address.

    Not those before a mail that was sent: the server takes mail again since. One waits for hours, not for a day.
    """
    lately = Mail.objects.filter(state=Mail.State.SENT, queued_at__gt=since - timedelta(days=1))
    last_sent = lately.values("state").annotate(at=models.Max("settled_at")).values("at")
    ended = Mail.objects.filter(state=Mail.State.FAILED, queued_at__gt=since, answer__startswith=TOO_LATE)
    # what a server says of an address begins with its code
    ended = ended.exclude(answer__regex=rf"^{TOO_LATE}\d")
    return ended.filter(ends_at__gte=Coalesce(Subquery(last_sent), Value(since)))


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


def box_of(address: str) -> str:
    box = mailbox(normal_or_blank(address) or address.lower())
    return f"mail:{hashlib.sha256(box.encode()).hexdigest()}"


def enforce(address: str) -> None:
    """Count one mail that somebody asked for without proving that the address is theirs. Raises RateLimitedError.

    A domain is counted too, as its owner has as many boxes as they like; not where the boxes are many people's.
    """
    throttling.enforce("mail_box", caller=box_of(address))
    domain = address.rpartition("@")[2].lower()
    if not is_free_mail(domain):
        throttling.enforce("mail_domain", caller=f"mail:{domain}")
