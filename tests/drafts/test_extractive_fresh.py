"""What further sites that nobody had seen say in forms of their own; the words are ours."""

import pytest

from drafts.crawl.report import PageKind
from tests.drafts.test_extractive_sentences import offered, value
from tests.drafts.test_extractive_unseen import PLANS, drafted, prices


def summary(html: str) -> str | None:
    return value(prices(html), "pricing_summary")


def test_cents_in_a_part_of_their_own_belong_to_their_price() -> None:
    card = "<div><h2>Pro</h2><p><span>29</span> <span>,99 €</span> <span>/ month</span></p></div>"

    assert "29,99 €" in str(summary(card))


@pytest.mark.parametrize(
    "counted",
    [
        "<table><tr><th>Item</th><th>Low estimate</th></tr><tr><td>Duty</td><td>$0</td></tr>"
        "<tr><td>Freight</td><td>from $500</td></tr></table>",
        "<div><p>Estimated monthly savings</p><p>$0</p><p>across 25 sites</p></div>",
    ],
)
def test_a_zero_that_is_yet_to_be_counted_is_no_free_plan(counted: str) -> None:
    free = "<div><h2>Free</h2><p>$0</p></div>"

    assert value(prices(PLANS + counted), "pricing_model") == "subscription"
    assert value(prices(free + PLANS + counted), "pricing_model") == "freemium"


def test_what_a_calculator_asks_and_reckons_is_no_price() -> None:
    asked = "<div>What does a customer leave with you? $6</div><p>$49 × 12 = $588</p>"

    assert summary(PLANS + asked) == "Basic: $49 / month. Business: $99 / month"


def test_a_plan_is_called_by_what_stands_nearest_to_its_price() -> None:
    badged = "<div><div>🚗 Small</div><div>Driver</div><div>$5 / month</div></div>"
    named = "<div><h4>Starter<br>$7 / month</h4><p>Choose it</p></div><div><h4>Plus<br>$9 / month</h4></div>"
    told = "<div><h3>Be seen</h3><h3>Be found</h3><h3>Be loved</h3><p>All of it:</p><p>$8 / month</p></div>"

    assert summary(f"<section>{badged}</section>") == "Driver: $5 / month"
    assert summary(f"<section>{named}</section>") == "Starter $7 / month. Plus $9 / month"
    assert summary(f"<section>{told}</section>") == "$8 / month"
    assert summary("<p>$3 / month</p>") == "$3 / month"


def test_what_others_take_is_not_our_price() -> None:
    wire = "<p>International wires take days, cost the client $30, and cost you $15 to receive.</p>"
    card = "<p>Cardly charges 2.9% per transaction even without any risk.</p>"

    assert value(drafted(wire + card), "pricing_summary") is None


def test_plans_are_ours_where_the_keys_are_not() -> None:
    keys = "<p>You bring your own keys and pay providers directly.</p>"

    assert summary(keys + PLANS) == "Basic: $49 / month. Business: $99 / month"
    assert (
        value(prices(f"{keys}<div><h2>Solo</h2><div>$0<br>/ forever</div></div>{PLANS}"), "pricing_model")
        == "freemium"
    )


def test_a_free_demonstration_of_a_product_leaves_it_priced() -> None:
    asked = "<h2>Prezzi</h2><p>Richiedi una demo gratuita e scopri come Boltly conta.</p>"

    assert value(drafted(asked), "pricing_model") is None
    assert value(drafted("<h2>Prezzi</h2><p>Boltly è gratuito.</p>"), "pricing_model") == "free"


ASKED = "<details><summary>Does it {0}?</summary><p>Yes, it can {0}.</p></details>"
FAQ = "<h2>FAQ</h2>" + "".join(ASKED.format(deed) for deed in ("count", "sort", "order"))


