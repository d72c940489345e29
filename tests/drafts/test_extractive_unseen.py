"""What sites nobody had seen say in forms of their own: the words are ours, the forms are theirs."""

import json

from drafts.crawl.report import CrawlReport, PageKind
from drafts.crawl.segments import read_site
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import Written
from tests.drafts.test_extractive_sentences import HEAD, HOME, page, value

FILLER = "<p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>"
PLANS = "<div><h2>Basic</h2><p>$49 / month</p></div><div><h2>Business</h2><p>$99 / month</p></div>"


def drafted(home: str = "", *others: tuple[str, PageKind, str], head: str = HEAD) -> Written:
    pages = [page("", "home", head + home), *(page(*one) for one in others)]
    report = CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=tuple(pages))
    return ExtractiveWriter().write(read_site(report))


def prices(html: str) -> Written:
    return drafted("", ("pricing", "pricing", f"<title>Pricing</title><h1>Pricing</h1>{html}"))


def test_a_page_with_filler_is_its_templates() -> None:
    about = "<h1>About</h1><p>We founded Boltly in 2011.</p><p>Boltly GmbH, Hauptstraße 3, 04109 Leipzig</p>"
    pricing = f"<h1>Pricing</h1>{PLANS}"
    mail = '<h1>Contact</h1><a href="mailto:info@greattheme.test">info@greattheme.test</a>'
    names = ("pricing_model", "founded_year", "city", "contact_email")

    def told(rest: str) -> list[str | None]:
        written = drafted(
            "",
            ("about", "about", about + rest),
            ("pricing", "pricing", pricing + rest),
            ("contact", "contact", mail + rest),
        )
        return [value(written, name) for name in names]

    assert told("") == ["subscription", "2011", "Leipzig", "info@greattheme.test"]
    assert told(FILLER) == [None] * 4


def test_a_highlighted_card_is_no_sample() -> None:
    card = '<div class="item card card--highlight"><h3>{}</h3><p>{} € pro Monat</p></div>'
    written = prices(card.format("Klein", 5) + card.format("Groß", 9))

    assert value(written, "pricing_summary") == "Klein: 5 € pro Monat. Groß: 9 € pro Monat"


def test_what_praises_a_plan_is_not_its_name() -> None:
    card = "<div>{}<div>{}</div><div>{} € einmalig</div></div>"
    written = prices(
        "<section>"
        + card.format("", "Starter", "99")
        + card.format("<div>Beliebteste Wahl</div>", "Premium", "299")
        + card.format("<div>✏️</div>", "Logo", "49")
        + "</section>"
    )

    assert value(written, "pricing_summary") == (
        "Starter: 99 € einmalig. Premium: 299 € einmalig. Logo: 49 € einmalig"
    )


def test_a_figure_of_what_is_saved_is_no_price() -> None:
    saved = '<div class="stat-card"><div>$1,840</div><div>kept each month</div></div>'
    written = prices(saved + PLANS)

    assert value(written, "pricing_summary") == "Basic: $49 / month. Business: $99 / month"


def test_turkish_and_taiwanese_prices_are_read() -> None:
    card = "<div><h3>{}</h3><p>{}</p></div>"
    turkish = prices(card.format("Esnek Paket", "1.499 ₺ / ay") + card.format("Paket", "14.999 ₺ / yıl"))
    taiwanese = prices(card.format("標準方案", "NTD 1099 /月") + card.format("基本方案", "NTD 1399 /月"))

    assert [value(w, "pricing_model") for w in (turkish, taiwanese)] == ["subscription"] * 2
    assert value(taiwanese, "pricing_summary") == "標準方案: NTD 1099 /月. 基本方案: NTD 1399 /月"


def test_the_team_of_an_example_places_nobody() -> None:
    told = "<p>People in Warsaw may write Polish while the team in Berlin writes German.</p>"

    assert value(drafted(told), "city") is None
    assert value(drafted("<p>We are a small studio in Porto.</p>"), "city") == "Porto"


def test_a_state_is_no_town() -> None:
    contact = "<h1>Contact</h1><p>{}, United States</p>"

    def city(place: str) -> object:
        return value(drafted("", ("contact", "contact", contact.format(place))), "city")

    assert (city("Wyoming"), city("Portland")) == (None, "Portland")


