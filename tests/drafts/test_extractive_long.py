"""What stands beside a list, on another page or in another form of a word: the words are ours, the forms are theirs."""

from drafts.crawl.report import CrawlReport
from drafts.crawl.segments import read_site
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import CategoryHint, FieldDraft
from tests.drafts.test_extractive_once import CARD
from tests.drafts.test_extractive_sentences import HOME, page, value
from tests.drafts.test_extractive_unseen import HEAD, drafted, prices

ROW = "<section><h2>{}</h2>{}</section>"


def test_a_list_that_is_called_features_takes_in_no_other_and_two_that_are_not_are_only_offered() -> None:
    own = ("Shared lists", "Own fonts", "Quick search", "Daily copies")
    places = ("Sorted at a desk", "Counted in trains", "Found at home")

    def drawn(head: str) -> FieldDraft:
        rows = ((head, own), ("Where people sit", places))
        told = (ROW.format(title, "".join(map(CARD.format, texts))) for title, texts in rows)
        return drafted("".join(told)).fields["features"]

    assert drawn("Features").value == own
    assert drawn("All of it").value is None
    assert {*own, *places} == set(drawn("All of it").offered[0])


def test_a_list_of_titles_alike_is_none_and_what_breaks_off_is_no_item() -> None:
    def drawn(*titles: str) -> object:
        return value(drafted(ROW.format("Features", "".join(map(CARD.format, titles)))), "features")

    assert drawn("Headline", "Headline", "Headline") is None
    assert drawn("Own fonts", "Shared lists", "Searched and", "and more ...") == ("Own fonts", "Shared lists")


def test_what_stands_inside_one_feature_is_none_beside_it() -> None:
    told = "<h3>{}</h3><p>It keeps what you say in order.</p><ul><li>Sorted by bolt</li><li>Kept for years</li></ul>"
    heads = ("Shared lists", "Own fonts", "Quick search")

    assert drafted(ROW.format("Features", "".join(map(told.format, heads)))).fields["features"].value == heads


def test_prices_of_samples_do_not_join_those_of_the_price_list() -> None:
    plans = "<h1>Pricing</h1><div><h2>Starter</h2><p>€9 / month</p></div><div><h2>Team</h2><p>€19 / month</p></div>"
    sample = "<h1>A site we made</h1><div class='pricing'><h2>Ten visits</h2><p>€120 / month</p></div>"
    told = drafted("", ("pricing.html", "pricing", plans), ("work.html", "other", sample))

    assert value(told, "pricing_summary") == "Starter: €9 / month. Team: €19 / month"


def test_a_film_of_another_page_is_only_suggested() -> None:
    film = '<iframe src="https://www.youtube.com/embed/abcdefgh123"></iframe>'
    about = drafted("", ("about.html", "about", f"<h1>About us</h1>{film}")).fields["demo_video_url"]

    assert value(drafted(film), "demo_video_url") == "https://www.youtube.com/embed/abcdefgh123"
    assert about.value is None
    assert [each.value for each in about.suggestions] == ["https://www.youtube.com/embed/abcdefgh123"]


def test_labels_that_pass_by_are_no_description() -> None:
    run = " ✦ ".join(
        ("Own fonts", "Shared lists", "Boltly keeps bolts in order", "Daily copies", "Calm colours") * 2
    )
    told = "Boltly keeps what you say about bolts in order, for you and for all who work with them."

    assert value(drafted(f"<p>{run}</p><p>{told}</p>"), "description") == told


def test_a_tag_is_a_word_that_stands_whole() -> None:
    hints = (CategoryHint(slug="events", name="Events", terms=("open event", "ticket"), parent=None),)
    told = "<title>Boltly: open eventually</title><h1>Every open event</h1><p>Boltly shows an open event at once.</p>"
    report = CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=(page("", "home", told),))

    assert ExtractiveWriter(hints).write(read_site(report)).fields["tags"].value == ("open event",)


def test_a_tag_does_not_end_before_what_it_is_for() -> None:
    hints = (CategoryHint(slug="events", name="Events", terms=("tickets for", "event tickets")),)
    told = "<title>Boltly: event tickets</title><h1>Event tickets</h1><p>All tickets for events at hand.</p>"
    report = CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=(page("", "home", told),))

    assert ExtractiveWriter(hints).write(read_site(report)).fields["tags"].value == ("event tickets",)


def test_tags_are_of_the_category_that_is_set_and_say_each_thing_once() -> None:
    hints = (
        CategoryHint(slug="events", name="Events", terms=("event", "events", "event tickets")),
        CategoryHint(slug="maps", name="Maps", terms=("street map",)),
    )
    told = "<title>Boltly: event tickets</title><h1>Events with event tickets</h1><p>Tickets and a street map.</p>"
    report = CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=(page("", "home", told),))

    assert ExtractiveWriter(hints).write(read_site(report)).fields["tags"].value == ("event tickets",)


def test_the_picture_that_is_shared_is_no_logo() -> None:
    node = '<script type="application/ld+json">{{"@type": "Organization", "name": "Boltly", "logo": "{0}"}}</script>'
    shared = '<meta property="og:image" content="{0}">'

    def logo(file: str) -> object:
        told = (node + shared).format(f"{HOME}{file}")
        return value(drafted('<img src="/mark-logo.png" alt="Boltly logo">', head=HEAD + told), "logo_url")

    assert logo("share.png") == f"{HOME}mark-logo.png"
    assert logo("our-logo.png") == f"{HOME}our-logo.png"


def test_bare_sums_and_a_free_plan_alone_are_only_offered() -> None:
    sums = prices("<p>Shops pay $80 for one of these, and Boltly offers $120.</p>")
    plan = drafted("<p>Boltly has a free version.</p>")

    for told, model in ((sums, "paid"), (plan, "free")):
        assert (value(told, "pricing_model"), value(told, "pricing_summary")) == (None, None)
        assert model in told.fields["pricing_model"].offered
    assert value(drafted("<p>Boltly is free.</p>"), "pricing_model") == "free"


def test_a_page_that_never_names_the_product_is_a_sample() -> None:
    sample = "<h1>{}</h1><p>Seven visits: €70 / month</p><p>Ring us in Paris, info@wrenfield.test.</p>"

    def facts(head: str) -> list[object]:
        told = drafted("", ("work.html", "other", sample.format(head)))
        return [value(told, name) for name in ("pricing_summary", "contact_email")]

    assert facts("Wrenfield Baths") == [None, None]
    assert facts("Visits with Boltly") != [None, None]


def test_what_is_asked_for_in_a_price_list_is_not_free_by_a_passing_word() -> None:
    asked = "<section class='pricing'><h2>Pricing</h2><p>Contact us for a quote.</p></section>"
    told = drafted(f"<h2>Free tool</h2>{asked}")

    assert (value(told, "pricing_model"), value(told, "pricing_summary")) == (
        "contact_sales",
        "Contact us for a quote",
    )
