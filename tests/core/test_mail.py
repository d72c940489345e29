"""Mail goes through the jobs table, once, and nobody's text adds a header."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core import mail as outbox
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMultiAlternatives
from django.db import connection
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from config import environment
from core import jobs, mail, smtp
from core.api.links import absolute
from core.models import Job, Mail
from tests.servers.hanging import DrippingServer, HangingServer
from tests.servers.smtp import MailServer


def test_a_message_is_sent_once_with_both_bodies(db: None, mailoutbox: list[EmailMultiAlternatives]) -> None:
    for _ in range(2):
        mail.queue(to="a@b.example", subject="Hello", text="Text", html="<p>Text</p>", key="hello-1")

    assert len(outbox.outbox) == 0
    jobs.run_due()

    assert [(sent.to, sent.subject, sent.body) for sent in mailoutbox] == [
        (["a@b.example"], "Hello", "Text\n")
    ]
    assert mailoutbox[0].alternatives[0][0] == "<p>Text</p>"
    assert mailoutbox[0].message()["Auto-Submitted"] == "auto-generated"
    assert mailoutbox[0].extra_headers["Message-ID"].startswith(f"<{Job.objects.get().pk}@")


def test_a_mail_without_html_of_its_own_has_its_texts_paragraphs_code_and_last_link(db: None) -> None:
    listing = {"name": "<b>Acme</b>", "status": "awaiting_badge"}
    context = {"listing": listing, "why": "Why? <i>So.</i>", "badge_html": "<a href='#'>x</a>"}
    page = f"{absolute('')}/account/listings/7"
    mail.send(
        template="directory/mail/why_not_live",
        to="a@b.example",
        key="k",
        context={**context, "account_url": page},
    )

    payload = Job.objects.get().payload
    body = payload["html"].split("</h1>")[1].split("</div>")[0]
    assert payload["text"].count(page) == body.count(page) == 1
    assert [
        " ".join(part.split()) for part in re.findall(r"<(?:p|pre)[^>]*>.*?</(?:p|pre)>", body, re.S)
    ] == [
        "<p>Why? &lt;i&gt;So.&lt;/i&gt;</p>",
        "<p>The code of the badge:</p>",
        "<pre>&lt;a href=&#x27;#&#x27;&gt;x&lt;/a&gt;</pre>",
        f'<p class="act"><a href="{page}">Open your listing</a></p>',
    ]


def test_line_breaks_in_a_subject_are_folded(db: None, mailoutbox: list[EmailMultiAlternatives]) -> None:
    mail.queue(to="a@b.example", subject="Hello\r\nBcc: evil@c.example", text="T", html="", key="k")
    jobs.run_due()

    assert (mailoutbox[0].subject, mailoutbox[0].bcc) == ("Hello Bcc: evil@c.example", [])


def test_mail_as_files_is_for_their_owner_alone(db: None, settings: Any, tmp_path: Path) -> None:
    settings.EMAIL_BACKEND, settings.DATA_DIR = "core.mail.PrivateFiles", tmp_path
    folder = tmp_path / "mail"
    folder.mkdir(mode=0o755)
    settings.EMAIL_FILE_PATH = str(folder)

    mail.queue(to="a@b.example", subject="Hello", text="Code", html="", key="k")
    jobs.run_due()

    (file,) = folder.iterdir()
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    assert b"Auto-Submitted: auto-generated" in file.read_bytes()


def test_mail_reaches_a_server_with_the_way_out_in_its_head(db: None, settings: Any) -> None:
    with MailServer(user="mailer@b.example", password="p@ss/word") as server:
        url = f"smtp://mailer%40b.example:p%40ss%2Fword@127.0.0.1:{server.port}"
        for name, value in environment.email(url).items():
            setattr(settings, name, value)
        mail.queue(
            to="a@b.example",
            subject="Grüße",
            text="T",
            html="",
            key="k",
            envelope=mail.Envelope(unsubscribe_url="https://b.example/x"),
        )
        jobs.run_due()

    (message,) = server.messages
    assert (message["To"], message["Subject"]) == ("a@b.example", "Grüße")
    assert message["List-Unsubscribe"] == "<https://b.example/x>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    """The mail server that the service sends through."""
    with MailServer(user="mailer", password="word") as running:
        for name, value in environment.email(f"smtp://mailer:word@127.0.0.1:{running.port}").items():
            setattr(settings, name, value)
        yield running


def queue(address: str, **options: Any) -> Mail:
    mail.queue(to=address, subject="Hello", text="T", html="", key=address, envelope=mail.Envelope(**options))
    jobs.run_due()
    return Mail.objects.get(key=address)


def test_the_log_says_what_bounced_and_it_is_sent_again(db: None, server: MailServer) -> None:
    server.refuses["Gone@b.example"] = "550 5.1.1 No such user"

    line = queue("Gone@b.example")
    assert (line.address, line.state, line.answer) == ("gone@b.example", "bounced", "550 5.1.1 No such user")
    assert (Job.objects.get().state, mail.bounced().count()) == ("done", 1)

    server.refuses.clear()
    mail.send_again(mail_id=line.pk, at=timezone.now())
    with pytest.raises(mail.CannotSendAgainError, match="on its way"):
        mail.send_again(mail_id=line.pk, at=timezone.now())
    jobs.run_due()
    line.refresh_from_db()
    assert (line.state, line.answer, [sent["Subject"] for sent in server.messages]) == ("sent", "", ["Hello"])
    Job.objects.all().delete()
    with pytest.raises(mail.CannotSendAgainError, match="7 days"):
        mail.send_again(mail_id=line.pk, at=timezone.now())


def test_what_is_refused_for_now_waits_and_fails_with_the_last_try(db: None, server: MailServer) -> None:
    server.refuses["full@b.example"] = "452 Mailbox full"

    line = queue("full@b.example")
    assert (line.state, line.tries, line.answer) == ("queued", 1, "452 Mailbox full")

    Job.objects.update(attempt=mail.ATTEMPTS - 1, run_after=timezone.now())
    jobs.run_due()
    line.refresh_from_db()
    assert (line.state, line.tries, Job.objects.get().state) == ("failed", mail.ATTEMPTS, "dead")


def test_a_mail_whose_end_has_come_is_not_tried_again(db: None, server: MailServer) -> None:
    server.refuses["late@b.example"] = "452 Busy"
    line = queue("late@b.example", lasts=timedelta(minutes=10))
    assert (line.state, line.tries) == ("queued", 1)

    server.refuses.clear()
    later = timedelta(minutes=10, seconds=1)
    Job.objects.update(run_after=timezone.now(), created_at=timezone.now() - later)
    Mail.objects.update(ends_at=F("ends_at") - later)
    jobs.run_due()

    line.refresh_from_db()
    assert (line.state, line.tries, server.messages) == ("failed", 1, [])
    assert line.answer == "Not sent, as what it holds has ended. 452 Busy"
    assert not Job.objects.exists()
    with pytest.raises(mail.CannotSendAgainError, match="over"):
        mail.send_again(mail_id=line.pk, at=timezone.now())


def test_who_lost_the_mail_to_another_worker_does_not_gainsay_it(db: None, server: MailServer) -> None:
    server.refuses["slow@b.example"] = "452 Busy"
    mail.queue(to="slow@b.example", subject="Hello", text="T", html="", key="slow")
    Mail.objects.update(state="sent", settled_at=timezone.now())  # by whoever had it meanwhile

    jobs.run_due()

    assert (Mail.objects.get().state, Mail.objects.get().answer) == ("sent", "")


def test_what_works_once_is_logged_without_its_subject_and_not_sent_again(
    db: None, server: MailServer
) -> None:
    line = queue("a@b.example", is_repeatable=False, template="account/email/login_code")

    assert (line.state, line.subject, line.title) == ("sent", "", "Login code")
    with pytest.raises(mail.CannotSendAgainError, match="works once"):
        mail.send_again(mail_id=line.pk, at=timezone.now())


@pytest.mark.parametrize("says", [None, b"220-"])
def test_a_mail_server_that_hangs_is_left_alone_and_costs_the_others_no_attempt(
    db: None, settings: Any, monkeypatch: pytest.MonkeyPatch, says: bytes | None
) -> None:
    monkeypatch.setattr(smtp, "SECONDS", 0.5)  # of a delivery; the dripping server talks for ten
    with HangingServer() if says is None else DrippingServer(says) as server:
        for name, value in environment.email(server.url.replace("http", "smtp")).items():
            setattr(settings, name, value)
        settings.EMAIL_TIMEOUT = 1
        for number in range(3):
            mail.queue(to="a@b.example", subject="Hello", text="T", html="", key=f"k-{number}")
        began = timezone.now()
        jobs.run_due()

    rows = Job.objects.order_by("attempt").values_list("attempt", "state", "run_after")
    assert [row[:2] for row in rows] == [(0, "queued"), (0, "queued"), (1, "queued")]
    assert all(timedelta(seconds=50) < after - began < timedelta(seconds=125) for _, _, after in rows[:2])
    assert "imed out" in Mail.objects.get(tries=1).answer or "too long" in Mail.objects.get(tries=1).answer
    monkeypatch.setattr(mail.SERVER, "_away_until", 0.0)
    Job.objects.update(run_after=timezone.now() + timedelta(hours=1))
    Job.objects.filter(key="k-2").update(run_after=Now())
    with MailServer(user="mailer", password="word") as server:
        for name, value in environment.email(f"smtp://mailer:word@127.0.0.1:{server.port}").items():
            setattr(settings, name, value)
        jobs.run_due()
    # each at once, as the first that came through says that it is back
    assert (len(server.messages), Mail.objects.filter(state="sent").count()) == (3, 3)


@contextmanager
def held(statement: str) -> Iterator[None]:
    """What somebody else's transaction holds."""
    other = connection.copy()
    other.set_autocommit(False)
    try:
        with other.cursor() as cursor:
            cursor.execute(statement)
        yield
    finally:
        other.close()


