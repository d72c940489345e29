"""The invented listings, posts and questions of a fresh installation."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from benchmarks.demo_pictures.faces import look
from benchmarks.demo_pictures.sources import drawings, looks
from config.demo.content import copies, listings, posts, read
from config.demo.listings import PICTURES
from directory import limits
from directory.data.categories import category_tree
from directory.models import Review
from directory.reviews.limits import ANSWER, QUESTION, QUESTION_MIN, TEXT, TEXT_MIN
from drafts.writing.checks import PRICING_MODELS

SLUG = re.compile(limits.SLUG_PATTERN)
REASONS = {"not_on_site", "robots_blocked", "fetch_failed", "conflicting", "removed_by_owner"}
BOUNDS = {
    "name": limits.NAME,
    "tagline": limits.TAGLINE,
    "short_description": limits.SHORT_DESCRIPTION,
    "description": limits.DESCRIPTION,
    "pricing_model": limits.PRICING_MODEL,
    "pricing_summary": limits.PRICING_SUMMARY,
    "country": limits.COUNTRY,
    "city": limits.CITY,
    "contact_email": limits.CONTACT_EMAIL,
    "demo_video_url": limits.DEMO_VIDEO_URL,
}


class Listing:
    """A row of the file, its facts and what happened to it side by side."""

    def __init__(self, row: dict[str, Any]) -> None:
        vars(self).update(row["facts"], **{name: value for name, value in row.items() if name != "facts"})
        self.is_upcoming = (row["launch_week"] or 0) > 0

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


@pytest.fixture(scope="module")
def handmade() -> list[Listing]:
    """The listings of a first look."""
    return [Listing(row) for row in listings()]


@pytest.fixture(scope="module")
def combined() -> list[Listing]:
    """Some that are made by copying."""
    return [Listing(row) for row in copies(count=2000)]


def texts_of(value: object) -> Iterator[str]:
    """Every text inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts_of(part)
    elif isinstance(value, list):
        for part in value:
            yield from texts_of(part)
    elif isinstance(value, Listing):
        yield from texts_of(vars(value))


def test_a_first_look_has_over_300_live_listings_and_some_to_come(handmade: list[Listing]) -> None:
    assert Counter(listing.is_upcoming for listing in handmade) == {False: 356, True: 20}
    assert sum(not listing.claimed_by_method for listing in handmade) > 50
    assert {listing.plan for listing in handmade} == {"free", "paid"}


def test_most_categories_have_a_listing_of_their_own(handmade: list[Listing]) -> None:
    primary = {listing.categories[0] for listing in handmade}

    assert primary < {category.slug for category in category_tree()}
    assert len(primary) >= 150


def test_no_first_level_category_is_empty(handmade: list[Listing]) -> None:
    roots = {category.slug: category.parent or category.slug for category in category_tree()}
    live = Counter(roots[listing.categories[0]] for listing in handmade if not listing.is_upcoming)

    assert set(live) == set(roots.values())
    assert min(live.values()) >= 3


def test_weeks_reach_two_years_back_and_four_weeks_ahead(handmade: list[Listing]) -> None:
    weeks = Counter(listing.launch_week for listing in handmade)

    assert set(weeks) == {*range(-104, -52, 2), *range(-52, 5), None}
    assert all(weeks[week] >= 3 for week in weeks)
    assert weeks[0] == 13
    for listing in handmade:
        assert (listing.listed_days_ago is None) is (listing.launch_week is not None)


