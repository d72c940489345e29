"""The launch room: what makers see before, while it runs, after, and when something is lost; only they see it."""

import re
from datetime import UTC, date, datetime, timedelta
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from django.db import connection
from django.db.models import Count
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from directory import weeks
from directory.launches.race import write_week
from directory.models import Launch, Listing, Site, VisitCount, VisitSource, Vote
from directory.search import public_data
from leaderboards.closing import close_week
from tests.conftest import People
from tests.factories.listings import go_live, make_listing
from tests.factories.reviews import make_question, make_review, reader

MONDAY = date(2026, 11, 16)
START, END = weeks.start(MONDAY), weeks.end(MONDAY)
FRIDAY = START - timedelta(days=3, minutes=-20)
NOW = datetime(2026, 11, 19, 14, 20, tzinfo=UTC)
HOUR = timedelta(hours=1)
RIVALS = {"anchorage": [1, 2, 3, 4, 5, 6], "corvid": [1, 2, 3, 4]}
BRINDLE = [30, 31, 31, 75, 80]
HOSTS = {"t.co": 400, "x.com": 12, "brindle.example": 700, "few.example": 3, "Direct": 5}
NETWORKS = ["X", "LinkedIn", "Bluesky", "Mastodon", "Threads", "Reddit", "Hacker News", "WhatsApp", "E-mail"]


@pytest.fixture
def voters(db: None) -> list[User]:
    return User.objects.bulk_create(User(email=f"{number}@voter.example") for number in range(6))


@pytest.fixture
def brindle(site: Site, people: People) -> Listing:
    listing = make_listing(
        "brindle", owner=people.owner, at=FRIDAY, status="scheduled", launch_week=MONDAY, plan="paid"
    )
    listing.co_owners.add(people.staff)
    return listing


def room(
    client: Client, user: User, listing: Listing, *, at: datetime, path: str = "launch", status: int = 200
) -> str:
    with time_machine.travel(at, tick=False):
        client.force_login(user)
        answer = client.get(f"/account/listings/{listing.pk}/{path}".rstrip("/"))
    assert answer.status_code == status
    return " ".join(answer.content.decode().split("<main")[-1].split("</main")[0].split())


