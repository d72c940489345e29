"""Mail goes through the jobs table, once, and nobody's text adds a header."""

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
    assert mailoutbox[0].extra_headers["Message-ID"].startswith(f"<{Job.objects.get().pk}@")


def test_line_breaks_in_a_subject_are_folded(db: None, mailoutbox: list[EmailMultiAlternatives]) -> None:
    mail.queue(to="a@b.example", subject="Hello\r\nBcc: evil@c.example", text="T", html="", key="k")
    jobs.run_due()

    assert (mailoutbox[0].subject, mailoutbox[0].bcc) == ("Hello Bcc: evil@c.example", [])
