"""What a stranger sees of a listing and of its maker: who made it, what it is, what it costs and where to go next."""

import re
from datetime import date
from typing import Any

import pytest
from django.test import Client

from config.templatetags.prices import priced
from directory.models import Founder, Listing, Milestone, Site
from tests.conftest import People
from tests.directory.test_list_founders import founder
from tests.directory.test_race_page import END, NOW, main, race, words
from tests.factories.listings import make_listing
from tests.factories.reviews import make_question, make_review, reader

PICTURE = {"file": "pictures/a.webp", "width": 1280, "height": 800, "sizes": [640, 1280]}
CLAIM = "It keeps the books."

__all__ = ["race"]


@pytest.fixture
def tidewell(site: Site) -> Listing:
    return make_listing(
        "tidewell", tagline="Books", short_description=CLAIM, description="A text.", features=["Sums"]
    )


def test_what_it_is_comes_before_pictures_text_and_features_beside_its_logo_where_there_is_none(
    tidewell: Listing, client: Client
) -> None:
    bare = main(client, "/listings/tidewell")
    Listing.objects.filter(pk=tidewell.pk).update(site_picture=PICTURE)
    shown = main(client, "/listings/tidewell")

    parts = (CLAIM, "A text.", "Sums", "<picture")
    orders = [sorted(parts, key=text.split('id="overview"')[1].find) for text in (bare, shown)]
    assert orders == [["<picture", *parts[:3]], [CLAIM, "<picture", "A text.", "Sums"]]
    assert "<picture" not in bare.split('id="overview"')[1]
    assert [text.count('class="logo') for text in (bare, shown)] == [1, 1]
    assert ["own-cover" in text for text in (bare, shown)] == [True, False]


@pytest.mark.parametrize(
    ("text", "way"),
    [
        ("TabSaver - إدارة علامات التبويب", "rtl"),
        ("מערכת הזמנות", "rtl"),
        ("Books for إدارة", "auto"),
        ("2026", "auto"),
    ],
)
def test_a_text_runs_as_most_of_its_letters_do(site: Site, client: Client, text: str, way: str) -> None:
    make_listing("tidewell", short_description=text)

    assert f'dir="{way}">{text}' in main(client, "/listings/tidewell")


def test_of_several_pictures_the_claim_stands_above(tidewell: Listing, client: Client) -> None:
    Listing.objects.filter(pk=tidewell.pk).update(media=[PICTURE, PICTURE], plan="paid")

    text = main(client, "/listings/tidewell").split('id="overview"')[1]

    assert text.index(CLAIM) < text.index('class="gallery"') < text.index("A text.")


def test_a_film_has_the_place_of_a_picture_where_there_is_none(tidewell: Listing, client: Client) -> None:
    Listing.objects.filter(pk=tidewell.pk).update(demo_video_url="https://video.example/tide")
    bare = main(client, "/listings/tidewell")
    Listing.objects.filter(pk=tidewell.pk).update(site_picture=PICTURE)
    shown = main(client, "/listings/tidewell")

    assert bare.index("own-cover") < bare.index(CLAIM) < bare.index("Watch the demo") < bare.index("A text.")
    assert [text.count("Watch the demo") for text in (bare, shown)] == [1, 0]


def test_the_buttons_of_a_listing_have_one_order_and_the_first_is_the_loud_one(
    race: Site, client: Client
) -> None:
    make_listing("soon", at=NOW, status="scheduled", launch_week=date(2026, 12, 7))
    heads = [
        main(client, f"/listings/{slug}", at=at)
        for slug, at in (("brindle", NOW), ("brindle", END), ("soon", NOW))
    ]

    orders = [
        re.findall("Vote|Remind me|Follow|Visit|Share", words(head.split("actions cluster")[1]))
        for head in heads
    ]
    assert [list(dict.fromkeys(order))[:4] for order in orders[:2]] == [
        ["Vote", "Follow", "Visit", "Share"]
    ] * 2
    assert list(dict.fromkeys(orders[2]))[:3] == ["Remind me", "Visit", "Share"]
    assert [head.split("actions cluster")[1].count("vote broad") for head in heads] == [1, 1, 1]


def test_milestones_have_a_tab_of_their_own_where_no_story_comes_before(
    tidewell: Listing, client: Client
) -> None:
    Milestone.objects.create(listing=tidewell, date=date(2026, 1, 5), title="First customer")
    tabs = []
    for story in ({}, {"title": "How it began", "story": "With a shoe box."}):
        Listing.objects.filter(pk=tidewell.pk).update(plan="paid", story=story)
        text = main(client, "/listings/tidewell")
        assert 'id="milestones"' in text
        tabs.append([f'href="#{name}"' in text for name in ("story", "milestones")])

    assert tabs == [[False, True], [True, False]]


def test_the_head_names_the_makers_and_the_place_in_the_race(race: Site, client: Client) -> None:
    brindle = Listing.objects.get(slug="brindle")
    for name in ("Ines C", "Rui T", "Bo Holm"):
        founder(name, brindle)

    heads = [main(client, "/listings/brindle", at=at).split("<nav")[0] for at in (NOW, END)]

    assert [words(head).count("by Ines C and Rui T and 1 more") for head in heads] == [1, 1]
    assert ["2nd of 5" in words(head.split("listing-line")[1]) for head in heads] == [True, False]
    assert '<a class="strong plain" href="/founders/ines-c">' in heads[0]


