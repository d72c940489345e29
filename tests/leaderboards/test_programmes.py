"""Programmes: entered within their window, decided by votes within theirs, closed once, corrected when votes go."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone

from accounts.services import create_user
from core import jobs
from core.models import Job
from directory.engagement import voiding
from directory.models import Listing, Site, Vote
from leaderboards.models import Award, Programme
from leaderboards.trophies import credentials, programmes
from leaderboards.trophies.models import ProgrammeEntry
from tests.conftest import Caller, People, signed_in
from tests.factories.listings import make_category, make_listing

BEGIN, WEEK = datetime(2026, 11, 2, tzinfo=UTC), timedelta(weeks=1)
OPEN, VOTING, OVER = BEGIN + timedelta(days=1), BEGIN + WEEK, BEGIN + 2 * WEEK
pytestmark = pytest.mark.django_db


def make_programme(site: Site, **fields: Any) -> Programme:
    rows = {
        "slug": "best-of-autumn",
        "title": "Best of autumn",
        "description": "This autumn’s.",
        "entry_from": BEGIN,
        "entry_until": VOTING,
        "votes_from": VOTING,
        "votes_until": OVER,
    }
    return Programme.objects.create(site=site, **rows | fields)


def cast(listing: Listing, number: int, *, at: datetime) -> list[Vote]:
    start = Vote.objects.count()
    return [
        Vote.objects.create(
            listing=listing,
            user=create_user(email=f"{listing.slug}-{start + one}@people.example"),
            week=(at - timedelta(days=at.weekday())).date(),
            created_at=at,
        )
        for one in range(number)
    ]


@pytest.fixture
def entered(site: Site, people: People) -> tuple[Programme, list[Listing]]:
    """Three listings of one owner, of which two are level, and the later one launched first."""
    programme = make_programme(site)
    listings = [
        make_listing(slug, owner=people.owner, at=BEGIN - timedelta(days=9 + number))
        for number, slug in enumerate(("a-one", "b-two", "c-three"))
    ]
    for listing in listings:
        programmes.enter_programme(
            owner_id=people.owner.pk, listing_id=listing.pk, slug=programme.slug, at=OPEN
        )
    for listing, votes in zip(listings, (2, 2, 1), strict=True):
        cast(listing, votes, at=VOTING + timedelta(hours=1))
    cast(listings[2], 5, at=OVER)
    cast(listings[2], 5, at=VOTING - timedelta(seconds=1))
    return programme, listings


def places(programme: Programme) -> list[tuple[int | None, str, int | None]]:
    rows = programme.entries.order_by("rank", "pk").values_list("rank", "listing__slug", "votes")
    return list(rows)


def test_an_owner_enters_within_the_window_and_once(
    site: Site, people: People, api: Callable[..., Caller]
) -> None:
    now = datetime.now(UTC)
    programme = make_programme(
        site, entry_from=now - WEEK, entry_until=now + WEEK, votes_from=now + WEEK, votes_until=now + 2 * WEEK
    )
    listing = make_listing("a-one", owner=people.owner, at=now - WEEK)
    address = f"/api/v1/me/listings/{listing.pk}/programmes/best-of-autumn"

    first, again = api("listings:write").post(address), api("listings:write").post(address)
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json()["listing_id"] == again.json()["listing_id"] == listing.pk
    assert programme.entries.count() == 1
    (row,) = api().get("/api/v1/programmes?status=open").json()["items"]
    assert (row["slug"], row["status"], row["entries"], row["winners"]) == ("best-of-autumn", "open", 1, [])
    assert api("account:read").post(address).status_code == 403
    assert api("listings:write").post(address.replace("best", "worst")).status_code == 404
    assert (
        api("listings:write")
        .post(f"/api/v1/me/listings/{listing.pk + 99}/programmes/best-of-autumn")
        .status_code
        == 404
    )


def test_a_listings_own_page_offers_what_it_may_enter_with_one_press(site: Site, people: People) -> None:
    now = datetime.now(UTC)
    window = {"entry_from": now - WEEK, "entry_until": now + WEEK}
    votes = {"votes_from": now + WEEK, "votes_until": now + 2 * WEEK}
    programme = make_programme(site, **window, **votes)
    closed_to_it = make_programme(site, slug="gardens", title="Gardens", **window, **votes)
    closed_to_it.categories.set([make_category("garden")])
    listing = make_listing("a-one", owner=people.owner, at=now - WEEK)
    client, page = Client(), f"/account/listings/{listing.pk}"
    client.force_login(people.owner)
    address = f"/programmes/best-of-autumn/enter/{listing.pk}"

    before = client.get(page).content.decode()
    assert f'action="{address}"' in before
    assert "Gardens" not in before
    assert client.post(address).status_code == 302
    after = client.get(page).content.decode()
    assert [entry.listing_id for entry in programme.entries.all()] == [listing.pk]
    assert ("Entered" in after, f'action="{address}"' in after) == (True, False)


@pytest.mark.parametrize(
    ("moved", "words"),
    [(-3, "This programme is over."), (2, "Entries aren’t open now: they run from ")],
    ids=["too late", "too early"],
)
def test_outside_the_window_nobody_enters(
    site: Site, people: People, api: Callable[..., Caller], moved: int, words: str
) -> None:
    now = datetime.now(UTC) + moved * WEEK
    programme = make_programme(
        site, entry_from=now - WEEK, entry_until=now + WEEK, votes_from=now + WEEK, votes_until=now + 2 * WEEK
    )
    listing = make_listing("a-one", owner=people.owner, at=now - 9 * WEEK)

    answer = api("listings:write").post(f"/api/v1/me/listings/{listing.pk}/programmes/best-of-autumn")
    assert (answer.status_code, answer.json()["code"]) == (400, "programme_closed")
    assert answer.json()["rule"].startswith(words)
    assert programme.entries.count() == 0


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"launched_from": "2026-10-20"}, "Only for products launched on 20 October 2026 or later."),
        ({"launched_until": "2026-10-01"}, "Only for products launched by 1 October 2026."),
        ({"categories": ["garden"]}, "Only for products in Garden."),
        ({"status": "archived"}, "Only live listings can enter."),
    ],
)
def test_a_rule_that_keeps_a_listing_out_is_told(
    site: Site, people: People, api: Callable[..., Caller], rule: dict[str, Any], words: str
) -> None:
    now = datetime.now(UTC)
    kinds, status = rule.pop("categories", ()), rule.pop("status", "live")
    rules = {name: datetime.fromisoformat(day).date() for name, day in rule.items()}
    programme = make_programme(
        site,
        entry_from=now - WEEK,
        entry_until=now + WEEK,
        votes_from=now + WEEK,
        votes_until=now + 2 * WEEK,
        **rules,
    )
    programme.categories.set([make_category(kind) for kind in kinds])
    launched = datetime(2026, 10, 10, tzinfo=UTC)
    listing = make_listing("a-one", owner=people.owner, at=launched, status=status, launched_at=launched)

    answer = api("listings:write").post(f"/api/v1/me/listings/{listing.pk}/programmes/best-of-autumn")
    assert (answer.status_code, answer.json()["code"], answer.json()["rule"]) == (400, "not_eligible", words)
    assert programme.entries.count() == 0


def test_it_closes_once_with_the_weeks_tie_rule_and_tells_the_winners(
    entered: tuple[Programme, list[Listing]], api: Callable[..., Caller]
) -> None:
    programme, _ = entered
    with pytest.raises(programmes.ProgrammeStillRunningError):
        programmes.close_programme(programme_id=programme.pk, at=OVER - timedelta(seconds=1))
    assert programmes.close_due_programmes(at=OVER + timedelta(minutes=4)) == 0
    assert programmes.close_due_programmes(at=OVER + timedelta(minutes=6)) == 1
    assert programmes.close_due_programmes(at=OVER + timedelta(hours=1)) == 0
    programmes.close_programme(programme_id=programme.pk, at=OVER + timedelta(hours=2))

    assert places(programme) == [(1, "b-two", 2), (2, "a-one", 2), (3, "c-three", 1)]
    awards = list(Award.objects.order_by("rank"))
    assert [(award.code, award.title, award.listing.slug) for award in awards] == [
        ("programme_1", "Best of autumn #1", "b-two"),
        ("programme_2", "Best of autumn #2", "a-one"),
        ("programme_3", "Best of autumn #3", "c-three"),
    ]
    assert all(credentials.checks(award)[0].passed for award in awards)
    assert {award.week for award in awards} == {VOTING.date()}
    mails = Job.objects.filter(kind="core.send_mail", key__startswith="award_given-")
    assert {row.key for row in mails} == {f"award_given-{award.pk}" for award in awards}
    first = awards[0].pk
    for path in (
        f"awards/{first}",
        f"awards/{first}/certificate",
        f"awards/{first}.svg",
        "listings/b-two/trophies",
    ):
        shown = Client().get(f"/{path}").content.decode()
        assert ("Best of autumn" in shown, "eek of" in shown) == (True, False), path
    page = Client().get(f"/awards/{first}").content.decode()
    assert 'content="B two took place 1 in Best of autumn with 2 votes."' in page
    jobs.run_due()
    won = next(one for one in mail.outbox if one.subject == "B two won Best of autumn #1")
    assert "took place 1 in Best of autumn with 2 votes" in won.body
    assert api().get("/api/v1/awards").json()["items"] == []
    winners = api().get("/api/v1/programmes").json()["items"][0]["winners"]
    named = {"id", "code", "title", "rank", "week", "votes", "listing", "badge_url"}
    assert [(row["rank"], set(row)) for row in winners] == [(1, named), (2, named), (3, named)]
    programme.refresh_from_db()
    assert programmes.verify_programme(programme) is True


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_dies_while_it_closes_leaves_nothing_and_two_who_close_give_each_award_once(
    entered: tuple[Programme, list[Listing]], monkeypatch: pytest.MonkeyPatch
) -> None:
    programme, _ = entered
    after = OVER + timedelta(hours=1)

    def die(_awards: Any) -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return 0

    with monkeypatch.context() as patched:
        patched.setattr(credentials, "issue", die)
        with pytest.raises(OperationalError):
            programmes.close_programme(programme_id=programme.pk, at=after)
    connection.close()
    programme.refresh_from_db()
    given = Job.objects.filter(kind="core.send_mail", key__startswith="award_given-")
    assert (programme.closed_at, Award.objects.count(), given.count()) == (None, 0, 0)

    def close(_: int) -> None:
        try:
            programmes.close_programme(programme_id=programme.pk, at=after)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as workers:
        list(workers.map(close, range(2)))
    assert places(programme) == [(1, "b-two", 2), (2, "a-one", 2), (3, "c-three", 1)]
    assert sorted(Award.objects.values_list("rank", flat=True)) == [1, 2, 3]
    assert given.count() == 3


def test_voided_votes_that_change_a_place_revoke_and_issue_anew_and_tell_both(
    entered: tuple[Programme, list[Listing]], api: Callable[..., Caller]
) -> None:
    programme, (one, two, three) = entered
    programmes.close_programme(programme_id=programme.pk, at=OVER + timedelta(minutes=6))
    former = {award.listing_id: award for award in Award.objects.all()}
    bought = Vote.objects.filter(listing=two, created_at__lt=OVER, created_at__gte=VOTING).first()
    assert bought is not None
    voiding.void_votes(vote_ids=[bought.pk], reason="bought", at=OVER + timedelta(hours=1))
    jobs.run_due()

    programme.refresh_from_db()
    assert places(programme) == [(1, "a-one", 2), (2, "c-three", 1), (3, "b-two", 1)]
    valid = {award.rank: award.listing_id for award in Award.objects.valid()}
    assert valid == {1: one.pk, 2: three.pk, 3: two.pk}
    answer = api().get(f"/api/v1/awards/{former[two.pk].pk}/verification").json()
    assert (answer["valid"], answer["reason"]) == (
        False,
        "Votes that we took out of the count, or put back, changed the places.",
    )
    assert [check["name"] for check in answer["checks"] if not check["passed"]] == ["standing", "not_revoked"]
    keys = set(Job.objects.filter(kind="core.send_mail").values_list("key", flat=True))
    assert {f"award_revoked-{former[pk].pk}" for pk in (one.pk, two.pk)} <= keys
    assert {f"award_given-{award.pk}" for award in Award.objects.valid()} <= keys
    assert programmes.verify_programme(programme) is True


@pytest.mark.parametrize(("shift", "button"), [(0, False), (2, True), (3, False)])
def test_its_page_takes_votes_while_they_count_and_shows_none_before(
    site: Site, people: People, shift: int, *, button: bool
) -> None:
    """Open for entries, voting, counting: nobody has a place without a vote."""
    now = timezone.now()
    begin = now - shift * WEEK / 2 - timedelta(hours=1)
    windows = {"entry_from": begin, "entry_until": begin + WEEK / 2, "votes_from": begin + WEEK / 2}
    programme = make_programme(site, **windows, votes_until=begin + 3 * WEEK / 2)
    for slug in ("a-one", "b-two"):
        listing = make_listing(slug, owner=people.owner)
        ProgrammeEntry.objects.create(programme=programme, listing=listing, entered_at=begin)
    reader = signed_in(people.stranger)

    page = reader.get("/programmes/best-of-autumn").content.decode()
    assert ('action="/listings/a-one/vote"' in page) is button
    assert "data-swap" not in page  # its answer would be the count of all time
    assert ('class="vote' in page) is bool(shift)
    assert "Rank" not in page
    if button:
        sent = {"do": "vote", "next": "/programmes/best-of-autumn#a-one"}
        assert reader.post("/listings/a-one/vote", sent)["Location"] == sent["next"]
        Vote.objects.update(created_at=now, held_at=None)
        page = reader.get("/programmes/best-of-autumn").content.decode()
        assert page.count('<span class="hidden-words">Rank </span>') == 1
        assert 'aria-pressed="true"' in page
