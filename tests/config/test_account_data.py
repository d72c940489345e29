"""A person takes everything along, and is gone from every table when they ask for it."""

import hashlib
import json
import uuid
from pathlib import Path
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.db.models import EmailField, Model
from django.test import Client
from django.utils import timezone

from accounts import networks, services_endpoints
from accounts import services as accounts
from accounts.models import StaffNote, User
from claims.models import Claim
from claims.proving import starting
from config import personal_data
from core import mail
from core.models import Delivery, Job, Replay
from directory.engagement import follower_mail, voting
from directory.models import (
    Follow,
    Founder,
    InterviewAnswer,
    InterviewQuestion,
    LaunchReminder,
    Listing,
    ListingFounder,
    ListingRevision,
    ListingStats,
    ListingUpdate,
    Milestone,
    Question,
    Report,
    Review,
    ReviewVersion,
    TopicFollow,
    Undo,
    UnpublishedEdit,
    UpdateNotice,
    Upload,
    Vote,
    WeekReminder,
    WinnersReader,
)
from drafts.models import Draft, DraftField, Invite, ModelUse
from orders.invoices import issue_invoice
from orders.models import Order, PromoUse
from tests.conftest import Caller, People, signed_in
from tests.factories.listings import AT, make_category, make_listing
from tests.factories.oauth import Agent
from tests.factories.orders import make_order, make_promo
from tests.factories.reviews import TEXT as REVIEW
from tests.factories.reviews import make_question, make_review, reader
from tests.factories.staff import fresh

# what names members of staff, who are not erased as long as they are that; and tables of packages that we do not use
OF_STAFF = {
    "accounts.StaffAct.by",
    "accounts.StaffNote.by",
    "admin.LogEntry.user",
    "claims.Claim.decided_by",
    "directory.ListingRevision.reviewed_by",
    "directory.Report.closed_by",
    "directory.Review.decided_by",
    "directory.SiteSettings.changed_by",
    "leaderboards.RevenueReport.entered_by",
    "orders.ProductPrice.set_by",
    "orders.Refund.by",
    "orders.StaffTask.closed_by",
    "orders.VatArea.entered_by",
    "orders.VatRate.entered_by",
    "orders.VatRegistration.entered_by",
}
UNUSED = {
    "oauth2_provider.Application.user",
    "oauth2_provider.DeviceGrant.user",
    "oauth2_provider.IDToken.user",
}
EMAIL, NAME = "ines.caldeira@brindle.example", "Inês Caldeira"


@pytest.fixture
def ines(people: People, site: Any) -> User:
    """Somebody who has done everything that one can do."""
    user = accounts.create_user(email=EMAIL, password="correct horse battery")
    user.name = NAME
    user.save(update_fields=["name"])
    quote = {"quote": f"Write to {EMAIL.title()}", "url": "https://brindle.example/"}
    live = make_listing(
        "brindle",
        owner=user,
        contact_email=EMAIL,
        claimed_by_method="dns",
        evidence={
            "contact_email": [quote],
            "tagline": [quote],
            "founders": [{"quote": f"{NAME}, baker", "url": "https://brindle.example/"}],
        },
        faqs=[{"question": "Who?", "answer": f"Ask {EMAIL}"}],
    )
    for status in ("preparing", "shown"):
        Upload.objects.create(
            use="logo", by=user, listing=live, alt=f"{status} logo", status=status, created_at=AT
        )
    make_listing("saved", owner=user, status="draft", contact_email=EMAIL)
    make_listing("queued", owner=user, status="scheduled")
    _leaves_traces_on_listings(user, live)
    _leaves_traces_in_drafts(user, people.owner)
    _leaves_traces_in_the_account(user, people.staff)
    order = make_order(
        site, owner=user, billing_email=EMAIL, billing_name=NAME, billing_company="Brindle Lda"
    )
    for kind, pk in (("accounts.user", user.pk), ("directory.listing", live.pk), ("orders.order", order.pk)):
        StaffNote.objects.create(by=people.staff, kind=kind, key=str(pk), text=f"{NAME} called", at=AT)
    PromoUse.objects.create(promo=make_promo(), order=order, user=user, state="used", held_until=AT)
    issue_invoice(order=order, at=AT)
    return user