def test_headings_that_ask_are_no_questions_beside_a_list_of_them() -> None:
    heads = "".join(f"<h2>How many {bolts} do you lose?</h2><p>Enter yours below.</p>" for bolts in "abcd")
    calls = "<h3>Nothing found that you need?</h3><p>Write to us.</p><h3>Are you a smith?</h3><p>Join us.</p>"

    told = {faq.question for faq in drafted(FAQ + heads).faqs}
    with_calls = drafted("", ("faq", "faq", f"<h1>Help</h1>{FAQ}{calls}")).faqs

    assert told == {f"Does it {deed}?" for deed in ("count", "sort", "order")}
    assert {faq.question for faq in with_calls} == told


def test_a_footer_asks_nothing() -> None:
    footer = "<footer><div>© 2026 Boltly Ltd. A question? Write to us any day.</div></footer>"

    assert drafted("", ("faq", "faq", f"<h1>FAQ</h1>{footer}")).faqs == ()


def test_a_maker_that_is_a_company_is_no_founder_and_a_person_is_one() -> None:
    about = (
        "<h1>About</h1><p>Boltly is built by Iron Twin Sdn. Bhd., a company of two.</p>"
        "<p>— Anna Weber, Founder &amp; CEO</p>"
        "<div><h3>Anna Maria Weber</h3><p>Founder &amp; CEO, Iron Twin</p></div>"
    )

    assert [one.name for one in drafted("", ("about", "about", about)).founders] == ["Anna Weber"]


def test_who_holds_the_data_is_not_thereby_the_founder() -> None:
    def founders(title: str) -> list[str]:
        html = f"<title>{title}</title><h1>{title}</h1><div><b>Titolare</b><p>Marco Neri</p></div>"
        return [one.name for one in drafted("", ("legal", "legal", html)).founders]

    assert founders("Note legali") == ["Marco Neri"]
    assert founders("Privacy") == []


@pytest.mark.parametrize(
    ("told", "city"),
    [
        ("2019年より千葉県船橋市を拠点に活動しています。", "千葉県船橋市"),
        ("2019年より千葉県を拠点に活動しています。", None),
    ],
)
def test_a_prefecture_is_no_town(told: str, city: str | None) -> None:
    written = drafted(f"<footer><p>{told}</p></footer>")

    assert value(written, "city") == city
    assert value(written, "country") == ("JP" if city else None)


def test_the_project_that_a_footer_thanks_is_not_ours() -> None:
    footer = '<footer><a href="https://github.com/{0}">{1}</a> by Nutworks</footer>'

    assert "github" not in drafted(footer.format("nutworks/presskit", "presskit")).company_socials
    assert "github" in drafted(footer.format("ironlab/boltly", "boltly")).company_socials


def test_a_row_of_languages_describes_nothing() -> None:
    row = "<div>中文<br>EN<br>日本語<br>한국어<br>FR<br>DE<br>ES</div>"
    heads = "".join(f"<h2>Part {letter}</h2>" for letter in "abcdefgh")
    written = drafted(head=f"<title>Boltly</title>{row}<h1>Boltly</h1>{heads}")

    assert value(written, "short_description") is None


def test_an_address_at_an_example_is_nobodys() -> None:
    assert value(drafted("<footer>ajuda@exemplo.com</footer>"), "contact_email") is None
    assert value(drafted("<footer>ajuda@boltly.test</footer>"), "contact_email") == "ajuda@boltly.test"


def test_figures_below_the_main_heading_are_no_promises() -> None:
    cards = "".join(
        f"<h3>{one} bolts</h3><p>Boltly does so by their weight.</p>" for one in ("Sort", "Count", "Order")
    )

    def usps(items: str) -> object:
        features = f"<section><h2>Features</h2>{cards}</section>"
        return value(
            drafted(features, head=f"<title>Boltly</title><h1>Bolts, counted</h1><ul>{items}</ul>"), "usps"
        )

    assert (
        usps("<li>24 h<br>usual time</li><li>up to 8K<br>pictures</li><li>2 turns<br>included</li>") is None
    )
    assert usps("<li>No setup</li><li>Works offline</li><li>All bolts included</li>") is not None


