"""A co-founder is invited by mail, once, and adds an own profile through a link that works once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import connection
from django.test import Client
from django.utils import timezone

from core import jobs
from core.models import Job
from directory.models import Listing, ListingFounder
from directory.weeks import week_of
from drafts.errors import InviteClosedError
from drafts.invites.inviting import accept_invite
from drafts.models import Draft, DraftField, Invite
from tests.conftest import People
from tests.drafts.conftest import blank_draft
from tests.drafts.inviting import API, PROFILE, Api, invite, link
from tests.factories.listings import make_category


@pytest.fixture
def draft(people: People, site: Any) -> Draft:
    return blank_draft(owner=people.owner, site=site)


def mailed_to(address: str) -> str:
    """The newest message to somebody, on one line."""
    jobs.run_due()
    return " ".join(
        next(str(message.body) for message in reversed(mail.outbox) if message.to == [address]).split()
    )


@pytest.fixture
def mailed(api: Api, draft: Draft, mailoutbox: list[EmailMultiAlternatives]) -> str:
    """The path of a link that was mailed."""
    assert invite(api, draft).status_code == 201
    jobs.run_due()
    return link(mailoutbox[0])


def test_an_invitation_is_mailed_as_text_and_html_and_only_a_fingerprint_is_kept(
    api: Api, draft: Draft, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    answer = invite(api, draft, "Mira@People.Example")
    jobs.run_due()

    body = answer.json()
    assert (answer.status_code, body["email"], body["status"]) == (201, "Mira@people.example", "sent")
    (message,) = mailoutbox
    assert message.to == ["Mira@people.example"]
    assert message.subject == "Add your founder profile to the page of tidewell.test"
    assert "owner@people.example" in str(message.body)
    (html, kind), *_ = message.alternatives
    assert kind == "text/html"
    assert link(message) in str(html)
    assert str(html).count("href=") == 2  # the invitation and this site: not who invites, nor their domain
    token = link(message).rpartition("/")[2]
    kept = Invite.objects.get()
    assert token not in str(Invite.objects.values())
    assert kept.expires_at - kept.sent_at == timedelta(days=14)
    shown = api("all").get(f"{API}/{draft.pk}").json()["invites"]
    assert shown == [{"email": "Mira@people.example", "status": "sent", "sent_at": body["sent_at"]}]


@pytest.mark.parametrize("second", ["mira@people.example", "MIRA@people.example"])
def test_the_same_address_gets_one_mail(
    api: Api, draft: Draft, mailoutbox: list[EmailMultiAlternatives], second: str
) -> None:
    first = invite(api, draft)
    again = invite(api, draft, second)
    jobs.run_due()

    assert (again.status_code, again.json()) == (201, first.json())
    assert (len(mailoutbox), Invite.objects.count()) == (1, 1)


def test_ten_in_a_life_and_not_one_more(api: Api, draft: Draft) -> None:
    for number in range(10):
        assert invite(api, draft, f"p{number}@people.example").status_code == 201
    Invite.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    refused = invite(api, draft, "p10@people.example")

    assert (refused.status_code, refused.json()["code"], refused.json()["limit"]) == (400, "invite_limit", 10)
    assert (Invite.objects.count(), Job.objects.filter(kind="core.send_mail").count()) == (10, 10)


@pytest.mark.parametrize(
    ("body", "pointer", "code"),
    [
        ({}, "/email", "required"),
        ({"email": None}, "/email", "null"),
        ({"email": ""}, "/email", "blank"),
        ({"email": 5}, "/email", "invalid"),
        ({"email": "mira"}, "/email", "invalid_email"),
        ({"email": "Mira <mira@people.example>"}, "/email", "invalid_email"),
        ({"email": "mira@people.example, eve@people.example"}, "/email", "invalid_email"),
        ({"email": "mira@people.example\nBcc: eve@people.example"}, "/email", "invalid_email"),
        ({"email": "mira@people.example\r\nSubject: x"}, "/email", "invalid_email"),
        ({"email": "mira@localhost"}, "/email", "invalid_email"),
        ({"email": "mira@mailhost"}, "/email", "invalid_email"),
        ({"email": "mira@[127.0.0.1]"}, "/email", "invalid_email"),
        ({"email": "m" * 243 + "@people.test"}, "/email", "max_length"),
        ({"email": "mira@people.example", "name": "Mira"}, "/name", "unknown_property"),
    ],
)
def test_a_bad_address_is_refused_and_nothing_is_mailed(
    api: Api, draft: Draft, body: Any, pointer: str, code: str
) -> None:
    answer = api("listings:write").post(f"{API}/{draft.pk}/invites", body)

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert [(error["pointer"], error["code"]) for error in answer.json()["errors"]] == [(pointer, code)]
    assert (Invite.objects.count(), Job.objects.count()) == (0, 0)


@pytest.mark.parametrize("status", ["crawling", "drafting", "failed"])
def test_a_draft_that_is_not_ready_invites_nobody(api: Api, draft: Draft, status: str) -> None:
    Draft.objects.update(status=status)

    answer = invite(api, draft)

    assert (answer.status_code, answer.json()["code"], answer.json()["current"]) == (
        400,
        "draft_not_ready",
        status,
    )
    assert (Invite.objects.count(), Job.objects.count()) == (0, 0)


def test_an_address_gets_three_a_day_from_everybody(api: Api, people: People, site: Any) -> None:
    persons = [people.owner, people.stranger, people.staff, people.owner]
    drafts = [
        blank_draft(owner=owner, site=site, host=f"p{number}.test") for number, owner in enumerate(persons)
    ]
    addresses = [
        "mira@people.example",
        "Mira+1@people.example",
        "mira+2@PEOPLE.example",
        "mira@people.example",
    ]

    answers = [
        api("listings:write", user=draft.owner).post(f"{API}/{draft.pk}/invites", {"email": address})
        for draft, address in zip(drafts, addresses, strict=True)
    ]

    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    assert answers[-1].json()["policy"] == "invite_address"
    assert (Invite.objects.count(), Job.objects.filter(kind="core.send_mail").count()) == (3, 3)


def test_a_person_sends_twenty_a_day(api: Api, people: People, site: Any) -> None:
    drafts = [blank_draft(owner=people.owner, site=site, host=f"p{number}.test") for number in range(3)]
    caller = api("listings:write")

    answers = [
        caller.post(f"{API}/{drafts[number // 10].pk}/invites", {"email": f"p{number}@people.example"})
        for number in range(21)
    ]

    assert [answer.status_code for answer in answers] == [201] * 20 + [429]
    assert (answers[-1].json()["policy"], answers[-1].json()["limit"]) == ("invite", 20)
    assert (Invite.objects.count(), Job.objects.filter(kind="core.send_mail").count()) == (20, 20)


@pytest.mark.parametrize(("scope", "status"), [(None, 401), ("account:read", 403), ("orders:write", 403)])
def test_needs_the_scope(api: Api, draft: Draft, scope: str | None, status: int) -> None:
    answer = api(scope).post(f"{API}/{draft.pk}/invites", {"email": "mira@people.example"})

    assert (answer.status_code, Invite.objects.count()) == (status, 0)


def test_somebody_elses_draft_is_not_there(api: Api, draft: Draft, people: People) -> None:
    caller = api("listings:write", user=people.stranger)

    other = caller.post(f"{API}/{draft.pk}/invites", {"email": "mira@people.example"})
    nonsense = caller.post(f"{API}/nonsense/invites", {"email": "mira@people.example"})

    assert (other.status_code, nonsense.status_code, Invite.objects.count()) == (404, 404, 0)


def test_the_page_says_who_asks_and_what_is_shown(mailed: str) -> None:
    page = Client().get(mailed)

    words = page.content.decode()
    assert page.status_code == 200
    assert "owner@people.example" in words
    assert "shown in public on the page of tidewell.test" in words
    assert page["Cache-Control"] == "private, no-store"
    assert page["Referrer-Policy"] == "same-origin"
    assert page["X-Robots-Tag"] == "noindex"
    assert Invite.objects.get().status == "sent"


def test_the_invited_person_becomes_a_founder_in_own_words(api: Api, draft: Draft, mailed: str) -> None:
    page = Client().post(mailed, PROFILE)

    assert page.status_code == 200
    shown = api("all").get(f"{API}/{draft.pk}").json()
    assert shown["founders"] == [
        {
            "name": "Mira Vale",
            "title": "Co-founder",
            "bio": "I keep the books.",
            "state": "manual",
            "evidence": [],
        }
    ]
    assert shown["invites"][0]["status"] == "accepted"
    assert "decides when it is published" in page.content.decode()
    notice = mailed_to("owner@people.example")
    assert "mira@people.example filled in the profile" in notice
    assert "Nobody else sees it until tidewell.test is published." in notice


def test_on_a_public_page_the_words_are_public_at_once_and_everybody_is_told_so(
    api: Api, draft: Draft, mailed: str
) -> None:
    make_category("invoicing", name="Invoicing")
    for name, value in {"name": "Tidewell", "tagline": "Invoices", "categories": ["Invoicing"]}.items():
        DraftField.objects.filter(draft=draft, name=name).update(value=value, state="manual")
    saved = api("all").post(f"{API}/{draft.pk}/submit").json()
    now = timezone.now()
    Listing.objects.filter(pk=saved["listing_id"]).update(
        status="live", launched_at=now, launch_week=week_of(now)
    )

    asked, done = Client().get(mailed).content.decode(), Client().post(mailed, PROFILE).content.decode()

    assert "The page is public: everybody sees them at once." in " ".join(asked.split())
    assert "your profile is on the public page of tidewell.test now" in done
    assert "decides when it is published" not in done
    assert "It is on the public page of tidewell.test now." in mailed_to("owner@people.example")


def test_the_name_that_the_draft_knows_is_filled_in(draft: Draft, mailed: str) -> None:
    known = {"bio": None, "state": "ai", "evidence": []}
    draft.founders = [
        {"name": "Ann Bee", "title": "CEO", **known},
        {"name": "Mira Vale", "title": "Founder", **known},
    ]
    draft.save()

    form = Client().get(mailed).context["form"]

    assert (form["name"].value(), form["title"].value()) == ("Mira Vale", "Founder")


def test_own_words_take_the_place_of_what_was_drafted_for_the_same_name(draft: Draft, mailed: str) -> None:
    other = {"name": "Ann Bee", "title": None, "bio": None, "state": "manual", "evidence": []}
    draft.founders = [
        other,
        {"name": "mira vale", "title": "Founder", "bio": None, "state": "ai", "evidence": []},
    ]
    draft.save()

    Client().post(mailed, PROFILE)

    draft.refresh_from_db()
    assert [(person["name"], person["title"]) for person in draft.founders] == [
        ("Ann Bee", None),
        ("Mira Vale", "Co-founder"),
    ]


def test_a_submitted_draft_updates_its_listing_with_the_founder_and_the_links(
    api: Api, draft: Draft, mailed: str
) -> None:
    make_category("invoicing", name="Invoicing")
    values = {"name": "Tidewell", "tagline": "Invoices", "categories": ["Invoicing"]}
    for name, value in values.items():
        DraftField.objects.filter(draft=draft, name=name).update(value=value, state="manual")
    saved = api("all").post(f"{API}/{draft.pk}/submit").json()

    Client().post(mailed, PROFILE)

    founded = ListingFounder.objects.select_related("founder").get(listing_id=saved["listing_id"])
    assert (founded.founder.name, founded.title) == ("Mira Vale", "Co-founder")
    assert founded.founder.socials == {"linkedin": "https://www.linkedin.com/in/miravale"}
    assert Listing.objects.get().status == "draft"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "Give your name."),
        ({"name": "x" * 161}, "at most 160 characters"),
        ({"bio": "x" * 3001}, "at most 3000 characters"),
        ({"linkedin": "javascript:alert(1)"}, "Give a whole address"),
        ({"website": "https://ann:secret@miravale.com/"}, "Give a whole address"),
        ({"website": "https://192.168.0.1/"}, "is not an address on the public internet"),
        ({"name": "Ann\u202eBee"}, "invisible characters"),
        ({"consent": ""}, "Without your consent we keep nothing."),
    ],
)
def test_a_bad_form_comes_back_and_keeps_nothing(draft: Draft, mailed: str, changes: Any, words: str) -> None:
    page = Client().post(mailed, {**PROFILE, **changes})

    draft.refresh_from_db()
    assert page.status_code == 400
    assert words in page.content.decode()
    assert (draft.founders, Invite.objects.get().status) == ([], "sent")


def test_a_link_works_once(draft: Draft, mailed: str) -> None:
    Client().post(mailed, PROFILE)

    seen = Client().get(mailed)
    again = Client().post(mailed, {**PROFILE, "name": "Eve"})

    draft.refresh_from_db()
    assert (seen.status_code, again.status_code) == (400, 400)
    assert "used already" in seen.content.decode()
    assert [person["name"] for person in draft.founders] == ["Mira Vale"]


def test_a_late_link_says_so_and_may_be_sent_again(
    api: Api, draft: Draft, mailed: str, mailoutbox: list[EmailMultiAlternatives]
) -> None:
    Invite.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    page = Client().post(mailed, PROFILE)
    shown = api("all").get(f"{API}/{draft.pk}").json()["invites"]
    again = invite(api, draft)
    jobs.run_due()

    draft.refresh_from_db()
    assert (page.status_code, draft.founders) == (400, [])
    assert "expired on" in page.content.decode()
    assert [entry["status"] for entry in shown] == ["expired"]
    assert (again.status_code, again.json()["status"], len(mailoutbox)) == (201, "sent", 2)


def test_a_link_works_until_just_before_its_end(draft: Draft, mailed: str) -> None:
    end = Invite.objects.get().expires_at
    mine: dict[str, Any] = {"token": mailed.rpartition("/")[2], "profile": {"name": "Mira Vale"}}

    with pytest.raises(InviteClosedError, match="expired on"):
        accept_invite(**mine, at=end)
    assert accept_invite(**mine, at=end - timedelta(microseconds=1)).status == "accepted"


@pytest.mark.parametrize(
    "change", [lambda path: path + "x", lambda path: "/invites/nothing", lambda path: path[:-2]]
)
def test_a_link_that_was_never_made_is_not_there(mailed: str, change: Callable[[str], str]) -> None:
    assert Client().get(change(mailed)).status_code == 404


def test_a_seventh_founder_finds_no_room_and_the_link_stays_good(draft: Draft, mailed: str) -> None:
    draft.founders = [
        {"name": f"P {n}", "title": None, "bio": None, "state": "manual", "evidence": []} for n in range(6)
    ]
    draft.save()

    page = Client().post(mailed, PROFILE)

    draft.refresh_from_db()
    assert (page.status_code, len(draft.founders), Invite.objects.get().status) == (400, 6, "sent")


@pytest.mark.django_db(transaction=True)
def test_two_calls_at_once_never_pass_the_limit(api: Api, draft: Draft) -> None:
    for number in range(9):
        invite(api, draft, f"p{number}@people.example")

    def call(email: str) -> int:
        try:
            return int(invite(api, draft, email).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        found = sorted(pool.map(call, ["a@people.example", "b@people.example"]))

    assert (found, Invite.objects.count()) == ([201, 400], 10)