def test_reviews_are_one_number_and_where_there_is_none_they_come_last(
    tidewell: Listing, client: Client
) -> None:
    Listing.objects.filter(pk=tidewell.pk).update(faqs=[{"question": "Why?", "answer": "So."}])
    none = main(client, "/listings/tidewell")
    make_review(tidewell, reader("noor"))
    make_review(tidewell, reader("milan"), how="works_with")
    some = main(client, "/listings/tidewell")

    places = [text.index('id="reviews"') < text.index('id="questions"') for text in (none, some)]
    assert places == [False, True]
    assert some.count('Reviews <span class="count">1</span>') == 2


def test_neighbours_with_a_picture_are_chosen_before_those_without(race: Site, client: Client) -> None:
    Listing.objects.filter(slug__in=["corvid", "dunlin", "eiderdown"]).update(site_picture=PICTURE)

    tiles = main(client, "/listings/anchorage").split('id="alternatives"')[1].split("</section>")[0]

    assert [tiles.count(f'href="/listings/{slug}"') for slug in ("brindle", "corvid", "dunlin")] == [0, 1, 1]
    assert tiles.count("<picture") == 3


def test_a_makers_page_ends_with_a_question_to_ask_and_makers_of_the_same_week(
    race: Site, people: People, client: Client
) -> None:
    slugs = ("brindle", "corvid", "dunlin", "eiderdown", "anchorage")
    listings = [Listing.objects.get(slug=slug) for slug in slugs]
    Listing.objects.filter(slug="brindle").update(owner=people.owner)
    ines = founder("Ines C", listings[0])
    Founder.objects.filter(pk=ines.pk).update(user=people.owner)
    founder("Bo Holm", *listings[1:3])
    founder("Rui T", listings[0])
    founder("Ada L", listings[4], photo="founders/ada.webp")

    text = main(client, f"/founders/{ines.slug}")

    ends = words(text.split("Makers of the same week")[1])
    assert 'href="/listings/brindle/questions"' in text
    assert ends.index("Ada L Makes Anchorage") < ends.index("Bo Holm Makes Corvid")
    assert "Rui T" not in ends
    assert ends.count("Makes") == 2


def test_of_a_maker_without_an_account_nobody_is_sent_to_ask_where_nobody_answers(
    race: Site, client: Client
) -> None:
    Listing.objects.filter(slug="dunlin").update(owner=None)
    someone = founder("Lea M", Listing.objects.get(slug="dunlin"))

    assert "a question</span>" not in main(client, f"/founders/{someone.slug}")


@pytest.mark.parametrize(
    ("text", "model", "shown"),
    [
        ("49 EUR", "one_time", "€49 once"),
        ("49 EUR", "subscription", "€49"),
        ("From 1,690.50 USD a month", "subscription", "From $1,690.50 a month"),
        ("9 GBP per person, free for schools", "one_time", "£9 per person, free for schools"),
        ("5-10 EUR", "", "5-10 EUR"),
        ("5 EUR to 10 EUR a month", "", "5 EUR to 10 EUR a month"),
        ("1 000 EUR", "", "1 000 EUR"),
        ("12,50 EUR", "", "12,50 EUR"),
        ("€12 (12 EUR)", "", "€12 (12 EUR)"),
        ("20 EUR or $22", "", "20 EUR or $22"),
        ("Free", "free", "Free"),
    ],
)
def test_one_price_wears_the_sign_of_its_currency_and_any_other_stays_as_it_was_written(
    text: str, model: Any, shown: str
) -> None:
    assert priced(text, model) == shown


def test_rows_of_a_week_say_category_and_gap_and_from_two_on_how_many_questions_were_answered(
    race: Site, client: Client
) -> None:
    make_listing("soon", at=NOW, status="scheduled", launch_week=date(2026, 11, 23))
    founder("Ines C", Listing.objects.get(slug="soon"))
    for slug, answers in (("brindle", ["So.", "No.", ""]), ("corvid", ["So."])):
        for number, answer in enumerate(answers):
            asker = reader(f"asks-{slug}-{number}")
            make_question(Listing.objects.get(slug=slug), asker, answer=answer)
    week, coming = (main(client, path) for path in ("/weeks/this", "/weeks/2026-11-23"))

    rows = dict(re.findall('<li class="row[^"]*" id="([a-z]+)">(.*?)</li>', week, re.DOTALL))
    said = {slug: [row.count(part) for part in ("2 answers", "1 answer")] for slug, row in rows.items()}
    assert (said["brindle"], said["corvid"], said["anchorage"]) == ([1, 0], [0, 0], [0, 0])
    assert re.findall('<(?:p|span) class="([^"]*)" data-tally', rows["corvid"]) == ["nowrap"]
    assert "by Ines C" in words(coming)
    assert 'href="/categories/' in coming.split('id="soon"')[1].split("</li>")[0]
    assert (
        coming.count("launches.ics")
        == coming.split("Opens in")[1].split("</p>")[0].count("launches.ics")
        == 1
    )