def test_an_address_in_traditional_signs_is_in_taiwan() -> None:
    def country(address: str) -> object:
        return value(drafted("", ("contact", "contact", f"<h1>Contact</h1><p>地址 {address}</p>")), "country")

    assert country("407038 臺中市西屯區櫻花路 80 號") == "TW"
    assert country("518000 深圳市南山区科技路 80 号") == "CN"


def test_the_title_of_one_further_page_names_that_page() -> None:
    home = "<title>mesh. · events for small firms</title><header><a>Work</a></header><p>We make rooms.</p>"
    written = drafted("", ("work.html", "other", "<title>Work · mesh.</title><h1>Work</h1>"), head=home)

    assert value(written, "name") == "mesh"


def test_a_programme_for_founders_founds_nothing() -> None:
    def founders(line: str) -> list[str]:
        return [one.name for one in drafted("", ("about", "about", f"<h1>Boltly</h1><p>{line}</p>")).founders]

    assert founders("Programa Fundador — Edición Limitada") == []
    assert founders("Socia Fundadora — Lucía Fernández") == ["Lucía Fernández"]


def test_labels_of_a_form_are_no_features() -> None:
    fields = ("Patient's name", "Number of the tooth", "Kind of work")
    form = "".join(f"<div><div><b>{one}</b></div><p>Choose what fits best here.</p></div>" for one in fields)

    assert value(drafted(f"<form>{form}</form>"), "features") is None


def test_a_line_that_leads_to_a_list_is_no_tagline() -> None:
    head = "<title>Boltly</title><h1>Boltly</h1><h2>Our app makes counting seamless with:</h2>"

    assert not str(value(drafted("<ul><li>Count bolts</li></ul>", head=head), "tagline")).endswith(":")


def test_a_question_is_told_without_its_number_and_picture() -> None:
    asked = ("01Who may rent a bolt?", "02 Where do bolts live?", "🛰 What does a bolt cost?")
    faqs = "".join(f"<h3>{one}</h3><p>That is told in chapter {len(one)}.</p>" for one in asked)
    written = drafted("", ("faq", "faq", f"<h1>FAQ</h1>{faqs}"))

    assert [faq.question for faq in written.faqs] == [
        "Who may rent a bolt?",
        "Where do bolts live?",
        "What does a bolt cost?",
    ]


def test_what_a_plan_does_not_give_is_no_trial() -> None:
    told = ("No trial period, no limits.", "Keine Testphase mit Countdown.", "Try Boltly risk-free.")

    for one in told:
        assert value(prices(f"<p>{one}</p>"), "pricing_model") is None
        assert one[:-1] not in str(value(prices(f"{PLANS}<p>{one}</p>"), "pricing_summary"))
    assert str(value(prices(f"{PLANS}<p>14 days free trial.</p>"), "pricing_summary")).endswith("free trial")


def test_a_question_with_the_sign_that_opens_it_claims_nothing() -> None:
    asked = "<div>Can I try Boltly for free? +</div>"
    cards = "".join(
        f"<div><h3>{one}</h3><p>That is told at length.</p></div>"
        for one in ("Sort", "Count", "Why bolts? +")
    )

    assert "?" not in str(value(prices(PLANS + asked), "pricing_summary"))
    assert value(drafted(f"<h2>Features</h2>{cards}"), "features") == ("Sort", "Count")


def test_a_sum_that_is_denied_or_cut_is_no_price() -> None:
    told = "<p>Our prices are round: no $9.90 that poses as ten.</p><p>Boltly for banks: USD 1.2M of cost less.</p>"

    assert value(prices(PLANS + told), "pricing_summary") == "Basic: $49 / month. Business: $99 / month"


def test_a_table_beside_rivals_holds_no_plan() -> None:
    head = "<tr><th>Over two years</th><th>Boltly</th><th>Nutify</th></tr>"
    rows = "<tr><td>Year 1</td><td>$49</td><td>$290</td></tr><tr><td>Year 2</td><td>$0</td><td>$290</td></tr>"
    written = prices(f"<div><h2>A licence</h2><p>$49 once</p></div><table>{head}{rows}</table>")

    assert (value(written, "pricing_model"), value(written, "pricing_summary")) == (
        "one_time",
        "A licence: $49 once",
    )


def test_a_badge_in_or_above_a_name_is_no_part_of_it() -> None:
    card = "<div><div>{}</div><div>{} € im Monat</div></div>"
    marked = "<div><div>Beliebtester Tarif</div><div>Profi</div><div>29 € im Monat</div></div>"
    within = "<div><h3>Firma <span>Empfohlen</span></h3><p>79 € im Monat</p></div>"
    written = prices(card.format("Klein", 9) + marked + within)

    assert value(written, "pricing_summary") == (
        "Klein: 9 € im Monat. Profi: 29 € im Monat. Firma: 79 € im Monat"
    )


