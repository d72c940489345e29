"""Mail goes through the jobs table, once, and nobody's text adds a header."""

from pathlib import Path
from typing import Any

from django.core import mail as outbox
from django.core.mail import EmailMultiAlternatives

from core import jobs, mail
from core.models import Job


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
