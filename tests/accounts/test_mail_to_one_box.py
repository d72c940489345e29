"""Nobody has us write to one box, or to one domain, as often as they like; and the answer tells nothing of accounts."""

from dataclasses import replace
from typing import Any

import pytest
from django.core import mail as outbox
from django.test import Client

from accounts import services
from core import jobs
from core.api.throttling import POLICIES
from tests.conftest import Api, People
from tests.drafts.conftest import blank_draft

BOX, DOMAIN = POLICIES["mail_box"].limit, POLICIES["mail_domain"].limit
PATHS = ("/accounts/login/code/", "/accounts/password/reset/", "/accounts/signup/")

pytestmark = pytest.mark.django_db


def ask(number: int, email: str, path: str = PATHS[0]) -> int:
    """What a browser of a network of its own is answered."""
    client = Client(REMOTE_ADDR=f"198.51.{number // 200}.{number % 200}")
    return client.post(path, {"email": email, "password1": "correct horse battery"}).status_code


def mails() -> int:
    jobs.run_due(queues={"mail"})
    return len(outbox.outbox)


@pytest.mark.parametrize("known", [["mira@lanternfold.com"], []])
def test_a_box_gets_ten_a_day_whatever_is_asked_for_and_however_it_is_tagged(known: list[str]) -> None:
    for email in known:
        services.create_user(email=email)
    answers = [ask(0, "mira@lanternfold.com", PATHS[2])]
    for number in range(1, BOX + 4):
        answers.append(ask(number, f"Mira+{number}@lanternfold.com", PATHS[number % 2]))

    assert (answers, mails()) == ([302] * BOX + [429] * 4, BOX)
    assert ask(100, "ines@lanternfold.com") == 302


def test_dots_make_no_other_box_at_gmail() -> None:
    answers = [ask(number, f"mi.ra+{number}@gmail.com") for number in range(BOX)]

    assert answers == [302] * BOX
    assert ask(100, "m.i.r.a@googlemail.com") == 429
    assert mails() == BOX


def test_an_invitation_counts_as_well(api: Api, people: People, site: Any) -> None:
    draft = blank_draft(owner=people.owner, site=site)
    for number in range(BOX):
        ask(number, f"mira+{number}@lanternfold.com")

    refused = api("all").post(f"/api/v1/drafts/{draft.pk}/invites", {"email": "mira+x@lanternfold.com"})

    assert (refused.status_code, refused.json()["policy"], mails()) == (429, "mail_box", BOX)


def test_a_domain_of_ones_own_gets_so_many_and_a_mail_hosts_has_no_end(monkeypatch: Any) -> None:
    monkeypatch.setitem(POLICIES, "mail_domain", replace(POLICIES["mail_domain"], limit=3))
    answers = [
        [ask(10 * row + number, f"box{number}@{domain}") for number in range(5)]
        for row, domain in enumerate(("catch-all.example", "gmail.com", "riseup.net"))
    ]

    assert answers == [[302, 302, 302, 429, 429], [302] * 5, [302] * 5]
    assert DOMAIN == 200
