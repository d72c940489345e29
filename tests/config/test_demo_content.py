"""The invented listings, posts and questions of a fresh installation."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from urllib.parse import urlsplit

import pytest

from config.demo.data.bulk import bulk
from config.demo.data.bulk_names import bulk_names, stems
from config.demo.data.demo import demo_listings, demo_posts, demo_sites, handmade_count, interview_questions
from config.demo.data.shapes import DemoListing
from directory import limits
from directory.data.categories import category_tree
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


@pytest.fixture(scope="module")
def handmade() -> list[DemoListing]:
    """The listings of a first look."""
    return list(demo_listings(count=handmade_count()))


@pytest.fixture(scope="module")
def combined() -> list[DemoListing]:
    """Some that are made by combination."""
    return list(bulk(start=0, count=2000, seed=7, year=2026))


def texts_of(value: object) -> Iterator[str]:
    """Every text inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from texts_of(part)
    elif isinstance(value, tuple):
        for part in value:
            yield from texts_of(part)
    elif hasattr(value, "__dataclass_fields__"):
        for field in fields(value):  # type: ignore[arg-type]
            yield from texts_of(getattr(value, field.name))


def test_a_first_look_has_over_300_live_listings_and_some_to_come(handmade: list[DemoListing]) -> None:
    assert Counter(listing.status for listing in handmade) == {"live": 356, "upcoming": 20}
    assert sum(listing.claimed_by_method is None for listing in handmade) > 50
    assert {listing.plan for listing in handmade} == {"free", "paid"}


def test_most_categories_have_a_listing_of_their_own(handmade: list[DemoListing]) -> None:
    primary = {listing.categories[0] for listing in handmade}

    assert primary < {category.slug for category in category_tree()}
    assert len(primary) >= 150


def test_no_first_level_category_is_empty(handmade: list[DemoListing]) -> None:
    roots = {category.slug: category.parent or category.slug for category in category_tree()}
    live = Counter(roots[listing.categories[0]] for listing in handmade if listing.status == "live")

    assert set(live) == set(roots.values())
    assert min(live.values()) >= 3


def test_weeks_reach_two_years_back_and_four_weeks_ahead(handmade: list[DemoListing]) -> None:
    weeks = Counter(listing.launch_week for listing in handmade)

    assert set(weeks) == {*range(-104, -3, 4), *range(-3, 5), None}
    assert all(weeks[week] >= 2 for week in weeks)
    assert weeks[0] == 13
    for listing in handmade:
        assert (listing.status == "upcoming") is (listing.launch_week is not None and listing.launch_week > 0)
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
        assert all(len(f.question) <= limits.FAQ_QUESTION for f in listing.faqs)
        assert all(len(f.answer) <= limits.FAQ_ANSWER for f in listing.faqs)
        assert len(listing.founders) <= limits.FOUNDERS
        assert all(SLUG.match(f.slug) and len(f.bio or "") <= limits.FOUNDER_BIO for f in listing.founders)
        assert set(listing.socials) <= set(limits.PLATFORMS)
        assert listing.pricing_model in PRICING_MODELS
        assert listing.founded_year is None or 1990 < listing.founded_year < 2026


def test_history_fits_the_interface(handmade: list[DemoListing]) -> None:
    for listing in handmade:
        assert all(
            len(u.title) <= limits.UPDATE_TITLE and len(u.body) <= limits.UPDATE_BODY for u in listing.updates
        )
        assert all(u.days_ago < -7 * (listing.launch_week or 0) for u in listing.updates)
        assert all(len(m.title) <= limits.MILESTONE_TITLE for m in listing.milestones)
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


def test_the_words_are_not_repeated(handmade: list[DemoListing]) -> None:
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


def test_no_two_names_differ_by_a_single_letter(handmade: list[DemoListing]) -> None:
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


def test_descriptions_are_two_to_four_paragraphs(handmade: list[DemoListing]) -> None:
    for listing in handmade:
        parts = [part for part in listing.description.split("\n\n") if not part.startswith(("## ", "- "))]
        assert 2 <= len(parts) <= 4, listing.slug
        assert len(listing.description) > 120


def test_facts_rest_on_quotes_or_are_blank(handmade: list[DemoListing]) -> None:
    for listing in handmade:
        assert listing.evidence["tagline"][0].quote == listing.tagline
        for field, quotes in listing.evidence.items():
            assert field in {"name", "description", "categories"} or getattr(listing, field), (
                listing.slug,
                field,
            )
            assert all(quote.url.startswith(f"{listing.url}/") for quote in quotes)
        if listing.city:
            assert listing.city in listing.evidence["city"][0].quote
        if listing.founded_year:
            assert str(listing.founded_year) in listing.evidence["founded_year"][0].quote
        for field, reason in listing.not_found:
            assert not getattr(listing, field), (listing.slug, field)
            assert reason in REASONS