def _leaves_traces_on_listings(user: User, live: Listing) -> None:
    words = f"Write to {EMAIL}"
    ListingUpdate.objects.create(listing=live, title=words, body=words, posted_at=AT)
    Milestone.objects.create(listing=live, date=AT.date(), title=words, description=words)
    founder = Founder.objects.create(slug="ines", user=user, name=NAME, bio=f"{NAME} bakes.", created_at=AT)
    ListingFounder.objects.create(listing=live, founder=founder)
    ListingRevision.objects.create(
        listing=live,
        changed=["contact_email"],
        before={"contact_email": None},
        after={"contact_email": EMAIL},
        by=user,
        at=AT,
    )
    other = make_listing("tidewell")
    Claim.objects.create(listing=other, user=user, method="email", email=EMAIL, created_at=AT, expires_at=AT)
    voting.cast_vote(user=user, listing_id=other.pk, at=AT, address="198.51.100.7")
    voting.follow(user=user, listing_id=other.pk, at=AT)
    other.co_owners.add(user)
    Undo.objects.create(kind=Undo.Kind.BAN, user=user, at=AT, undone_at=AT)
    Report.objects.create(
        listing=other, reason="wrong", text=f"Ask me: {EMAIL}", reporter=user, created_at=AT
    )
    Report.objects.create(
        listing=other, reason="illegal", text="Signed.", name="Ada", email=EMAIL, created_at=AT
    )
    follower_mail.choose(user_id=user.pk, updates="at_once", at=AT)
    WinnersReader.objects.create(site=live.site, email=EMAIL, created_at=AT)
    LaunchReminder.objects.create(listing=other, user=user, created_at=AT)
    UnpublishedEdit.objects.create(listing=other, user=user, typed={"tagline": f"By {NAME}"}, at=AT)
    WeekReminder.objects.create(site=other.site, week=AT.date(), user=user, created_at=AT)
    TopicFollow.objects.create(site=live.site, user=user, category=make_category(), created_at=AT)
    news = ListingUpdate.objects.create(listing=other, title="News", body="B", posted_at=timezone.now())
    UpdateNotice.objects.create(update=news, user=user, created_at=AT)
    begun = {"user": user, "site": other.site, "slug": other.slug, "at": timezone.now()}
    starting.claim_listing(method="email", email="office@tidewell.example", **begun)  # type: ignore[arg-type]
    _leaves_texts(user, live=live, other=other)
    question = InterviewQuestion.objects.create(question="Why?")
    InterviewAnswer.objects.create(user=user, question=question, answer=f"I, {NAME}", updated_at=AT)


def _leaves_texts(user: User, *, live: Listing, other: Listing) -> None:
    """Reviews and questions, and what the makers said to those of others."""
    noor = reader("noor")
    mine = make_review(other, user, text=f"{NAME} says: {REVIEW}", stars=1)
    ReviewVersion.objects.create(review=mine, stars=2, how="uses", text=f"{NAME}: {REVIEW}", until=AT)
    make_review(live, noor, reply=f"Thanks, {NAME}", replied_at=AT, replied_by=user)
    make_question(other, user, text=f"Ask {EMAIL}?")
    make_question(live, noor, answer=f"Ask {EMAIL}", answered_by=user)
    networks.see(user_id=user.pk, network="0123", at=AT)


def _leaves_traces_in_drafts(user: User, somebody: User) -> None:
    site = Listing.objects.first().site  # type: ignore[union-attr]
    common = {"site": site, "url": "u", "domain": "d", "created_at": AT, "updated_at": AT}
    mine = Draft.objects.create(owner=user, site_key="mine", founders=[{"name": NAME}], **common)
    DraftField.objects.create(draft=mine, name="contact_email", value=EMAIL, updated_at=AT)
    ModelUse.objects.create(owner=user, day=AT.date())
    theirs = Draft.objects.create(owner=somebody, site_key="theirs", founders=[{"name": NAME}], **common)
    Invite.objects.create(
        draft=theirs,
        email=EMAIL.upper(),
        digest=hashlib.sha256(b"x").hexdigest(),
        sent_at=AT,
        expires_at=AT,
        status="accepted",
        profile={"name": NAME, "bio": "Bakes."},
    )