def test_a_year_beside_the_copyright_is_no_postcode() -> None:
    def places(line: str) -> list[object]:
        written = drafted("", ("contact", "contact", f"<h1>Contact</h1><footer><p>{line}</p></footer>"))
        return [value(written, "city"), value(written, "country")]

    assert places("© 2026 Hobbydrive") == [None, None]
    assert places("© 2025 Jana Nová · Company ID: 19079583 · Havlíčkův Brod, Czech Republic") == [
        "Havlíčkův Brod",
        "CZ",
    ]


def test_the_controller_with_a_street_in_a_privacy_notice_is_placed() -> None:
    told = "<p>{}<br>Inhaberin: Anna Weber<br>Seestr. 73<br>83703 Gmund am Tegernsee<br>Deutschland</p>"

    def city(name: str) -> object:
        notice = f"<h1>Datenschutz</h1>{told.format(name)}"
        return value(drafted("", ("datenschutz", "legal", notice)), "city")

    assert (city("Boltly Systems"), city("Somebody")) == ("Gmund am Tegernsee", None)


def test_titles_of_pages_are_no_answered_questions() -> None:
    asked = ("Can thieves see my bolts?", "Is public bolting safe?", "Who may look at my bolts?")
    cards = "".join(
        f'<div><p>{one}</p><p>What the law says in chapter {at}.</p>{{}}<p><a href="/{at}">Read on</a></p></div>'
        for at, one in enumerate(asked)
    )
    linked = "".join(
        f'<a href="/{at}"><h3>{one}</h3><p>What it says in {at}.</p></a>' for at, one in enumerate(asked)
    )

    for html in (cards.replace("{}", ""), linked):
        assert drafted(f"<h2>Guides</h2>{html}").faqs == ()


def test_the_markup_of_an_article_answers_nothing_about_the_product() -> None:
    entry = {
        "@type": "Question",
        "name": "Do all bolts rust?",
        "acceptedAnswer": {"@type": "Answer", "text": "Not all."},
    }
    data = {"@context": "https://schema.org", "@type": "FAQPage", "mainEntity": [entry]}
    html = f'<h1>Boltly</h1><script type="application/ld+json">{json.dumps(data)}</script>'

    assert [len(drafted("", (kind, kind, html)).faqs) for kind in ("other", "blog")] == [1, 0]


def test_pains_and_lists_of_packages_are_no_features() -> None:
    def cards(name: str, titles: tuple[str, ...], below: str) -> str:
        return "".join(
            f'<div class="{name}"><h4>{one}</h4>{below.format(at)}</div>' for at, one in enumerate(titles)
        )

    told = "<p>That is told in chapter {} of the guide.</p>"
    kept = f"<h2>What we do</h2>{cards('card', ('Sort bolts', 'Count bolts', 'Order bolts'), told)}"
    pains = cards("problem-card", ("Bolts get lost", "Nuts do not fit", "Nobody counts"), told)
    code = "<pre>deb https://download.example.net/repositories/bolts/{}/ ./</pre>"
    packages = cards("card", ("Debian 12", "Debian 13", "Ubuntu 24"), code)

    assert value(drafted(f"{kept}<h2>Bolting should not be hard</h2>{pains}"), "features") == (
        "Sort bolts",
        "Count bolts",
        "Order bolts",
    )
    assert value(drafted(f"<h2>Packages</h2>{packages}"), "features") is None


def test_a_heading_for_questions_is_no_plan() -> None:
    asked = (
        "<section><h2>Pricing questions</h2><div><div>Is there a discount?</div>"
        "<p>Basic annual costs $15 / month.</p></div></section>"
    )

    basic = PLANS.partition("<div><h2>Business")[0]
    assert value(prices(basic + asked), "pricing_summary") == (
        "Basic: $49 / month. Basic annual costs $15 / month"
    )


def test_what_setting_up_costs_once_is_no_model() -> None:
    extra = "<div><h3>Setup</h3><p>$99 one-time</p></div>"

    assert value(prices(f"<section>{extra}{PLANS}</section>"), "pricing_model") == "subscription"
    assert value(prices("<div><h3>Licence</h3><p>$99 one-time</p></div>"), "pricing_model") == "one_time"