def test_only_paid_listings_have_more_categories_and_paid_sections(handmade: list[DemoListing]) -> None:
    for listing in handmade:
        assert 1 <= len(listing.categories) == len(set(listing.categories)) <= 1 + limits.EXTRA_CATEGORIES
        if listing.plan == "free":
            assert (len(listing.categories), listing.story, listing.milestones) == (1, {}, ())
            assert (listing.contributed_cents, listing.is_featured) == (0, False)
        if listing.claimed_by_method is None:
            assert (listing.plan, listing.updates, listing.alternatives) == ("free", (), ())


def test_counters_are_plausible(handmade: list[DemoListing]) -> None:
    votes = sorted((listing.votes for listing in handmade), reverse=True)

    assert 0 <= votes[-1] <= votes[len(votes) // 2] < 40
    assert 200 < votes[0] <= 940
    assert sum(votes[: len(votes) // 10]) > sum(votes) / 3
    for listing in handmade:
        assert 0 <= listing.launch_votes <= listing.votes <= listing.views
        assert listing.status == "live" or listing.votes == 0
        if listing.rating:
            assert [ago for ago, _ in listing.rating.series] == list(range(11, -1, -1))
            assert all(0 <= value <= 100 for _, value in listing.rating.series)
    assert 60 < sum(listing.rating is None for listing in handmade) < 110
    assert {entry.is_verified for listing in handmade for entry in listing.revenue} == {True, False}


def test_people_are_the_same_person_only_by_the_same_slug(handmade: list[DemoListing]) -> None:
    people: dict[str, tuple[str, str | None]] = {}
    companies = Counter(founder.slug for listing in handmade for founder in listing.founders)
    for listing in handmade:
        for founder in listing.founders:
            assert people.setdefault(founder.slug, (founder.name, founder.bio)) == (founder.name, founder.bio)
    assert len({name for name, _ in people.values()}) == len(people) > 300
    assert max(companies.values()) == 2


def test_alternatives_are_listings_of_the_same_category(handmade: list[DemoListing]) -> None:
    category = {listing.slug: listing.categories[0] for listing in handmade}
    approved = [(listing, slug) for listing in handmade for slug in listing.alternatives]

    assert len(approved) > 20
    assert all(slug != listing.slug and category[slug] == listing.categories[0] for listing, slug in approved)


def test_the_same_seed_gives_the_same_listings(handmade: list[DemoListing]) -> None:
    again = list(demo_listings(count=len(handmade) + 50))
    other = list(demo_listings(count=len(handmade), seed=8))

    assert again[: len(handmade)] == handmade
    assert {listing.slug for listing in other} == {listing.slug for listing in handmade}
    assert other != handmade
    assert list(demo_listings(count=12)) == handmade[:12]


def test_a_combined_listing_is_the_same_in_every_range(combined: list[DemoListing]) -> None:
    assert list(bulk(start=1990, count=10, seed=7, year=2026)) == combined[1990:]


def test_ten_thousand_listings_have_ten_thousand_slugs() -> None:
    listings = list(demo_listings(count=10_000))
    slugs = {listing.slug for listing in listings}

    assert len(listings) == len(slugs) == 10_000
    assert not any(character.isdigit() for slug in slugs for character in slug)
    assert len({listing.name.casefold() for listing in listings}) == 10_000


def test_names_stay_unique_beyond_the_single_words() -> None:
    size = len(stems())
    names = list(bulk_names(start=size - 500, count=1000, seed=7)) + list(
        bulk_names(start=2 * size - 500, count=1000, seed=7)
    )

    assert len({slug for slug, _ in names}) == len({name for _, name in names}) == 2000
    assert all(SLUG.match(slug) for slug, _ in names)
    with pytest.raises(ValueError, match="There are names for"):
        next(bulk_names(start=10_000_000, count=1, seed=7))


def test_a_million_listings_begin_at_once() -> None:
    first = list(islice(demo_listings(count=1_000_000), handmade_count() + 1))

    assert first[-1] == next(bulk(start=0, count=1, seed=7, year=2026))


def test_posts_are_short_essays_with_questions() -> None:
    posts = list(demo_posts())

    assert len(posts) == len({post.slug for post in posts}) == len({post.title for post in posts}) == 25
    assert [post.days_ago for post in posts] == sorted({post.days_ago for post in posts})
    for post in posts:
        assert SLUG.match(post.slug)
        assert len(post.title) <= 200
        assert 40 <= len(post.excerpt) <= 400
        assert post.author
        assert 300 <= len(post.markdown.split()) <= 700, post.slug
        assert 1 <= len(post.faqs) <= limits.FAQS
        assert all(f.question.endswith("?") and len(f.answer) > 30 for f in post.faqs)
        assert not post.markdown.startswith("# ")
        for address in re.findall(r"https?://[^\s`)\"]+", post.markdown):
            assert (urlsplit(address).hostname or "").endswith(".example")


def test_questions_and_sites() -> None:
    questions = interview_questions()
    sites = demo_sites()

    assert len(questions) == len({q.question for q in questions}) == 20
    assert all(q.question.endswith("?") and q.help for q in questions)
    assert all(len(q.question) <= 300 and len(q.help) <= 500 for q in questions)
    assert [site.key for site in sites] == ["main", "europe"]
    assert all(len(site.purpose) <= 300 for site in sites)