@pytest.mark.parametrize("source", ["handmade", "combined"])
def test_texts_fit_the_interface(source: str, request: pytest.FixtureRequest) -> None:
    for listing in request.getfixturevalue(source):
        assert SLUG.match(listing.slug), listing.slug
        for name, bound in BOUNDS.items():
            assert len(getattr(listing, name) or "") <= bound, (listing.slug, name)
        for items in (listing.features, listing.usps, listing.keywords, listing.tags):
            assert len(items) <= limits.LIST_ITEMS
            assert len(set(items)) == len(items)
            assert all(0 < len(item) <= limits.LIST_ITEM for item in items)
        assert len(listing.faqs) <= limits.FAQS
        assert all(len(f["question"]) <= limits.FAQ_QUESTION for f in listing.faqs)
        assert all(len(f["answer"]) <= limits.FAQ_ANSWER for f in listing.faqs)
        assert len(listing.founders) <= limits.FOUNDERS
        assert all(
            SLUG.match(f["slug"]) and len(f["bio"] or "") <= limits.FOUNDER_BIO for f in listing.founders
        )
        assert set(listing.socials) <= set(limits.PLATFORMS)
        assert listing.pricing_model in PRICING_MODELS
        assert listing.founded_year is None or 1990 < listing.founded_year < 2026


def test_history_fits_the_interface(handmade: list[Listing]) -> None:
    for listing in handmade:
        assert all(
            len(u["title"]) <= limits.UPDATE_TITLE and len(u["body"]) <= limits.UPDATE_BODY
            for u in listing.updates
        )
        assert all(u["days_ago"] <= max(0, -7 * (listing.launch_week or 0) - 1) for u in listing.updates)
        assert all(len(m["title"]) <= limits.MILESTONE_TITLE for m in listing.milestones)
        assert set(listing.story) <= {"title", *limits.STORY_SECTIONS}
        assert all(len(text) <= limits.STORY_SECTION for text in listing.story.values())
        assert len(listing.story.get("title", "")) <= limits.STORY_TITLE


@pytest.mark.parametrize("source", ["handmade", "combined"])
def test_every_address_lies_under_the_reserved_domain(source: str, request: pytest.FixtureRequest) -> None:
    listings = request.getfixturevalue(source)
    for listing in listings:
        assert listing.domain == f"{listing.slug}.example"
        assert listing.url == f"https://{listing.domain}"
        for text in texts_of(listing):
            if "://" in text:
                assert (urlsplit(text).hostname or "").endswith(".example"), text
        if listing.contact_email:
            assert listing.contact_email.endswith(f"@{listing.domain}")
    assert len({listing.domain for listing in listings}) == len(listings)


def test_the_words_are_not_repeated(handmade: list[Listing]) -> None:
    for told in ("name", "slug", "tagline", "short_description"):
        assert len({getattr(listing, told) for listing in handmade}) == len(handmade), told
    first_paragraphs = Counter(listing.description.split("\n\n")[0] for listing in handmade)
    paragraphs = Counter(
        part.replace(listing.name, "")
        for listing in handmade
        for part in listing.description.split("\n\n")
        if not part.startswith("## ")
    )
    assert max(first_paragraphs.values()) == 1
    assert max(paragraphs.values()) <= 15


def test_no_two_names_differ_by_a_single_letter(handmade: list[Listing]) -> None:
    owner: dict[str, str] = {}
    for listing in handmade:
        name = listing.name.casefold()
        for shorter in {name, *(name[:i] + name[i + 1 :] for i in range(len(name)))}:
            assert owner.setdefault(shorter, name) == name


@pytest.mark.parametrize("source", ["handmade", "combined"])
def test_no_text_is_left_unfilled(source: str, request: pytest.FixtureRequest) -> None:
    for listing in request.getfixturevalue(source):
        for text in texts_of(listing):
            assert not re.search(r"[{}]|\bNone\b|lorem|  ", text), (listing.slug, text)


def test_descriptions_are_two_to_four_paragraphs(handmade: list[Listing]) -> None:
    for listing in handmade:
        parts = [part for part in listing.description.split("\n\n") if not part.startswith(("## ", "- "))]
        assert 2 <= len(parts) <= 4, listing.slug
        assert len(listing.description) > 120


def test_facts_rest_on_quotes_or_are_blank(handmade: list[Listing]) -> None:
    for listing in handmade:
        assert listing.quotes["tagline"][0][0] == listing.tagline
        for field, quotes in listing.quotes.items():
            assert field in {"name", "description", "categories"} or getattr(listing, field), (
                listing.slug,
                field,
            )
            assert all(url.startswith(f"{listing.url}/") and url in listing.pages for _, url, _ in quotes)
        if listing.city:
            assert listing.city in listing.quotes["city"][0][0]
        if listing.founded_year:
            assert str(listing.founded_year) in listing.quotes["founded_year"][0][0]
        for gap in listing.not_found:
            assert not getattr(listing, gap["field"]), (listing.slug, gap["field"])
            assert gap["reason"] in REASONS