def words(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def cast(listing: Listing, people: list[User], hours: list[int]) -> None:
    Vote.objects.bulk_create(
        Vote(listing=listing, user=user, week=MONDAY, created_at=START + hour * HOUR)
        for user, hour in zip(people, hours, strict=False)
    )
    Launch.objects.filter(listing=listing).update(votes=len(hours))


def figures(html: str) -> dict[str, str]:
    """Each figure with the number that stands large."""
    box = html.split('<dl class="figures')[1].split("</dl>", maxsplit=1)[0]
    return dict(re.findall(r'<dt>([^<]+)</dt> <dd> <b class="big">([^<]+)</b>', box))


def kit(html: str) -> dict[str, tuple[str, str]]:
    """Text and address of each network."""
    parts = html.split('class="kit')[1].split("</section>", maxsplit=1)[0].split("<details")[1:]
    rows = {}
    for part in parts:
        network = re.search("<summary><b>([^<]+)</b>", part)
        text = re.search("<textarea[^>]*>(.*?)</textarea>", part)
        href = re.search('href="((?:https|mailto):[^"]+)"', part)
        assert (network is None, text is None, href is None) == (False, False, False), part
        rows[network[1]] = (unescape(text[1]), unescape(href[1]))
    return rows


def asks_for_no_votes(texts: dict[str, tuple[str, str]]) -> None:
    assert list(texts) == NETWORKS
    for text, href in texts.values():
        assert "vote" not in text.lower()
        query = parse_qs(urlsplit(href).query)
        sent = query.get("text") or query.get("title") or query.get("t") or query["body"]
        assert " ".join(sent[0].split()) == " ".join(text.split())
    assert len(texts["X"][0]) <= 280


def test_a_room_goes_with_its_launch_from_booking_to_result(
    site: Site, people: People, voters: list[User], brindle: Listing, client: Client
) -> None:
    seen_before(client, people.owner, brindle)
    begin(site, brindle, voters, people)
    seen_live(client, people.staff, brindle)
    assert "Brindle is 3rd of 3" in account(client, people.owner, at=NOW).split("Waiting for you")[0]
    close_week(site=site, week=MONDAY, at=END + timedelta(minutes=6))
    seen_after(client, people.owner, brindle)


def seen_before(client: Client, user: User, brindle: Listing) -> None:
    html = room(client, user, brindle, at=FRIDAY)
    text = words(html)
    assert "Goes live Monday 16 November, 00:00 UTC 2 days 23 hours 40 minutes You don’t" in text
    assert "Ready for launch 0 of 7" in text
    here = f"/account/listings/{brindle.pk}"
    head = html.split("<h1")[1].split('class="tabs"')[0]
    assert re.findall('<a class="button little"\\s+href="([^"]+)"', head) == [
        f"{here}/edit",
        "/listings/brindle",
    ]
    left = re.findall('href="([^"]+)" aria-label="[A-Z]', html)
    assert left == [
        "/listings/brindle/badges",
        "/listings/brindle/claim",
        f"{here}/edit",
        f"{here}/pictures",
        f"{here}/edit",
        f"{here}/edit",
        f"{here}/edit",
    ]
    assert "Not launched yet" in text
    assert "/share/listings/brindle/card.png" in html
    asks_for_no_votes(kit(html))
    line = home_line(client, user, at=FRIDAY)
    assert line == "Brindle launches Monday 16 November. At 00:00 UTC, in 2 days 23 h. Open your launch room"


def begin(site: Site, brindle: Listing, voters: list[User], people: People) -> None:
    """It goes live beside two others; one of its five votes is looked at by hand."""
    for slug, hours in RIVALS.items():
        cast(make_listing(slug, at=START), voters, hours)
    go_live(listing_id=brindle.pk, at=START + timedelta(minutes=1))
    cast(brindle, voters, BRINDLE)
    Vote.objects.filter(listing=brindle, user=voters[0]).update(held_at=START)
    Launch.objects.filter(listing=brindle).update(votes=4)
    write_week(site=site, week=MONDAY, until=NOW)
    VisitCount.objects.create(listing=brindle, at=NOW.replace(minute=0), visits=40, clicks=9)
    VisitCount.objects.create(listing=brindle, at=START + HOUR, visits=1200, clicks=301)
    for host, number in HOSTS.items():
        VisitSource.objects.create(listing=brindle, week=MONDAY, host=host, visits=number)
    make_question(brindle, reader("joana"), created_at=NOW)
    make_review(brindle, reader("karel"), stars=4, created_at=NOW)
    make_review(brindle, reader("noor"), reply="Thank you.", replied_at=NOW, replied_by=people.owner)


def seen_live(client: Client, user: User, brindle: Listing) -> None:
    html = room(client, user, brindle, at=NOW)
    text = words(html)
    recount = Vote.objects.counted().filter(week=MONDAY).values("listing__slug").annotate(number=Count("pk"))
    votes = {row["listing__slug"]: row["number"] for row in recount}
    assert votes == {"anchorage": 6, "corvid": 4, "brindle": 4}
    assert figures(html) == {
        "Place": "3rd",
        "Votes": "4",
        "Visits to your page": "1,240",
        "Visits to your website": "310",
    }
    assert (
        "unchanged of 3 launches, 3rd of 3 in Invoicing Votes 4 2 today Visits to your page 1,240 40 today"
        in text
    )
    assert "1 question and 1 review wait for your answer." in text
    label = "Votes by hour since Monday, 4 in all. Most came on Tuesday between 7 and 8 o’clock UTC: 2 in one hour."
    assert f'aria-label="{label}"' in html
    table = words(html.split('<table class="hours">')[1].split("</table>")[0])
    rows = ["03 0 0 0 1 0 0 0", "07 0 2 0 0 0 0 0", "08 0 0 0 1 0 0 0", "Day 0 2 0 2 0 0 0"]
    assert table.endswith(f"Hour Mon Tue Wed Thu Fri Sat Sun {' '.join(rows)}")
    assert len(re.findall("<rect x=", html)) == 3
    assert "Place at midnight: Tue 3rd, Wed 3rd, now 3rd ." in text
    near = words(html.split('id="near"')[1].split("</ol>")[0])
    assert near.endswith("Rank 2 C Corvid Level with you 4 votes Rank 3 B Brindle You 4 votes")
    named = {"brindle.example, your website": "700", "X": "412", "Direct, or not given": "5"}
    found = dict(re.findall("<dt>([^<]+)</dt> <dd> ([^<]+) </dd> <svg", html))
    assert found == {**named, "Others, few each": "3"}
    assert "/badges/brindle/live.svg" in html
    asks_for_no_votes(kit(html))
    assert home_line(client, user, at=NOW) == "Brindle is 3rd. Level with Corvid. Open your launch room"


def seen_after(client: Client, user: User, brindle: Listing) -> None:
    html = room(client, user, brindle, at=END + HOUR)
    text = words(html)
    assert 'class="metal b"' in html.split('class="rosette"')[1].split("</section>")[0]
    assert (
        "Final · 16–22 November 2026 Third of 3 4 people voted for Brindle. You finished level with Corvid."
        in text
    )
    assert figures(html)["Votes"] == "4"
    assert "Place at midnight: Tue 3rd, Wed 3rd" in text
    award = brindle.won.get()
    assert f'src="/awards/{award.pk}.png"' in html
    assert "/badges/brindle/launch_of_the_week_3.svg" in html
    asks_for_no_votes(kit(html))
    assert kit(html)["X"][0].startswith("Brindle finished third of 3 on ")
    assert home_line(client, user, at=END + HOUR) is None


def home_line(client: Client, user: User, *, at: datetime) -> str | None:
    """The line above the home page."""
    with time_machine.travel(at, tick=False):
        client.force_login(user)
        html = " ".join(client.get("/").content.decode().split())
    found = re.search('<p class="notice own-launch[^>]*>(.*?)</p>', html)
    return words(found[1]) if found else None


def account(client: Client, user: User, *, at: datetime) -> str:
    with time_machine.travel(at, tick=False):
        client.force_login(user)
        return words(client.get("/account").content.decode())


def test_nobody_else_gets_in_and_visitors_are_sent_to_sign_in(
    people: People, brindle: Listing, client: Client
) -> None:
    assert client.get(f"/account/listings/{brindle.pk}/launch").status_code == 302
    room(client, people.stranger, brindle, at=FRIDAY, status=404)
    assert room(client, people.owner, brindle, at=FRIDAY, path="") == room(
        client, people.owner, brindle, at=FRIDAY
    )


def test_a_week_that_is_over_without_a_metal_and_before_it_is_checked(
    site: Site, people: People, voters: list[User], brindle: Listing, client: Client
) -> None:
    for number, slug in enumerate(("a", "b", "c")):
        cast(make_listing(slug, at=START), voters, [1, 2, 3, 4 + number])
    go_live(listing_id=brindle.pk, at=START)
    cast(brindle, voters, [5])

    counting = words(room(client, people.owner, brindle, at=END + timedelta(minutes=1)))
    assert "Voting is closed. We are checking; the result comes within minutes." in counting

    close_week(site=site, week=MONDAY, at=END + timedelta(minutes=6))
    brindle.refresh_from_db()
    text = room(client, people.owner, brindle, at=END + HOUR)
    assert "You finished 4th of 4 1 person voted for Brindle. You finished 3 votes behind C." in words(text)
    assert 'class="metal' not in text


def test_what_is_lost_says_what_follows(people: People, brindle: Listing, client: Client) -> None:
    Listing.objects.filter(pk=brindle.pk).update(
        status="awaiting_badge", plan="free", missed_weeks=1, launch_week=MONDAY
    )
    text = words(room(client, people.owner, brindle, at=FRIDAY))
    lost = "We didn’t find the badge by Sunday. Brindle moves to the week of 16 November (once more is possible)."
    assert lost in text
    assert "It can’t launch without the badge." in text

    reason = "The website sells something else."
    Listing.objects.filter(pk=brindle.pk).update(status="suspended", status_reason=reason)
    html = room(client, people.owner, brindle, at=FRIDAY)
    assert f"The site team wrote: {reason}" in words(html)
    assert re.findall('href="(mailto:[^"]+)"> ?Reply', html) == [
        "mailto:hello@127.0.0.1?subject=Brindle%20%28suspended%29"
    ]


def test_a_busy_launch_costs_no_more_statements(
    site: Site, people: People, voters: list[User], brindle: Listing, client: Client
) -> None:
    def statements(at: datetime = NOW) -> int:
        with time_machine.travel(at, tick=False), CaptureQueriesContext(connection) as captured:
            client.force_login(people.owner)
            signed_in = len(captured)
            client.get(f"/account/listings/{brindle.pk}/launch")
        return len(captured) - signed_in

    Launch.objects.filter(listing=brindle).update(kind="free")
    statements(FRIDAY)
    assert statements(FRIDAY) == 12
    go_live(listing_id=brindle.pk, at=START)
    statements()
    few = statements()
    for number in range(12):
        cast(make_listing(f"more-{number}", at=START), voters, [1, number])
        VisitSource.objects.create(listing=brindle, week=MONDAY, host=f"{number}.example", visits=20 + number)
        VisitCount.objects.create(listing=brindle, at=START + number * HOUR, visits=3)
    assert (statements(), few, statements(END + 8 * HOUR)) == (12, 12, 12)


def test_the_public_page_knows_its_makers(people: People, brindle: Listing, client: Client) -> None:
    go_live(listing_id=brindle.pk, at=START)
    Listing.objects.filter(pk=brindle.pk).update(claimed_by_method="dns")
    public_data.refresh(listing_ids=[brindle.pk])
    pages = {}
    for name, user in (("owner", people.owner), ("with them", people.staff), ("stranger", people.stranger)):
        client.force_login(user)
        with time_machine.travel(NOW, tick=False):
            pages[name] = client.get("/listings/brindle").content.decode()

    here = f'href="/account/listings/{brindle.pk}'
    assert [f'{here}/launch"' in page for page in pages.values()] == [True, True, False]
    assert [f'{here}/edit"' in page for page in pages.values()] == [True, True, False]
    assert ["Claimed by the wrong person?" in page for page in pages.values()] == [False, False, True]


def test_the_figures_are_a_file_of_each_hour_for_the_makers_alone(
    people: People, voters: list[User], brindle: Listing, client: Client
) -> None:
    address = f"/account/listings/{brindle.pk}/launch.csv"
    with time_machine.travel(NOW, tick=False):
        client.force_login(people.owner)
        assert client.get(address).status_code == 404
        go_live(listing_id=brindle.pk, at=START)
        cast(brindle, voters, [1, 1, 3])
        write_week(site=brindle.site, week=MONDAY, until=NOW)
        VisitCount.objects.create(listing=brindle, at=START + HOUR, visits=30, clicks=4)
        VisitSource.objects.create(listing=brindle, week=MONDAY, host="t.co", visits=20)
        answer = client.get(address)
        client.force_login(people.stranger)
        assert client.get(address).status_code == 404

    lines = answer.content.decode().split("\r\n")
    assert answer["Content-Disposition"] == 'attachment; filename="brindle-2026-11-16.csv"'
    assert lines[:4] == [
        "hour_utc,votes,place_at_its_end,visits,visits_to_website",
        "2026-11-16 00:00,0,,0,0",
        "2026-11-16 01:00,2,1,30,4",
        "2026-11-16 02:00,0,1,0,0",
    ]
    assert (len(lines[1:-4]), lines[-4:]) == (87, ["", "website,visits", "X,20", ""])


@time_machine.travel(FRIDAY, tick=False)
def test_a_free_launch_moves_to_another_open_week_and_a_paid_or_begun_one_stays(
    site: Site, people: People, client: Client
) -> None:
    free = make_listing("free", owner=people.owner, at=FRIDAY, status="awaiting_badge", launch_week=MONDAY)
    paid = make_listing("paid", owner=people.owner, at=FRIDAY, status="scheduled", launch_week=MONDAY)
    Launch.objects.filter(listing=paid).update(kind="paid")
    later = MONDAY + 3 * weeks.WEEK
    client.force_login(people.owner)

    def change(listing: Listing, week: object) -> tuple[str, list[date]]:
        answer = client.post(f"/account/listings/{listing.pk}/week", {"week": week}, follow=True)
        said = re.findall(r'class="notice (\w+)', answer.content.decode())
        return said[0], list(Launch.objects.filter(listing=listing).values_list("week", flat=True))

    assert "Change the week" in room(client, people.owner, free, at=FRIDAY)
    assert "Another week? Write to us" in room(client, people.owner, paid, at=FRIDAY)
    assert change(free, later) == ("good", [later])
    free.refresh_from_db()
    assert (free.launch_week, free.status, free.moves.latest("pk").by) == (
        later,
        "awaiting_badge",
        f"user:{people.owner.pk}",
    )
    for week in ("soon", MONDAY - weeks.WEEK, later + timedelta(days=1), date(2031, 1, 6)):
        assert change(free, week) == ("warn", [later])
    assert change(paid, later) == ("warn", [MONDAY])
    with time_machine.travel(weeks.start(later), tick=False):
        client.force_login(people.owner)
        assert change(free, later + 2 * weeks.WEEK) == ("warn", [later])
    client.force_login(people.stranger)
    assert client.post(f"/account/listings/{free.pk}/week", {"week": MONDAY}).status_code == 404