def test_what_the_server_took_is_not_sent_again_for_a_waiting_mail_that_somebody_holds(
    transactional_db: None, server: MailServer
) -> None:
    for key in ("held", "free", "first"):
        mail.queue(to="a@b.example", subject="Hello", text="T", html="", key=key)
    Job.objects.exclude(key="first").update(run_after=timezone.now() + timedelta(hours=1))
    mail.SERVER._outage.began(TimeoutError())
    with held("SELECT FROM core_job WHERE key = 'held' FOR UPDATE"):
        jobs.run_due()

    assert dict(Job.objects.values_list("key", "state")) == {
        "first": "done",
        "free": "done",
        "held": "queued",
    }
    assert len(server.messages) == 2


def test_nor_while_the_mail_log_is_locked_and_the_log_says_so_later(
    transactional_db: None, server: MailServer
) -> None:
    mail.queue(to="a@b.example", subject="Hello", text="T", html="", key="k")
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    with held("LOCK core_mail IN ACCESS EXCLUSIVE MODE"):  # as a migration does
        for _ in range(3):
            Job.objects.update(run_after=Now())
            jobs.run_due()
    before = Mail.objects.get().state
    Job.objects.update(run_after=Now())
    jobs.run_due()
    connection.close()  # with its short patience

    assert (len(server.messages), before) == (1, "queued")
    assert Mail.objects.values_list("state", "tries").get() == ("sent", 1)


