"""What is past its time is forgotten by the clock, what is not stays, and the pages say the same times."""

import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import SeenNetwork, User
from claims.models import Claim, ClaimCheck
from config import retention
from core.models import Delivery, Endpoint, Job, Mail, Replay
from directory.models import (
    BadgeCheck,
    LaunchReminder,
    Listing,
    ListingUpdate,
    Question,
    Report,
    Review,
    Site,
    UnpublishedEdit,
    UpdateNotice,
    Upload,
    Vote,
    WeekReminder,
    WinnersReader,
)
from drafts.models import Draft, DraftPage, Invite, ModelAnswer, ModelUse
from tests.conftest import People
from tests.factories.listings import make_listing
from tests.factories.reviews import make_question, make_review

AT = datetime(2026, 5, 4, 12, tzinfo=UTC)
DAYS = {
    "Answers to calls": 1,
    "Work that is done": 7,
    "Which mail": 90,
    "Events": 30,
    "Sessions": 0,
    "The network": 30,
    "Which networks": 30,
    "Networks that a review": 30,
    "Networks that a question": 30,
    "Pictures as you": 7,
    "What you typed": 90,
    "Pages of": 90,
    "Answers of": 30,
    "How much": 400,
    "Invitations": 30,
    "What checks": 90,
    "Notes": 30,
    "Addresses": 3,
    "Which launches": 365,
    "Which weeks": 365,
    "Reports": 365,
    "Checks of": 365,
    "The back office": 730,
}


def _reminders(user: User, listing: Listing) -> None:
    LaunchReminder.objects.create(listing=listing, user=user, created_at=AT)
    WeekReminder.objects.create(site=listing.site, week=AT.date(), user=user, created_at=AT)
    UnpublishedEdit.objects.create(listing=listing, user=user, at=AT)


@pytest.fixture
def world(people: People, site: Site) -> User:
    """One row of each kind, as of one moment; and beside them what is to stay."""
    user, listing = people.owner, make_listing("lathe")
    common = {"site": site, "owner": user, "url": "u", "domain": "d", "created_at": AT, "updated_at": AT}
    Replay.objects.create(
        user=user, operation="o", key="k", fingerprint="f", status=200, body=b"", created_at=AT
    )
    for key, state in (("mail", "done"), ("dead", "dead")):
        Job.objects.create(
            kind="k", key=key, queue="mail", state=state, run_after=AT, created_at=AT, finished_at=AT
        )
    Mail.objects.create(key="mail", address=user.email, user=user, queued_at=AT)
    hook = Endpoint.objects.create(user=user, url="https://a.example/", types=[], nonce=b"n", created_at=AT)
    Delivery.objects.create(endpoint=hook, event=uuid.uuid4(), type="test", created_at=AT)
    Session.objects.create(session_key="s", session_data="", expire_date=AT)
    Vote.objects.create(listing=listing, user=user, week=AT.date(), created_at=AT, network="digest")
    network = {"network": "digest", "created_at": AT}
    make_review(listing, people.stranger, **network)
    make_question(listing, people.stranger, **network)
    SeenNetwork.objects.create(user=user, network="digest", seen_at=AT)
    draft = Draft.objects.create(site_key="lathe", **common)
    DraftPage.objects.create(draft=draft, position=0, url="u", html="<p>", text="p")
    for status in ("preparing", "shown"):
        Upload.objects.create(use="logo", by=user, status=status, created_at=AT)
    ModelAnswer.objects.create(key="k", model="m", text="t", created_at=AT)
    ModelUse.objects.create(owner=user, day=AT.date())
    for number, status in enumerate(("sent", "accepted")):
        Invite.objects.create(
            draft=draft, email="a@b.example", digest=str(number), sent_at=AT, expires_at=AT, status=status
        )
    claim = Claim.objects.create(listing=listing, user=user, method="dns", created_at=AT, expires_at=AT)
    ClaimCheck.objects.create(claim=claim, at=AT, result="found", detail="d", raw="seen")
    news = ListingUpdate.objects.create(listing=listing, title="t", body="b", posted_at=AT)
    UpdateNotice.objects.create(update=news, user=user, created_at=AT, closed_at=AT)
    _reminders(user, listing)
    for number, confirmed_at in enumerate((None, AT)):
        WinnersReader.objects.create(
            site=site, email=f"r{number}@b.example", created_at=AT, confirmed_at=confirmed_at
        )
    Report.objects.create(
        listing=listing, reason="spam", status="closed", resolution="r", created_at=AT, closed_at=AT
    )
    for later in (0, 1):
        BadgeCheck.objects.create(
            listing=listing, at=AT + later * timedelta(minutes=1), found=True, result="found"
        )
    LogEntry.objects.create(
        user=people.staff,
        content_type=ContentType.objects.get_for_model(User),
        object_id="1",
        object_repr="r",
        action_flag=CHANGE,
    )
    LogEntry.objects.update(action_time=AT)
    return user