def _leaves_traces_in_the_account(user: User, staff: User) -> None:
    agent = Agent(user)
    agent.answer()  # a code that nobody has exchanged yet
    agent.tokens()
    accounts.create_api_key(user=user, name=f"Key of {NAME}", at=timezone.now())
    Authenticator.objects.create(user=user, type="totp", data={})
    url = f"https://hooks.brindle.com/{EMAIL.partition('@')[0]}"
    hook, _ = services_endpoints.add_endpoint(user=user, url=url, types=["draft.ready"], at=AT)
    Delivery.objects.create(
        endpoint=hook, event=uuid.uuid4(), type="claim.verified", body=EMAIL, answer=NAME, created_at=AT
    )
    envelope = mail.Envelope(person_id=user.pk)
    mail.queue(to=EMAIL, subject=f"Hello {NAME}", text=EMAIL, html="", key="hello", envelope=envelope)
    Job.objects.update(state="dead")
    Replay.objects.create(
        user=user, operation="o", key="k", fingerprint="f", status=200, body=EMAIL.encode(), created_at=AT
    )
    LogEntry.objects.create(
        user=staff,
        content_type=ContentType.objects.get_for_model(User),
        object_id=str(user.pk),
        object_repr=EMAIL,
        action_flag=CHANGE,
    )


