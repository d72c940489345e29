"""The page of a week in each of its states, and the home page's race: words, places, plot, table and podium."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
import time_machine
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from directory import weeks
from directory.launches.course import gap, moments
from directory.launches.plot import Line, bump_chart
from directory.launches.race import write_week
from directory.models import (
    Founder,
    Launch,
    LaunchReminder,
    Listing,
    ListingCategory,
    ListingFounder,
    ListingUpdate,
    Site,
    Vote,
)
from leaderboards.closing import close_week
from tests.factories.listings import make_listing

MONDAY = date(2026, 11, 16)
START, END = weeks.start(MONDAY), weeks.end(MONDAY)
NOW = datetime(2026, 11, 19, 14, 20, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# when each of its votes was cast, in hours since Monday 00:00
VOTES = {
    "anchorage": [1, 2, 3, 4, 5, 6],
    "brindle": [30, 31, 32, 75, 80],
    "corvid": [1, 2, 3, 4],
    "dunlin": [1, 2, 3],
    "eiderdown": [],
}


@pytest.fixture
def race(site: Site) -> Site:
    """Brindle comes from nowhere to the second place; Eiderdown has no votes."""
    people = User.objects.bulk_create(User(email=f"{number}@voter.example") for number in range(6))
    for slug, hours in VOTES.items():
        listing = make_listing(slug, at=START, votes=len(hours))
        Vote.objects.bulk_create(
            Vote(listing=listing, user=user, week=MONDAY, created_at=START + hour * HOUR)
            for user, hour in zip(people, hours, strict=False)
        )
    write_week(site=site, week=MONDAY, until=NOW)
    return site


def main(client: Client, path: str, *, at: datetime = NOW) -> str:
    caches["process"].clear()  # as a minute later, when what is the same for everybody is made anew
    with time_machine.travel(at, tick=False):
        answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split("<main")[1].split("</main")[0].split())


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def test_a_race_that_runs_shows_places_moves_and_gaps(race: Site, client: Client) -> None:
    text = main(client, "/weeks/this")
    rows = [words(row) for row in text.split('<li class="row')[1:]]

    assert "Live now" in text
    assert "18 votes by 6 people" in words(text)
    assert "Biggest climb: Brindle , 3rd to 2nd" in words(text)
    gaps = ["1 ahead of 2nd", "1 behind 1st", "1 behind 2nd", "1 behind 3rd", "No votes yet"]
    assert [gap in row for gap, row in zip(gaps, rows, strict=True)] == [True] * 5
    assert [row.count("behind") for row in rows] == [0, 1, 1, 1, 0]  # said once, at any width
    assert ["unchanged" in rows[0], "up 1" in rows[1], "down 1" in rows[2]] == [True] * 3
    assert "Rank" not in rows[4]


def test_a_gap_is_named_where_two_fight_for_a_place() -> None:
    def gaps(*votes: int) -> list[str]:
        items = [{"votes": number} for number in votes]
        return [gap(items, number=number) for number in range(len(items))]

    assert gaps(318, 287, 278, 278, 203, 193, 0) == [
        "",
        "",
        "9 behind 2nd",
        "Level with 3rd",
        "",
        "10 behind 5th",
        "",
    ]
    assert gaps(2000, 1900, 1799) == ["100 ahead of 2nd", "100 behind 1st", ""]  # a twentieth of many
    assert [gaps(4, 0), gaps(5, 5), gaps(3)] == [["", ""], ["", "Level with 1st"], [""]]


def test_the_plot_says_itself_in_a_sentence_and_a_table(race: Site, client: Client) -> None:
    text = main(client, "/weeks/this")

    label = "Places of the first 4 since Monday. Anchorage leads."
    label += " Brindle rose from 3rd to 2nd, Corvid fell from 2nd to 3rd."
    assert f'role="img" aria-label="{label}"' in text
    assert re.findall('<path class="(lead|second|third|hot)"', text) == ["third", "lead", "hot"]
    table = words(text.split("<table")[1].split("</table")[0])
    assert "Product Mon Tue Wed Now Votes" in table
    assert "Brindle – 3rd 3rd 2nd 5" in table
    assert "Eiderdown" not in table
    with time_machine.travel(NOW, tick=False):
        items = client.get(f"/api/v1/launches/weeks/{MONDAY}").json()["items"]
    places = [
        [point["rank"] for point in item["ranks"]] for item in items if item["listing"]["slug"] == "brindle"
    ]
    assert places == [[3, 3, 2]]  # the same as the plot's


def test_under_four_launches_there_is_no_plot(race: Site, client: Client) -> None:
    Launch.objects.exclude(listing__slug__in=("anchorage", "brindle", "corvid")).delete()
    assert "Places since Monday" not in main(client, "/weeks/this")


@pytest.mark.parametrize(
    ("hours", "labels"),
    [
        (0.5, []),
        (3.5, ["01:00", "02:00", "03:00"]),
        (20, ["03:00", "06:00", "09:00", "12:00", "15:00", "18:00"]),
        (31, ["06:00", "12:00", "18:00", "Tue", "06:00"]),
        (47, ["06:00", "12:00", "18:00", "Tue", "06:00", "12:00", "18:00"]),
        (49, ["Mon", "Tue"]),
        (86, ["Mon", "Tue", "Wed"]),
        (400, ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]),
    ],
)
def test_the_points_of_a_plot_fit_its_width(hours: float, labels: list[str]) -> None:
    assert [label for _, label in moments(MONDAY, at=START + hours * HOUR)] == labels


def test_a_line_is_drawn_from_its_first_place() -> None:
    lines = [Line(places=[None, 9, 1], kind="hot"), Line(places=[1, 1, 2])]
    picture = bump_chart(lines, points=3, label='A "race"')

    assert 'viewBox="0 0 100 20"' in picture
    assert 'aria-label="A &quot;race&quot;"' in picture
    assert picture.endswith(
        '<path class="hot" d="M50 20C75 20 75 5 100 5"/><path class="dot hot" d="M100 5h.01"/></svg>'
    )


def test_a_week_that_ended_has_a_winner_a_podium_and_its_course(race: Site, client: Client) -> None:
    write_week(site=race, week=MONDAY, until=END + HOUR)
    counting = main(client, f"/weeks/{MONDAY}", at=END + timedelta(minutes=2))
    assert "Voting is closed" in counting
    assert "We are checking; the result comes within minutes." in counting

    close_week(site=race, week=MONDAY, at=END + timedelta(minutes=6))
    winner = Listing.objects.get(slug="anchorage")
    ListingUpdate.objects.create(listing=winner, title="Thanks", body="Thank <you> all.", posted_at=END + DAY)
    text = main(client, f"/weeks/{MONDAY}", at=END + 2 * DAY)

    assert "<h1><bdi>Anchorage</bdi> won the week</h1>" in text
    assert "5 launches, 18 votes by 6 people. Closed Sunday, 24:00 UTC." in words(text)
    podium = text.split('class="podium"')[1].split("</ol>")[0]
    assert re.findall('class="metal (g|s|b)"', podium) == ["g", "s", "b"]
    assert "“Thank &lt;you&gt; all.”" in text
    assert "Checked and frozen on 23 November, 00:06 UTC" in text
    assert "How the week went" in text
    assert "The winner: Anchorage over Brindle , by 1 vote." in words(text)
    rows = text.split('<ol class="rows">')[1]
    places = re.findall('<a dir="auto" href="/listings/([a-z]+)"', podium)
    places += re.findall('<li class="row[^"]*" id="([a-z]+)"', rows)
    assert places == ["anchorage", "brindle", "corvid", "dunlin", "eiderdown"]
    assert "Places 4 to 5" not in text  # which nobody voted for has no place
    for slug in ("fulmar", "gannet"):
        make_listing(slug, at=START, launch_week=MONDAY, votes=1)
    home = words(main(client, "/", at=END + 2 * DAY).split("Last week’s winners")[1])
    assert [f"{name} " in home for name in ("Dunlin", "Fulmar", "Gannet")] == [True] * 3
    following = main(client, "/weeks/this", at=END + 2 * DAY)
    assert "Past winners" in following
    assert re.findall('class="metal (g|s|b)"', following) == ["g", "s", "b"]


def test_a_listing_links_the_week_it_launched_in_with_a_place_among_the_first_three(
    race: Site, client: Client
) -> None:
    close_week(site=race, week=MONDAY, at=END + timedelta(minutes=6))

    third, lower = (main(client, f"/listings/{slug}", at=END + 2 * DAY) for slug in ("corvid", "dunlin"))

    assert "3rd of 5 launches Week of 16 Nov 2026 , 4 votes" in words(third.split("<aside")[1])
    assert f'<a href="/weeks/{MONDAY}">Week of 16 Nov 2026</a>' in lower
    box = words(lower.split('id="standing"')[1].split("</section>")[0])
    assert "4th of 5, 3 votes Week of 16 Nov 2026 Votes now" in box
    assert "Launch of the Week, 3rd place" in third.split("listing-line")[1].split("</p>")[0]
    assert "of 5 launches" not in words(lower)
    row = client.get("/search?q=corvid").content.decode()
    assert "3rd, week of 16 Nov 2026" in row


def test_a_listing_begins_with_its_launch_and_ends_with_others_of_its_week(
    race: Site, client: Client
) -> None:
    soon, _ = (
        make_listing(slug, at=NOW, status="scheduled", launch_week=MONDAY + weeks.WEEK)
        for slug in ("soon", "seen")
    )
    ListingCategory.objects.filter(listing__slug__in=["soon", "dunlin"]).delete()  # so it has no alternatives
    LaunchReminder.objects.create(listing=soon, user=User.objects.earliest("pk"), created_at=NOW)
    picture = {"file": "pictures/a.webp", "width": 1280, "height": 800, "sizes": [640, 1280]}
    Listing.objects.filter(slug__in=["anchorage", "brindle"]).update(site_picture=picture)

    text = main(client, "/listings/soon")
    box = words(text.split("<aside")[1].split("</section>")[0])
    assert box.endswith("Launches on 23 November 2026 3 days 9 h to go See the week")
    assert "Remind me of Soon 1 waiting Visit" in words(text)
    ends = [text.split('id="alternatives"')[1].split("</section>")[0]]
    ends += [
        main(client, f"/listings/{slug}").split('id="alternatives"')[1] for slug in ("dunlin", "anchorage")
    ]
    tiles = [re.findall('<h3>.*?href="/listings/([a-z]+)"', end) for end in ends]
    assert tiles == [["seen"], ["anchorage", "brindle", "corvid"], ["brindle", "corvid", "eiderdown"]]
    assert ["<picture" in end for end in ends] == [False] * 3  # one has none, so none shows one
    Listing.objects.filter(slug="corvid").update(site_picture=picture)
    assert main(client, "/listings/dunlin").split('id="alternatives"')[1].count("<picture") == 3


def test_a_week_that_nobody_voted_in_and_an_empty_one_say_so(site: Site, client: Client) -> None:
    make_listing("plain", at=START)

    assert "Nobody voted this week, so there is no winner." in main(client, f"/weeks/{MONDAY}", at=END + DAY)
    before = MONDAY - weeks.WEEK
    assert "Nothing launched this week." in main(client, f"/weeks/{before}")


def test_a_week_to_come_counts_down_and_shows_the_race_that_runs(race: Site, client: Client) -> None:
    for slug in ("soon", "seen"):
        make_listing(slug, at=NOW, status="scheduled", launch_week=MONDAY + weeks.WEEK)
    picture = {"file": "pictures/a.webp", "width": 1280, "height": 800, "sizes": [640, 1280]}
    Listing.objects.filter(slug="seen").update(site_picture=picture)
    text = main(client, "/weeks/2026-11-23")

    assert "<h1>Next week’s race opens Monday</h1>" in text
    assert "2&nbsp;products are booked." in text
    assert "Opens in 3 days 9 h" in words(text)
    assert 'class="rank' not in text.split("<aside")[0]
    assert re.findall('<li class="row[^"]*" id="([a-z]+)"', text) == ["soon", "seen"]  # as they were booked
    assert "Anchorage" in text.split("<aside")[1]


def test_weeks_stand_in_the_order_of_time_and_lead_to_the_boards(race: Site, client: Client) -> None:
    boards = [
        "/leaderboards/community-all-time",
        "/leaderboards/domain-rating",
        "/leaderboards/revenue",
        "/leaderboards/billboard",
    ]
    ways = ["/weeks/2026-11-09", "/weeks/this", "/weeks/2026-11-23", boards[0]]
    for path, expected in [(way, ways) for way in ways[:3]] + [(boards[1], ["/weeks/this", *boards])]:
        tabs = main(client, path).split('class="tabs"')[1].split("</nav>")[0]
        assert re.findall('href="([^"]+)"', tabs) == expected
        assert re.findall('href="([^"]+)" aria-current="page"', tabs) == [path]


def test_the_plot_of_a_race_cuts_no_list_and_stands_after_all_its_places(race: Site, client: Client) -> None:
    picture = {"file": "pictures/a.webp", "width": 1280, "height": 800, "sizes": [640, 1280]}
    Listing.objects.filter(slug="anchorage").update(site_picture=picture)
    text = main(client, "/weeks/this")
    front = text.split('class="front rows"')[1].split("</ol>")[0]

    assert re.findall('<li class="row[^"]*" id="([a-z]+)"', front) == list(VOTES)[:4]
    assert front.count('class="thumb') == 1
    assert text.index("Dunlin") < text.index("Eiderdown") < text.index("Places since Monday")
    assert "In the lead: Anchorage ." in words(text)


def test_the_page_of_a_product_in_the_race_says_its_place_and_how_it_got_there(
    race: Site, client: Client
) -> None:
    box = words(main(client, "/listings/brindle").split("<aside")[1].split("</section>")[0])
    assert box.endswith(
        "In the race 2nd of 5 this week ↑1 , up 1 Tue: 3rd now: 2nd 1 vote to first. See the race"
    )
    assert "Voting closes in 3 days 9 h" in words(main(client, "/listings/brindle").split("<aside")[0])
    label = "Its place, from 3rd on Tue to 2nd now."
    assert f'aria-label="{label}"' in main(client, "/listings/brindle")
    assert "In the race" not in main(client, "/listings/eiderdown")  # no vote, no place
    assert "In the race" not in main(client, "/listings/brindle", at=END + DAY)


def test_what_a_maker_said_first_in_the_race_stands_before_the_text_and_not_again_below(
    race: Site, client: Client
) -> None:
    listing = Listing.objects.get(slug="brindle")
    listing.owner = User.objects.create_user("ines@people.example")
    listing.save()
    ines = Founder.objects.create(slug="ines", name="Ines C", user=listing.owner, created_at=START)
    ListingFounder.objects.create(listing=listing, founder=ines, position=0)
    for number, said in enumerate(("Before it", "Hello", "Later")):
        listing.updates.create(title=said, body="All of you.", posted_at=START + (number - 1) * DAY)

    running, over = (main(client, "/listings/brindle", at=at) for at in (NOW, END + DAY))

    orders = [re.findall(r">(Before it|Hello|Later)\.?<", text) for text in (running, over)]
    assert orders == [["Hello", "Later", "Before it"], ["Later", "Hello", "Before it"]]
    assert "Ines C , 16 November Hello. All of you." in words(running)


def test_the_home_page_begins_with_the_race(race: Site, client: Client) -> None:
    assert 'class="front rows"' not in main(client, "/")

    picture = {"file": "pictures/a.webp", "width": 1280, "height": 800, "sizes": [640, 1280]}
    Listing.objects.filter(slug__in=("anchorage", "corvid")).update(site_picture=picture)
    text = main(client, "/")
    assert "18 votes so far" in words(text)
    front = text.split('class="front rows"')[1].split("</ol>")[0]

    assert re.findall('<li class="row[^"]*" id="([a-z]+)"', front) == list(VOTES)[:4]
    assert re.findall('class="metal (g|s|b)"', front) == ["g", "s", "b"]
    assert re.findall('<source type="([a-z/]+)"', front) == ["image/avif", "image/webp"] * 2
    assert "No votes yet" in text.split('class="rows"')[1]
    newest = make_listing("newest", at=NOW - 3 * weeks.WEEK)
    Listing.objects.filter(pk=newest.pk).update(site_picture=picture)
    tile = main(client, "/").split('class="tiles"')[1].split("</ul>")[0]
    assert ('href="/listings/newest"' in tile, tile.count("<source"), tile.count('loading="lazy"')) == (
        True,
        2,
        1,
    )


def test_next_monday_stands_between_the_race_and_what_came_before_it(race: Site, client: Client) -> None:
    close_week(site=race, week=MONDAY, at=END + timedelta(minutes=6))
    make_listing("soon", at=END + DAY, status="scheduled", launch_week=MONDAY + 2 * weeks.WEEK)
    text = main(client, "/", at=END + 2 * DAY)

    places = [
        text.index(part) for part in ("No launches this week yet", "Next Monday", "Last week’s winners")
    ]
    assert places == sorted(places)


def test_a_makers_page_says_the_place_of_a_product_in_the_race(race: Site, client: Client) -> None:
    for slug in ("brindle", "eiderdown"):
        person = Founder.objects.create(slug=f"of-{slug}", name="Ines C", created_at=START)
        ListingFounder.objects.create(listing=Listing.objects.get(slug=slug), founder=person, position=0)
    main(client, "/founders/of-brindle")  # what is asked once
    with CaptureQueriesContext(connection) as alone:
        main(client, "/founders/of-brindle")
    both = Founder.objects.get(slug="of-brindle")
    ListingFounder.objects.create(listing=Listing.objects.get(slug="corvid"), founder=both, position=0)

    with CaptureQueriesContext(connection) as together:
        places = words(main(client, "/founders/of-brindle"))
    assert "In the race Brindle , 2nd of 5 this week Corvid , 3rd of 5 this week" in places
    assert len(together) == len(alone)
    assert "In the race" not in main(client, "/founders/of-eiderdown")
    assert "In the race" not in main(client, "/founders/of-brindle", at=END + DAY)


@pytest.mark.parametrize("path", ["/weeks/this", "/"])
def test_more_launches_cost_no_more_statements(race: Site, client: Client, path: str) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as captured:
            main(client, path)
        return len(captured)

    make_listing("former", at=START - weeks.WEEK)  # home lists what is no part of the race too
    statements()
    few = statements()
    for number in range(12):
        make_listing(f"more-{number}", at=START, votes=1)
    assert statements() == few