def test_only_paid_listings_have_more_categories_and_paid_sections(handmade: list[Listing]) -> None:
    for listing in handmade:
        assert 1 <= len(listing.categories) == len(set(listing.categories)) <= 1 + limits.EXTRA_CATEGORIES
        if listing.plan == "free":
            assert (len(listing.categories), listing.story, listing.milestones) == (1, {}, [])
            assert (listing.contributed_cents, listing.is_featured) == (0, False)
        if not listing.claimed_by_method:
            assert (listing.plan, listing.updates, listing.alternatives) == ("free", [], [])


def test_counters_are_plausible(handmade: list[Listing]) -> None:
    votes = sorted((listing.votes for listing in handmade), reverse=True)

    assert 0 <= votes[-1] <= votes[len(votes) // 2] < 40
    assert 200 < votes[0] <= 940
    assert sum(votes[: len(votes) // 10]) > sum(votes) / 3
    for listing in handmade:
        assert 0 <= listing.launch_votes <= listing.votes <= listing.views
        assert not listing.is_upcoming or listing.votes == 0
        if listing.rating:
            assert [ago for ago, _ in listing.rating["series"]] == list(range(11, -1, -1))
            assert all(0 <= value <= 100 for _, value in listing.rating["series"])
    assert 60 < sum(listing.rating is None for listing in handmade) < 110
    assert {entry["is_verified"] for listing in handmade for entry in listing.revenue} == {True, False}


def test_people_are_the_same_person_only_by_the_same_slug(handmade: list[Listing]) -> None:
    people: dict[str, tuple[str, str | None]] = {}
    companies = Counter(founder["slug"] for listing in handmade for founder in listing.founders)
    for listing in handmade:
        for founder in listing.founders:
            assert people.setdefault(founder["slug"], (founder["name"], founder["bio"])) == (
                founder["name"],
                founder["bio"],
            )
    assert len({name for name, _ in people.values()}) == len(people) > 300
    assert max(companies.values()) == 2


def test_alternatives_are_listings_of_the_same_category(handmade: list[Listing]) -> None:
    category = {listing.slug: listing.categories[0] for listing in handmade}
    approved = [(listing, slug) for listing in handmade for slug in listing.alternatives]

    assert len(approved) > 20
    assert all(slug != listing.slug and category[slug] == listing.categories[0] for listing, slug in approved)


def test_copies_have_names_and_addresses_of_their_own() -> None:
    rows = [*listings(), *copies(count=20_000)]

    assert len({row["facts"]["slug"] for row in rows}) == len(rows)
    assert len({row["facts"]["name"].casefold() for row in rows}) == len(rows)
    assert len({row["facts"]["domain"] for row in rows}) == len(rows)


def test_posts_are_short_essays_with_questions() -> None:
    essays = posts()

    assert (
        len(essays) == len({post["slug"] for post in essays}) == len({post["title"] for post in essays}) == 25
    )
    assert [post["days_ago"] for post in essays] == sorted({post["days_ago"] for post in essays})
    for post in essays:
        assert SLUG.match(post["slug"])
        assert len(post["title"]) <= 200
        assert 40 <= len(post["excerpt"]) <= 400
        assert post["author"]
        assert 300 <= len(post["markdown"].split()) <= 700, post["slug"]
        assert 1 <= len(post["faqs"]) <= limits.FAQS
        assert all(f["question"].endswith("?") and len(f["answer"]) > 30 for f in post["faqs"])
        assert not post["markdown"].startswith("# ")
        for address in re.findall(r"https?://[^\s`)\"]+", post["markdown"]):
            assert (urlsplit(address).hostname or "").endswith(".example")


def test_questions_and_sites() -> None:
    questions = read("questions.json")
    sites = read("sites.json")

    assert len(questions) == len({q["question"] for q in questions}) == 20
    assert all(q["question"].endswith("?") and q["help"] for q in questions)
    assert all(len(q["question"]) <= 300 and len(q["help"]) <= 500 for q in questions)
    assert [site["key"] for site in sites] == ["main", "europe"]
    assert all(len(site["purpose"]) <= 300 for site in sites)


def test_reviews_and_answers_fit_their_forms(handmade: list[Listing]) -> None:
    content = read("reviews.json")
    shortest = min((row.name for row in handmade), key=len)

    for stars, how, text in content["texts"] + content["texts_of_work"]:
        words = text.format(name=shortest)
        assert (1 <= stars <= 5, how in Review.How.values) == (True, True)
        assert TEXT_MIN <= len(words) <= TEXT - 400
    assert set(content["replies"]) == {"1", "2", "3", "4", "5"}
    replies = [reply for group in content["replies"].values() for reply in group]
    assert len(set(replies)) == len(replies)
    assert set(content["work"]) < {category.slug for category in category_tree() if not category.parent}
    assert len(set(content["people"])) == len(content["people"]) >= 30


def test_sixty_products_have_words_of_their_own(handmade: list[Listing]) -> None:
    own = [listing for listing in handmade if listing.reviewed or listing.asked]
    told = [
        *(text for listing in own for _, _, text in listing.reviewed),
        *(text for listing in own for pair in listing.asked for text in pair),
        *(text for listing in own for faq in listing.faqs for text in faq.values()),
        *(update["body"] for listing in own for update in listing.updates),
    ]

    assert len(own) == 60
    assert len(set(told)) == len(told) > 380
    for listing in own:
        assert listing.faqs
        assert all(TEXT_MIN <= len(text) <= TEXT for _, _, text in listing.reviewed)
        for text, answer in listing.asked:
            assert (QUESTION_MIN <= len(text) <= QUESTION, 0 < len(answer) <= ANSWER) == (True, True)
        assert listing.claimed_by_method or not listing.asked


def test_products_that_are_seen_first_share_no_sentence_and_no_two_products_an_update(
    handmade: list[Listing],
) -> None:
    bodies = [update["body"] for listing in handmade for update in listing.updates]
    assert len(set(bodies)) == len(bodies) > 180

    seen_first = [row for row in handmade if row.is_featured or row.launch_week in range(-3, 2)]
    products: dict[str, set[str]] = {}
    for listing in seen_first:
        told = (listing.description, listing.story, listing.milestones, listing.faqs, listing.founders)
        for text in texts_of(list(told)):
            for sentence in re.split(r"(?<=[.?!])\s+", text):
                products.setdefault(sentence, set()).add(listing.slug)
    doubled = {text for text, slugs in products.items() if len(slugs) > 1 and len(text.split()) >= 6}
    assert (len(seen_first) > 50, doubled) == (True, set())


def test_screens_say_what_they_show(handmade: list[Listing]) -> None:
    screens = read("pictures.json")
    plans = {listing.slug: listing.plan for listing in handmade}
    alts = [alt for alts in screens.values() for alt in alts]
    logos = list(PICTURES.glob("logos/*.webp"))

    assert len(screens) >= 40
    assert len(set(alts)) == len(alts)
    assert all(30 <= len(alt) <= limits.PICTURE_WORDS for alt in alts)
    assert len({path.read_bytes() for path in logos}) == len(logos) >= 40
    assert all(len(alts) == 1 or plans[slug] == "paid" for slug, alts in screens.items())


def test_every_picture_has_one_source_and_every_source_a_picture() -> None:
    pictures = [str(path.relative_to(PICTURES).with_suffix("")) for path in PICTURES.rglob("*.webp")]

    assert sorted([*looks(), *drawings()]) == sorted(pictures)


def test_each_founder_with_a_photo_has_a_face_of_their_own() -> None:
    faces = [look(path.stem) for path in PICTURES.glob("faces/*.webp")]
    marks = [(skin, hair, *rest) for _, skin, hair, _, *rest in faces]

    assert len(set(marks)) == len(marks) >= 40