def test_a_server_that_refuses_at_its_leisure_is_there(
    db: None, server: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail.SERVER, "seconds", 0.0)  # whatever it takes is long
    server.refuses["full@b.example"] = "452 Full"
    for key, to in (("1", "full@b.example"), ("2", "a@b.example")):
        mail.queue(to=to, subject="Hello", text="T", html="", key=key)

    jobs.run_due()

    assert dict(Mail.objects.values_list("key", "tries")) == {"1": 1, "2": 1}
    assert (len(server.messages), mail.SERVER.is_away) == (1, False)


FORMS = {
    "console://": {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"},
    "file:///tmp/my%20mail": {"EMAIL_BACKEND": "core.mail.PrivateFiles", "EMAIL_FILE_PATH": "/tmp/my mail"},
    "smtp://mx.example": {"EMAIL_HOST": "mx.example", "EMAIL_PORT": 25, "EMAIL_USE_SSL": False, "EMAIL_USE_TLS": False},
    "smtps://mx.example": {"EMAIL_PORT": 465, "EMAIL_USE_SSL": True, "EMAIL_USE_TLS": False},
    "smtp+tls://u:p@mx.example:587": {"EMAIL_PORT": 587, "EMAIL_USE_TLS": True, "EMAIL_HOST_PASSWORD": "p"},
}  # fmt: skip


@pytest.mark.parametrize("url", FORMS)
def test_every_form_of_the_address_is_understood(url: str) -> None:
    assert FORMS[url].items() <= environment.email(url).items()


@pytest.mark.parametrize("url", ["mx.example", "http://mx.example", "smtp://mx.example:99999"])
def test_what_is_no_address_of_a_mail_server_is_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="EMAIL_URL"):
        environment.email(url)