def places_of(*needles: str) -> dict[str, int]:
    """In which tables a text stands, and in how many rows."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            either = " OR ".join(["row::text ILIKE %s OR row::text ILIKE %s"] * len(needles))
            # bytes are shown in hexadecimal
            values = [f"%{text}%" for needle in needles for text in (needle, needle.encode().hex())]
            cursor.execute(f'SELECT count(*) FROM "{table}" AS row WHERE {either}', values)
            (found[table],) = cursor.fetchone()
    return {table: number for table, number in found.items() if number}


def columns_about_people() -> list[tuple[type[Model], str]]:
    """Every column that refers to a person or holds an address, of every table."""
    return [
        (model, field.name)
        for model in apps.get_models()
        if not model._meta.proxy
        for field in model._meta.concrete_fields
        if field.related_model is User or isinstance(field, EmailField)
    ]


def test_the_person_of_these_tests_has_left_something_in_every_place_where_one_can(ines: User) -> None:
    """A new table or column about people is missed here, and so not forgotten in what is exported and erased."""
    missed = []
    for model, name in columns_about_people():
        is_address = isinstance(model._meta.get_field(name), EmailField)
        mine = {f"{name}__iexact": EMAIL} if is_address else {name: ines}
        if not model._base_manager.filter(**mine).exists():
            missed.append(f"{model._meta.label}.{name}")

    assert sorted(set(missed) - OF_STAFF - UNUSED) == []


def test_everything_of_a_person_is_theirs_to_take_along(ines: User) -> None:
    client = fresh(signed_in(ines))

    answer = client.post("/account/data/export")

    assert (answer.status_code, answer["Content-Type"], answer["Cache-Control"]) == (
        200,
        "application/json",
        "private, no-store",
    )
    assert answer["Content-Disposition"] == 'attachment; filename="my-data.json"'
    data = json.loads(answer.content)
    assert data["account"]["account"]["email"] == EMAIL
    assert [row["slug"] for row in data["directory"]["listings"]] == ["brindle", "saved", "queued"]
    assert [row["listing__slug"] for row in data["directory"]["votes"]] == ["tidewell"]
    assert [row["slug"] for row in data["directory"]["shared_listings"]] == ["tidewell"]
    assert [row["billing_name"] for row in data["orders"]["orders"]] == [NAME]
    assert [row["reason"] for row in data["directory"]["reports"]] == ["wrong", "illegal"]
    assert data["directory"]["mail"][0]["updates"] == "at_once"
    assert [row["email"] for row in data["directory"]["winners_mail"]] == [EMAIL]
    assert [row["listing__slug"] for row in data["directory"]["launch_reminders"]] == ["tidewell"]
    assert [row["week"] for row in data["directory"]["week_reminders"]] == [AT.date().isoformat()]
    assert [row["text"] for row in data["directory"]["reviews"]] == [f"{NAME} says: {REVIEW}"]
    assert [row["stars"] for row in data["directory"]["review_versions"]] == [2]
    assert [row["text"] for row in data["directory"]["questions"]] == [f"Ask {EMAIL}?"]
    assert [row["reply"] for row in data["directory"]["replies"]] == [f"Thanks, {NAME}"]
    assert [row["answer"] for row in data["directory"]["answers"]] == [f"Ask {EMAIL}"]
    assert [row["email"] for row in data["claims"]["claims"]] == [EMAIL, "office@tidewell.example"]
    assert [row["value"] for row in data["drafts"]["fields"]] == [EMAIL]
    assert [row["alt"] for row in data["directory"]["pictures_sent"]] == ["preparing logo", "shown logo"]
    assert [row["kind"] for row in data["orders"]["invoices"]] == ["invoice"]
    assert [row["text"] for row in data["account"]["notes_of_staff"]] == [f"{NAME} called"]
    assert f"Hello {NAME}" in [row["subject"] for row in data["account"]["mails"]]
    text = answer.content.decode()
    assert "owner@people.example" not in text
    assert ines.password not in text


def test_who_is_erased_stands_in_no_table_any_more(ines: User, people: People) -> None:
    _, key = accounts.create_api_key(user=ines, name=f"Key of {NAME}", at=timezone.now())
    client, other = fresh(signed_in(ines)), fresh(signed_in(ines))
    assert {"accounts_user", "core_job", "drafts_invite", "directory_founder"} <= places_of(
        EMAIL, NAME
    ).keys()
    followers = ListingStats.objects.get(listing__slug="tidewell").followers

    refused = client.post("/account/data/erase", {"email": "somebody@else.example"})
    assert (refused.status_code, User.objects.get(pk=ines.pk).email) == (400, EMAIL)
    done = client.post("/account/data/erase", {"email": EMAIL.upper()})

    assert (done.status_code, "Your account is erased" in done.content.decode()) == (200, True)
    assert places_of(EMAIL, NAME) == {"orders_invoice": 1}  # which the law has us keep as it was written
    assert [page.get("/account").status_code for page in (client, other)] == [302, 302]
    assert Caller(key).get("/api/v1/me").status_code == 401
    live = Listing.objects.get(slug="brindle")
    assert (live.status, live.owner, live.claimed_by_method, live.contact_email) == ("live", None, "", "")
    assert "Nobody has claimed this listing" in Client().get("/listings/brindle").content.decode()
    assert not Listing.objects.filter(slug__in=["saved", "queued"]).exists()
    assert (Vote.objects.get().network, ListingStats.objects.get(listing__slug="tidewell").votes) == ("", 1)
    assert ListingStats.objects.get(listing__slug="tidewell").followers == followers - 1
    assert (
        list(Report.objects.values_list("reporter", "text", "name", "email"))
        == [(None, "[removed]", "", "")] * 2
    )
    assert not Follow.objects.exists()
    assert [upload.status for upload in Upload.objects.all()] == ["shown"]
    assert not Claim.objects.exists()
    assert list(Order.objects.values_list("owner", "billing_company")) == [(ines.pk, "")]
    assert not Listing.objects.owned_by(ines.pk).exists()
    assert list(Draft.objects.values_list("owner__email", "founders")) == [("owner@people.example", [])]
    assert not EmailAddress.objects.filter(user=ines).exists()
    assert list(StaffNote.objects.values_list("kind", "text")) == [("directory.listing", "[removed] called")]

    personal_data.erase(user_id=ines.pk, at=AT)
    again = accounts.create_user(email=EMAIL)
    assert again.pk != ines.pk


def test_reviews_go_with_their_writer_and_are_counted_anew(ines: User) -> None:
    personal_data.erase(user_id=ines.pk, at=AT)

    assert list(Review.objects.values_list("author__name", "reply", "replied_by")) == [("Noor", "", None)]
    assert list(Question.objects.values_list("status", "answer", "answered_by")) == [("dismissed", "", None)]
    stats = ListingStats.objects.filter(listing__slug__in=["brindle", "tidewell"]).order_by("listing__slug")
    assert list(stats.values_list("reviews", flat=True)) == [1, 0]


def test_a_photo_goes_with_its_person_once_that_is_certain(
    ines: User, settings: Any, tmp_path: Path, django_capture_on_commit_callbacks: Any
) -> None:
    settings.MEDIA_ROOT = tmp_path
    photo = default_storage.save("founders/ines.png", ContentFile(b"x"))
    Founder.objects.filter(user=ines).update(photo=photo)

    with django_capture_on_commit_callbacks(execute=True):
        personal_data.erase(user_id=ines.pk, at=AT)
        assert default_storage.exists(photo)

    assert not default_storage.exists(photo)


def test_an_erasure_that_fails_halfway_has_not_begun(ines: User, monkeypatch: pytest.MonkeyPatch) -> None:
    before = places_of(EMAIL, NAME)

    class Broken:
        @staticmethod
        def export(*, user_id: int) -> dict[str, Any]:
            return {}

        @staticmethod
        def erase(*, user: User, at: Any) -> None:
            raise RuntimeError

    monkeypatch.setitem(personal_data.AREAS, "zzz", Broken)
    with pytest.raises(RuntimeError):
        personal_data.erase(user_id=ines.pk, at=AT)

    assert places_of(EMAIL, NAME) == before
