"""What one sentence or one small block says about the product, and what it says about others."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from drafts.crawl.report import CrawledPage, CrawlReport, PageKind
from drafts.crawl.segments import read_site
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import CategoryHint, Value, Written

HOME = "https://boltly.test/"
HEAD = (
    '<title>Boltly — bolts counted</title><meta property="og:site_name" content="Boltly"><h1>Bolts, counted</h1>'
    "<p>Boltly counts the bolts of a workshop by weight.</p>"
)


def page(path: str, kind: PageKind, html: str) -> CrawledPage:
    return CrawledPage(
        url=HOME + path,
        status=200,
        kind=kind,
        html=html,
        sha256="0" * 64,
        fetched_at=datetime(2026, 11, 21, tzinfo=UTC),
    )


def drafted(*, home: str = "", about: str = "") -> Written:
    pages = [page("", "home", HEAD + home)]
    if about:
        pages.append(page("about", "about", f"<title>About Boltly</title><h1>About</h1>{about}"))
    report = CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=tuple(pages))
    return ExtractiveWriter().write(read_site(report))


def value(written: Written, name: str) -> Any:
    return written.fields[name].value


def offered(written: Written, name: str) -> Iterator[Value]:
    return iter(written.fields[name].offered)


@pytest.mark.parametrize(
    ("sentence", "founders"),
    [
        ("Boltly was founded in 2019 by Ann Berg and joined by Carl Moss in 2021.", ["Ann Berg"]),
        ("Founded in Ghent in 2015, Boltly is backed by Maersk Growth and Danish Growth Fund.", []),
        ("Founded by Ann Berg in 2016, Boltly was acquired by Maersk Growth in 2020.", ["Ann Berg"]),
        ("Fundada en 2015, Boltly está respaldada por Kibo Ventures y Luis Martín.", []),
        ("Fondée en 2015 à Lyon, Boltly est soutenue par Marc Dupuis, fondateur de Kelto.", []),
        (
            "Boltly wurde 2015 in Köln von Eva Brandt gegründet und wird von Peter Klein geleitet.",
            ["Eva Brandt"],
        ),
        ("Boltly is in 2017 opgericht door ontwikkelaar Ann Berg en ontwerper Dee Fox.", ["Ann Berg"]),
        (
            "Boltly srl è stata fondata nel 2012 a Trento da Ann Berg e Dee Fox.",
            ["Ann Berg", "Dee Fox"],
        ),
        ("Fundado en 2021 por la Dra. Lucía Armenta en Guadalajara, México.", ["Dra. Lucía Armenta"]),
        ("Boltly was inspired by Henry Ford, founder of the Ford Motor Company in 1903.", []),
        ("We're backed by Y Combinator and Paul Graham, co-founder of Viaweb.", []),
        ("Ann Berg, co-founder of Boltly, grew up in Oslo.", ["Ann Berg"]),
        ("Ann Berg, founder of the Boltly project, lives in Oslo.", ["Ann Berg"]),
        ("Henrik Dahl, Founder & CEO, Dahl Skog AB, Växjö", []),
        ("Our CEO, Ann Berg, leads a team of 12.", []),
        ("Founders: Ann Berg, Carl Moss & Dee Fox", ["Ann Berg", "Carl Moss", "Dee Fox"]),
        ("I'm Ann Berg. I sold screws before I started Screwly.", []),
        ("Advisor: Tom Fox, founder at Kelto.", []),
        (f"Its founder, Ann Berg, is a veteran who {'counted bolts and ' * 9}came home.", ["Ann Berg"]),
        (f"The workshop, {'full of bolts and ' * 9}of screws, is one that its founder, Ann Berg, left.", []),
    ],
)
def test_who_founded_it(sentence: str, founders: list[str]) -> None:
    assert [person.name for person in drafted(about=f"<p>{sentence}</p>").founders] == founders


def test_a_person_under_a_quotation_is_a_customer() -> None:
    figure = "<blockquote>Never a bolt short.</blockquote><figcaption>Ida Holm, Founder, Holm AB</figcaption>"

    assert drafted(home=f"<figure>{figure}</figure>").founders == ()


def test_the_owner_is_a_person_and_not_the_company_of_that_name() -> None:
    imprint = "<p>Screws Huber e. K.<br>Inhaber: Franz Huber<br>Am Anger 3<br>85570 Markt Schwaben</p>"

    assert [person.name for person in drafted(about=imprint).founders] == ["Franz Huber"]


@pytest.mark.parametrize(
    ("sentence", "city", "country"),
    [
        ("Started in Berlin, Boltly is now headquartered in Lisbon, Portugal.", "Lisbon", "PT"),
        ("Boltly B.V. · KvK 12345678 · Utrecht, the Netherlands · GitHub", "Utrecht", "NL"),
        ("Portland, Oregon · Jyväskylä, Finland", None, None),
        ("Boltly<br>Via Sarajevo, 13<br>Nocera Inferiore (SA)<br>Italia", "Nocera Inferiore", "IT"),
        ("Harbour Road 22, Wellington", "Wellington", None),
        ("Offices: Berlin, London and New York.", None, None),
        ("We are a fully remote company with people in Spain and Brazil.", None, None),
        ("Your data is hosted in Frankfurt, Germany.", None, None),
        ("We ship to Germany, France and Spain.", None, None),
        ("Meet us in Hamburg, Germany on 3 May 2024.", None, None),
    ],
)
def test_where_it_is(sentence: str, city: str | None, country: str | None) -> None:
    written = drafted(home=f"<footer><p>{sentence}</p></footer>")

    assert (value(written, "city"), value(written, "country")) == (city, country)


@pytest.mark.parametrize(
    ("block", "model", "summary"),
    [
        (
            "<p>Customers save $400 per month. Boltly costs $20 per month.</p>",
            "subscription",
            "Boltly costs $20 per month",
        ),
        (
            "<p>Kelto starts at $8. Boltly starts at $3 per month.</p>",
            "subscription",
            "Boltly starts at $3 per month",
        ),
        ("<p>LeavePilot, founded in 2009, starts at $8 per month.</p>", None, None),
        ("<div><h3>Pro</h3><p><del>$49</del> $29 / month</p></div>", "subscription", "Pro: $29 / month"),
        ("<p>€9/month</p><p>Refunds up to €100.</p>", "subscription", "€9/month"),
        ("<p>$2 per 1,000 requests</p>", "usage", "$2 per 1,000 requests"),
        ("<p>Boltly costs $19, once.</p>", "one_time", "Boltly costs $19, once"),
        (
            "<p>Boltly is free for schools; a licence is $30 a year.</p>",
            "freemium",
            "Boltly is free for schools; a licence is $30 a year",
        ),
        (
            "<div><h3>Solo</h3><p>€99/year → save 10%</p></div>",
            "subscription",
            "Solo: €99/year",
        ),
        ("<div><h3>Yearly</h3><p>0.00 €</p></div>", None, None),
        ("<p>Request a quote</p>", "contact_sales", "Request a quote"),
        (
            "<table><tr><th></th><th>Solo</th><th>Crew</th></tr>"
            "<tr><td>Per month</td><td>Free</td><td>€9</td></tr></table>",
            "freemium",
            "Free. Crew: €9",
        ),
        (
            "<table><tr><td>Plan</td><td>Users</td><td>Price</td></tr>"
            "<tr><td>Indie</td><td>1</td><td>€12/month</td></tr></table>",
            "subscription",
            "Indie: €12/month",
        ),
        (
            "<div><div>Solo</div><div>£15</div><div>per month</div>"
            "<div>Crew</div><div>£39</div><div>per month</div></div>",
            "subscription",
            "Solo: £15 per month. Crew: £39 per month",
        ),
        (
            "<div><div>Clinic</div><div><h1>$499 <small>MXN/month</small></h1></div></div>",
            "subscription",
            "Clinic: $499 MXN/month",
        ),
    ],
)
def test_what_it_costs(block: str, model: str | None, summary: str | None) -> None:
    written = drafted(home=f"<section><h2>Pricing</h2>{block}</section>")

    assert (value(written, "pricing_model"), value(written, "pricing_summary")) == (model, summary)


@pytest.mark.parametrize(
    "after",
    [
        '<p><a href="/shop">Shop now</a> <a href="/contact">Contact us</a></p>',
        '<div><a href="/a">Home</a> · <a href="/b">Blog</a></div><p>© 2026 Boltly</p>',
        '<p>Still have questions? <a href="/contact">Get in touch</a></p>',
        "<p>Sign up for our newsletter</p>",
    ],
)
def test_what_follows_the_last_answer_is_no_part_of_it(after: str) -> None:
    faqs = "<h2>FAQ</h2><details><summary>Is it loud?</summary><p>No.</p></details>"
    faqs += f"<details><summary>Does it scale?</summary><p>It does.</p></details>{after}"
    headed = f"<h2>FAQ</h2><h3>Is it loud?</h3><p>No.</p><h3>Does it scale?</h3><p>It does.</p>{after}"

    for block in (faqs, headed) if "newsletter" not in after else (faqs,):
        assert [(faq.question, faq.answer) for faq in drafted(home=block).faqs] == [
            ("Is it loud?", "No."),
            ("Does it scale?", "It does."),
        ]


def test_what_is_no_question_of_a_list() -> None:
    faqs = "".join(
        f"<details><summary>{asked}</summary><p>It does, by weight.</p></details>"
        for asked in ("Is it loud?", "Does it scale?", "Does it count nuts?")
    )
    call = "<div>Is your case not here?</div><p>Write to us.</p>"
    by_script = "".join(f"<h3>{asked}</h3>" for asked in ("Is it loud?", "Does it scale?", "Is it heavy?"))

    shown = drafted(home=f'<section class="faq"><h2>FAQ</h2>{faqs}{call}</section>')
    scripted = drafted(
        home=f'<section class="faq"><h2>FAQ</h2>{by_script}<p>Other questions? Write to us.</p></section>'
    )

    doubts = "".join(
        f"<h3>{doubt}</h3><p>It costs more than you think.</p>" for doubt in ("An agency?", "A tool?", "You?")
    )
    examples = "".join(
        f"<ul><li>Do you count {thing} by weight?</li><li>Since when do you have {thing}?</li>"
        f"<li>Who sends you the {thing}?</li></ul><p>It asks that first.</p>"
        for thing in ("bolts", "nuts", "screws")
    )
    again = '<p class="label">How does it work??</p><div>By weight.</div>' * 4

    assert drafted(home=f"<h2>Why you need it</h2>{doubts}").faqs == ()
    assert drafted(home=again).faqs == ()
    assert drafted(home=f"<section>{examples}</section>").faqs == ()
    assert [faq.question for faq in shown.faqs] == ["Is it loud?", "Does it scale?", "Does it count nuts?"]
    assert scripted.faqs == ()


def test_headings_that_open_a_part_of_the_page_are_no_features() -> None:
    told = "<p>Because counting is dull and you have better things to do.</p>"
    block = (
        f"<h2>Why Boltly?</h2>{told}<h2>Integrations</h2>{told}<h2>Pricing</h2>{told}<h2>Made by</h2>{told}"
    )
    items = ("Weighs by the box", "Counts by the gram", "Orders what runs low")
    listed = "<h2>What it does<a href='#f'>¶</a></h2><ul>" + "".join(f"<li>{i}</li>" for i in items) + "</ul>"

    assert value(drafted(home=block), "features") is None
    assert value(drafted(home=block + listed), "features") == items


@pytest.mark.parametrize(
    ("heading", "rest", "tagline"),
    [
        ("The Boltly", "bolts counted", "bolts counted"),
        ("Hi, I'm Ann.", "bolts counted", "bolts counted"),
        ("Just another WordPress site", "bolts counted", "bolts counted"),
        ("Count every bolt of a workshop", "bolts counted", "Count every bolt of a workshop"),
    ],
)
def test_a_tagline_says_something(heading: str, rest: str, tagline: str) -> None:
    html = f'<title>Boltly — {rest}</title><meta property="og:site_name" content="Boltly"><h1>{heading}</h1>'
    report = CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=(page("", "home", html),))

    assert value(ExtractiveWriter().write(read_site(report)), "tagline") == tagline


@pytest.mark.parametrize(
    ("text", "categories"),
    [
        ("Desde 9 € al mes, con soporte y todas las funciones incluidas.", None),
        ("Un MES para talleres pequeños, con órdenes y calidad.", ("Manufacturing",)),
        ("The mes for small shops: it plans and it counts for you.", ("Manufacturing",)),
    ],
)
def test_an_abbreviation_is_no_word_of_another_language(
    text: str, categories: tuple[str, ...] | None
) -> None:
    hint = CategoryHint(slug="manufacturing", name="Manufacturing", terms=("mes",))
    html = f'<title>Boltly – {text}</title><meta name="description" content="{text}"><h1>Boltly</h1><p>{text}</p>'
    report = CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=(page("", "home", html),))

    written = ExtractiveWriter((hint,)).write(read_site(report))

    assert value(written, "categories") == categories


@pytest.mark.parametrize(
    ("seen", "model"), [("", None), ("<p>Boltly is free and always will be.</p>", "free")]
)
def test_a_zero_in_markup_alone_makes_nothing_free(seen: str, model: str | None) -> None:
    marked = '{"@type":"SoftwareApplication","name":"Boltly","offers":{"price":"0.00","priceCurrency":"EUR"}}'
    written = drafted(home=f'<script type="application/ld+json">{marked}</script>{seen}')

    assert value(written, "pricing_model") == model


@pytest.mark.parametrize(
    ("said", "stage"),
    [
        ("<p>Boltly is in public beta.</p>", "public-beta"),
        ("<header><span>Early access</span></header>", "early-access"),
        ("<p>Boltly ist in der geschlossenen Beta.</p>", "closed-beta"),
        ('<header><a href="/beta">Beta</a></header><p>Beta testers of other tools like it.</p>', None),
    ],
)
def test_the_stage_is_the_sites_own_word(said: str, stage: str | None) -> None:
    assert value(drafted(home=said), "stage") == stage


@pytest.mark.parametrize(("said", "stage"), [("", None), ("<p>Alpha is in public beta.</p>", "public-beta")])
def test_a_product_that_is_called_like_a_stage_is_in_none_for_it(said: str, stage: str | None) -> None:
    home = f"{HEAD.replace('Boltly', 'Alpha')}<header>Alpha</header><p>Alpha weighs bolts.</p>{said}"
    report = CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=(page("", "home", home),))
    assert value(ExtractiveWriter().write(read_site(report)), "stage") == stage


def test_selling_points_stand_under_a_heading_that_asks_why() -> None:
    features = "".join(
        f"<h3>{name}</h3><p>It {does} every bolt that passes, and you see the result at once.</p>"
        for name, does in (
            ("Weighs boxes", "weighs"),
            ("Counts bolts", "counts"),
            ("Prints labels", "labels"),
        )
    )
    why = "<ul><li>No camera to clean</li><li>Works without internet</li><li>Made for gloves</li></ul>"

    written = drafted(home=f"<h2>Features</h2>{features}<h2>Why Boltly</h2>{why}")

    assert value(written, "features") == ("Weighs boxes", "Counts bolts", "Prints labels")
    assert value(written, "usps") == ("No camera to clean", "Works without internet", "Made for gloves")


@pytest.mark.parametrize(
    ("name", "known"), [("Boltly", ("BE", "Ghent", "2014")), ("Kelto", (None, None, None))]
)
def test_an_object_of_the_markup_speaks_for_the_product_by_its_name(
    name: str, known: tuple[str | None]
) -> None:
    firm = (
        f'{{"@type": "LegalService", "name": "{name}", "foundingDate": "2014-05-01",'
        '"address": {"addressLocality": "Ghent", "addressCountry": "BE"}}'
    )

    written = drafted(home=f'<script type="application/ld+json">{firm}</script>')

    assert tuple(value(written, field) for field in ("country", "city", "founded_year")) == known


def test_a_variable_that_was_never_filled_in_is_no_text() -> None:
    written = drafted(
        home='<meta name="description" content="%APP_DESCRIPTION% for %APP_USERS%"><h2>%APP_TITLE%</h2>'
    )

    assert "%" not in "".join(str(draft.value) for draft in written.fields.values())


def test_a_list_of_signs_alone_lists_nothing() -> None:
    written = drafted(home="<ul><li>✅✅✅</li><li>🚀🚀🚀</li><li>⭐⭐⭐</li></ul>")

    assert (value(written, "features"), value(written, "usps")) == (None, None)