@pytest.mark.parametrize("line", ["Problem", "Who is it for?"])
def test_the_line_above_a_heading_says_what_a_section_is(line: str) -> None:
    def features(above: str) -> object:
        cards = "".join(
            f"<h3>{one} bolts</h3><p>It takes an hour each day to find them.</p>"
            for one in ("Lost", "Bent", "Loose")
        )
        return value(
            drafted(f"<section><div>{above}<h2>Every workshop knows it</h2></div>{cards}</section>"),
            "features",
        )

    assert features("<span>Boltly</span>") == ("Lost bolts", "Bent bolts", "Loose bolts")
    assert features(f"<span>{line}</span>") is features(f"<p>{line}</p>") is None


def test_a_picture_in_a_link_to_nowhere_is_no_logo() -> None:
    picture = '<a href="{}"><img src="/images/yard.png" alt="A yard"></a>'

    assert value(drafted(picture.format("#")), "logo_url") is None
    assert value(drafted(picture.format("/")), "logo_url") == "https://boltly.test/images/yard.png"
    assert value(drafted(f"<header>{picture.format('#')}</header>"), "logo_url") is not None


def test_what_a_notice_asks_is_no_question() -> None:
    chapters = "".join(
        f"<div><p>Madde {n}. Hangi verileriniz işlenir {n}?</p></div><div><p>Adınız ve e-postanız.</p></div>"
        for n in "123"
    )

    assert drafted("", ("kvkk.html", "other", f"<h1>Boltly</h1>{chapters}")).faqs == ()
    assert len(drafted("", ("vida.html", "other", f"<h1>Boltly</h1>{chapters}")).faqs) == 3


def test_a_calculator_in_steps_asks_and_prices_nothing() -> None:
    step = '<div class="step"><div>Question {0} of 3</div><div>How many bolts {0}?</div></div>'
    added = '<div class="step"><div>Washing</div><div>+$30</div><div>Oiling</div><div>+$20</div></div>'
    written = prices("".join(map(step.format, (1, 2, 3))) + added)

    assert written.faqs == ()
    assert value(written, "pricing_summary") is None


def test_a_sum_in_a_story_is_no_price() -> None:
    story = "<h1>Rent Boltly</h1><p>$15 per day after a grace of five days works out to a punitive rate.</p>"

    assert value(drafted("", ("rent", "other", story)), "pricing_model") is None
    assert (
        value(drafted("", ("rent", "other", "<h1>Rent Boltly</h1><p>$15 per day</p>")), "pricing_model")
        == "subscription"
    )


def test_neither_a_link_nor_a_share_nor_a_way_back_names_a_plan() -> None:
    card = "<div>{}<div>Screen</div><div>$99 / month</div></div>"
    above = ("<a href='/get'>Get it free</a>", "<div>7% of the market</div>", "<nav>Home / Prices</nav>")

    assert [summary(f"<section>{card.format(one)}</section>") for one in above] == ["Screen: $99 / month"] * 3


def test_a_weekend_is_no_week() -> None:
    charter = "<p>Boltly offers charters from $300, and weekend packages.</p>"

    assert set(offered(prices(charter), "pricing_model")) == {"paid", "one_time"}
    assert (
        value(prices("<p>Boltly offers charters from $300, and weekly $900.</p>"), "pricing_model")
        == "subscription"
    )


def test_what_partners_get_is_not_what_the_product_takes() -> None:
    priced = ("pricing", "pricing", "<h1>Pricing</h1><table><tr><td>Line</td><td>$480</td></tr></table>")
    partners = ("partners", "other", "<h1>Partners</h1><div class='price'><p>5% commission</p></div>")

    assert set(offered(drafted("", priced, partners), "pricing_model")) == {"paid", "one_time"}