def test_each_kind_stays_for_its_time_and_goes_after_it(world: User) -> None:
    rules = {rule["what"]: retention.OVER[rule["rows"]] for rule in retention.RULES if rule["rows"]}
    assert len(rules) == len(DAYS) == len(retention.OVER)

    for begins, days in DAYS.items():
        (over,) = [over for what, over in rules.items() if what.startswith(begins)]
        ends = AT + timedelta(days=days)
        if begins == "How much":  # counted by the day
            ends += timedelta(hours=12)
        found = [over(ends + hours * timedelta(hours=1)).count() for hours in (-1, 1)]
        assert (begins, found) == (begins, [0, 1])


def test_the_clock_forgets_in_batches_and_leaves_the_rest(
    world: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = {"kind": "k", "queue": "mail", "run_after": AT, "created_at": AT, "finished_at": AT}
    Job.objects.bulk_create(
        Job(id=uuid.uuid4(), key=f"{number}", state="done", **done) for number in range(5)
    )
    monkeypatch.setattr(retention, "AT_ONCE", 2)
    monkeypatch.setattr(retention, "BATCHES", 2)

    first = retention.forget_old(at=AT + timedelta(days=100))
    assert Job.objects.filter(state="done").count() == 2
    retention.forget_old(at=AT + timedelta(days=1000))

    assert list(Job.objects.values_list("key", flat=True)) == ["dead"]
    assert set(first.values()) == {0, 1, 4}
    for model in (Vote, Review, Question):
        assert list(model.objects.values_list("network", flat=True)) == [""]  # type: ignore[attr-defined]
    assert list(DraftPage.objects.values_list("url", "html", "text")) == [("u", "", "")]
    assert list(ClaimCheck.objects.values_list("detail", "raw")) == [("d", "")]
    assert list(Invite.objects.values_list("status", flat=True)) == ["accepted"]
    assert WinnersReader.objects.get().confirmed_at == AT
    assert (BadgeCheck.objects.count(), Upload.objects.get().status) == (1, "shown")
    gone: list[Any] = [
        Replay,
        Mail,
        Session,
        ModelAnswer,
        ModelUse,
        UpdateNotice,
        LaunchReminder,
        WeekReminder,
        Report,
        LogEntry,
        SeenNetwork,
    ]
    assert [model.objects.count() for model in gone] == [0] * len(gone)


def test_the_pages_say_what_the_table_says(site: Site, client: Client) -> None:
    root, rules = Path(settings.BASE_DIR), retention.RULES
    rows = [f"| {rule['what']} | {rule['how_long']} |" for rule in rules]
    table = "\n".join(["| what | how long it is kept |", "|---|---|", *rows])
    listed = "\n".join(f"- {rule['what']}: {rule['how_long']}." for rule in rules if rule["is_personal"])

    assert table in (root / "docs/privacy.md").read_text()
    assert listed in (root / "directory/data/pages/privacy.md").read_text()
    assert "<li>Sessions of browsers: two weeks" in client.get("/privacy").content.decode()