def test_questions_in_a_column_are_not_answered_by_the_next_row() -> None:
    rows = "".join(
        f"<tr><td>Risk {at}</td><td>{one}</td></tr>"
        for at, one in enumerate(
            ("Which bolts are missing?", "Which nuts do not fit?", "Which plate is bent?")
        )
    )
    written = drafted(
        f"<h2>What we look at</h2><table>{rows}<tr><td>The end</td><td>All is told.</td></tr></table>"
    )

    assert written.faqs == ()


def test_a_profile_stands_on_the_platforms_own_host() -> None:
    def platforms(host: str) -> list[str]:
        footer = f'<footer><a href="https://{host}/boltly">Boltly</a></footer>'
        return list(drafted(footer).company_socials)

    assert [platforms(host) for host in ("github", "x.test", "github.com.boltly.test")] == [[], [], []]
    assert [platforms(host) for host in ("github.com", "twitter.com", "fb.com")] == [
        ["github"],
        ["x"],
        ["facebook"],
    ]


def test_what_goes_wrong_is_answered_among_the_questions() -> None:
    fold = "<details><summary>{}</summary><p>Start the two devices again.</p></details>"
    told = drafted(
        f"<h2>FAQ</h2>{fold.format('The connection keeps dropping.')}{fold.format('More')}"
        f"<h2>Inside</h2>{fold.format('It copies what you see.')}"
    )

    assert [faq.question for faq in told.faqs] == ["The connection keeps dropping."]


def test_a_film_that_plays_by_itself_is_shown_unless_it_moves_behind_the_head() -> None:
    film = '<video autoplay muted loop src="{}.mp4"></video>'

    def shown(home: str) -> str | None:
        return value(drafted(home), "demo_video_url")

    assert shown(f"<header>{film.format('waves')}</header>{film.format('hero-2')}") is None
    assert shown(film.format("tour one").replace("<video", '<video class="hero-bg-video"')) is None
    assert (
        shown(film.format("tour one").replace("<video", '<video class="aspect-video bg-white"')) is not None
    )
    assert shown(film.format("tour one")) == f"{HOME}tour%20one.mp4"
    assert shown(f"<section>{film.format('tour')}<h2>Racks that last</h2></section>") is None
    assert shown(f"<section><h2>See it</h2>{film.format('tour')}</section>") == f"{HOME}tour.mp4"
    asked_for = '<video controls src="talk.mp4"></video>'
    assert shown(film.format("tour") + asked_for) == f"{HOME}talk.mp4"


def test_a_name_and_a_word_for_its_site_describe_nothing() -> None:
    said = "Boltly keeps the stock of small workshops in order, on every phone and without a cable."
    head = '<title>Boltly</title><meta name="description" content="Boltly Official Website">'
    written = drafted(f"<h1>Boltly</h1><p>{said}</p>", head=head)

    assert said in written.fields["short_description"].offered
    assert "Boltly Official Website" not in written.fields["short_description"].offered


def test_the_repository_of_the_very_name_goes_before_one_beside_it() -> None:
    links = "".join(
        f'<footer><a href="https://github.com/ann/{name}">Source</a></footer>'
        for name in ("boltly-extension", "boltly")
    )
    written = drafted(links, ("faq", "faq", f"<h1>FAQ</h1>{links[: links.index('</footer>')]}</footer>"))

    assert written.company_socials["github"].value == "https://github.com/ann/boltly"


def test_what_a_page_asks_as_a_gift_is_no_price() -> None:
    gifts = "<h1>Keep Boltly</h1>{}<div><h3>Buy us a tea</h3><p>$5</p></div><div><h3>A module</h3><p>$20</p></div>"

    def offered(said: str) -> str:
        told = drafted("<p>Boltly is free.</p>", ("thanks", "other", gifts.format(said)))
        return str(told.fields["pricing_summary"].offered)

    assert "$5" in offered("")
    assert "$5" not in offered("<p>Donations are welcome.</p>")


def test_whom_it_is_for_is_no_feature() -> None:
    card = "<h3>{}</h3><p>It keeps what you say in order, whatever you do all day.</p>"
    told = drafted(
        f"<section><h2>Features</h2>{''.join(map(card.format, ('Fast search', 'Own fonts', 'Shared lists')))}</section>"
        f"<section><h2>For busy minds</h2>{''.join(map(card.format, ('Writers', 'Teachers', 'Students')))}</section>"
    )

    assert told.fields["features"].value == ("Fast search", "Own fonts", "Shared lists")