def test_nothing_for_ever_is_a_free_plan() -> None:
    free = "<div><h2>Solo.</h2><div>$0<br>/ forever</div></div>"

    assert value(prices(free + PLANS), "pricing_model") == "freemium"
    assert summary(free + PLANS) == "Solo: $0 / forever. Basic: $49 / month. Business: $99 / month"


@pytest.mark.parametrize(("first", "name"), [("About, Bolt Flow", "Bolt Flow"), ("About", None)])
def test_what_the_titles_of_pages_share_after_a_comma_is_the_name(first: str, name: str | None) -> None:
    others = tuple((path, "other", f"<title>{first}</title><p>Flow.</p>") for path in ("about", "team"))
    head = "<title>Bolt Flow, sorted in one breath</title>"

    assert (value(drafted("<p>Flow.</p>", *others, head=head), "name") == "Bolt Flow") == (name is not None)


@pytest.mark.parametrize("words", ["Sign in", "Log in", "Login", "Sign up"])
def test_a_form_to_sign_in_names_no_product(words: str) -> None:
    form = f"<h1>{words}</h1><form><input name='mail'><input type='password'></form>"

    assert value(drafted(form, head=f"<title>{words}</title>"), "name") != words


def test_the_year_of_a_work_in_brackets_founds_nothing() -> None:
    def year(line: str) -> str | None:
        return value(drafted("", ("about", "about", f"<h1>About</h1><p>{line}</p>")), "founded_year")

    assert year('My love of bolts began with "Nut & Washer" (2008), which I played for years.') is None
    assert year("My work on Boltly began in 2008.") == "2008"


def test_a_policy_tells_where_those_are_who_work_for_us() -> None:
    def country(kind: PageKind) -> str | None:
        line = "<p>Some of our processors are based in the United States.</p>"
        return value(drafted("", ("us", kind, f"<title>Boltly</title>{line}")), "country")

    assert (country("legal"), country("other")) == (None, "US")


def test_markup_tells_the_town_that_the_company_was_founded_in() -> None:
    address = '{"addressLocality": "Ghent", "addressCountry": "BE"}'
    node = f'{{"@type": "Organization", "name": "Boltly", "KEY": {{"@type": "Place", "address": {address}}}}}'
    script = f'<script type="application/ld+json">{node}</script>'

    assert value(drafted(script.replace("KEY", "foundingLocation")), "city") == "Ghent"
    assert value(drafted(script.replace("KEY", "areaServed")), "city") is None


def test_a_question_within_a_long_paragraph_is_not_asked_of_us() -> None:
    def asked(line: str) -> list[str]:
        return [faq.question for faq in drafted("", ("help", "faq", f"<h1>Help</h1><p>{line}</p>")).faqs]

    rising = (
        "The goal rises with the bolts that you count in a week. Did you count sixty? The next is seventy."
    )
    assert asked(rising) == []
    assert asked("I lost a bolt. What now? Count the others.") == ["I lost a bolt. What now?"]


def test_a_question_of_a_form_is_answered_by_none_of_its_buttons() -> None:
    def asked(below: str) -> list[str]:
        login = "".join(
            f"<div><h3>{one}?</h3>{below}</div>" for one in ("Lost your bolt", "New here", "Are you sure")
        )
        return [faq.question for faq in drafted("", ("help", "faq", f"<h1>Help</h1>{login}")).faqs]

    assert asked("<button>Sign in to Boltly</button>") == []
    assert asked("<p>Sign in to Boltly</p>") == ["Lost your bolt?", "New here?", "Are you sure?"]


def test_no_company_is_a_founder() -> None:
    def founders(name: str) -> list[str]:
        return [
            one.name for one in drafted(f"<footer><p>Built by {name}, open source.</p></footer>").founders
        ]

    assert (founders("Anna Holding Inc"), founders("Anna Weber")) == ([], ["Anna Weber"])
