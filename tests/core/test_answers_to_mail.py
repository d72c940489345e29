"""A mail that asks for an answer says where answers are read; where nobody reads them, none asks."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.core import mail as outbox

from core import jobs, mail
from tests.servers.mail import Box

ROOT = Path(site_settings.BASE_DIR)
AREAS = ("accounts", "claims", "config", "core", "directory", "drafts", "leaderboards", "orders")
TEMPLATES = sorted(
    file
    for area in AREAS
    for file in (ROOT / area / "templates").rglob("*")
    if file.parent.name in {"mail", "email"} and file.suffix in {".txt", ".html"}
)
NAMES = [
    str(file.relative_to(ROOT)).partition("templates/")[2].removesuffix(".txt")
    for file in TEMPLATES
    if file.suffix == ".txt"
]
ASKS = re.compile(
    r"\b(?:answer (?:this|to this|us)|just reply|repl(?:y|ies) to|write (?:back|to us)|tell us|let us know)\b",
    re.I,
)
GUARDED = re.compile(
    r"{% if [^%]*\bis_read\b[^%]*%}(?:(?!{% (?:end)?if|{% else).)*(?={% (?:endif|else) %})", re.S
)


def test_every_template_asks_for_an_answer_only_where_one_is_read() -> None:
    asking = [file for file in TEMPLATES if ASKS.search(file.read_text())]

    assert len(TEMPLATES) > 60
    assert len(asking) >= 14
    assert [file.name for file in asking if ASKS.search(GUARDED.sub("", file.read_text()))] == []


def test_every_mail_goes_through_the_one_door_that_says_where_answers_go() -> None:
    senders = re.compile(r"EmailMultiAlternatives|EmailMessage\(|send_mass_mail|mail_admins|mail_managers")
    files = [file for area in AREAS for file in (ROOT / area).rglob("*.py")]

    assert [file.name for file in files if senders.search(file.read_text())] == ["mail.py"]


@pytest.mark.django_db
@pytest.mark.parametrize("contact", ["desk@launch.example", ""])
@pytest.mark.parametrize("template", NAMES)
def test_each_template_is_sent_with_its_answers_address(template: str, contact: str, settings: Any) -> None:
    settings.MAIL_REPLY_TO = contact
    mail.send(template=template, to="mira@lanternfold.com", key=f"a-{template}", context={"claim": None})
    jobs.run_due(queues={"mail"})

    (message,) = outbox.outbox
    assert message.reply_to == ([contact] if contact else [])
    if not contact:
        assert not ASKS.search(str(message.body))


@pytest.mark.django_db
def test_a_mail_server_gets_it_as_a_header(mail_server: Box, settings: Any) -> None:
    settings.MAIL_REPLY_TO = "desk@launch.example"
    mail.queue(to="mira@lanternfold.com", subject="Hello", text="Answer this e-mail.", html="", key="one")
    jobs.run_due(queues={"mail"})

    ((_, message),) = mail_server.messages
    assert message["Reply-To"] == "desk@launch.example"
