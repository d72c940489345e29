"""The page of an ended week: winner, ballots, past winners, the race that runs; at a bounded cost."""

from datetime import date, timedelta

import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from directory import weeks
from directory.models import Launch, Listing, Site, Vote
from directory.search import public_data
from leaderboards import ballots
from leaderboards.closing import close_week
from tests.factories.listings import make_listing

MONDAY = date(2026, 11, 16)
START, END, HOUR = weeks.start(MONDAY), weeks.end(MONDAY), timedelta(hours=1)


def test_an_ended_week_with_all_that_stands_beside_it_costs_twelve_statements(
    site: Site, client: Client
) -> None:
    voters = User.objects.bulk_create(User(email=f"{number}@voter.example") for number in range(6))

    def voted(slug: str, week: date, number: int) -> Listing:
        made = make_listing(slug, at=weeks.start(week))
        Vote.objects.bulk_create(
            Vote(listing=made, user=user, week=week, created_at=weeks.start(week) + HOUR)
            for user in voters[:number]
        )
        Launch.objects.filter(listing=made).update(votes=number)
        return made

    for number in range(1, 7):
        winner = voted(f"more-{number}", MONDAY, number)
    winner.updates.create(title="Thanks", body="All of you.", posted_at=START + HOUR)
    for number in (2, 1, 0):
        week = MONDAY - number * weeks.WEEK
        voted(f"of-week-{number}", week, 1)
        close_week(site=site, week=week, at=weeks.end(week) + HOUR)
    ballots.write_missing()
    voted("now", MONDAY + weeks.WEEK, 1)
    with time_machine.travel(END + 8 * HOUR, tick=False):
        client.get(f"/weeks/{MONDAY}")
        with CaptureQueriesContext(connection) as captured:
            page = client.get(f"/weeks/{MONDAY}").content.decode()

    assert [
        part for part in ("Check the votes", "Past winners", ">Now<", "All of you.") if part not in page
    ] == []
    assert len(captured) <= 12


def test_home_names_no_winner_that_is_suspended_by_now(site: Site, client: Client) -> None:
    voter = User.objects.create_user("voter@people.example")
    for slug in ("kept-one", "gone-one"):
        made = make_listing(slug, at=START)
        Vote.objects.create(listing=made, user=voter, week=MONDAY, created_at=START + HOUR)
        Launch.objects.filter(listing=made).update(votes=1)
    close_week(site=site, week=MONDAY, at=END + HOUR)
    made.status = "suspended"
    made.save(update_fields=["status"])
    public_data.refresh(listing_ids=[made.pk])

    with time_machine.travel(END + 8 * HOUR, tick=False):
        page = client.get("/").content.decode()

    assert ("/listings/kept-one" in page, "/listings/gone-one" in page) == (True, False)


def test_the_winner_finds_badge_and_share_links_beside_the_place_and_nobody_else(
    site: Site, client: Client
) -> None:
    voter, maker = (User.objects.create_user(f"{name}@people.example") for name in ("voter", "maker"))
    won = make_listing("won", at=START, owner=maker)
    Vote.objects.create(listing=won, user=voter, week=MONDAY, created_at=START + HOUR)
    Launch.objects.filter(listing=won).update(votes=1)
    close_week(site=site, week=MONDAY, at=END + HOUR)

    with time_machine.travel(END + 8 * HOUR, tick=False):
        links = []
        for reader in (maker, voter):
            client.force_login(reader)
            podium = (
                client.get(f"/weeks/{MONDAY}").content.decode().split('class="podium"')[1].split("</ol>")[0]
            )
            links.append([f'href="/listings/won{end}"' in podium for end in ("/badges", "#share", "/visit")])

    assert links == [[True, True, False], [False, False, True]]
