"""What twenty-one further sites showed that nobody had read before; the words are ours."""

import json

import pytest

from directory.data.categories import category_tree
from drafts.crawl.report import CrawlReport
from drafts.crawl.segments import read_site
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.port import CategoryHint, FieldDraft, Written
from tests.drafts.test_extractive_fresh import summary
from tests.drafts.test_extractive_sentences import HOME, page, value
from tests.drafts.test_extractive_unseen import PLANS, drafted, prices

TRADES = (
    CategoryHint(slug="factories", name="Factories", terms=("production", "shop floor"), parent=None),
    CategoryHint(slug="agents", name="Agents", terms=("agent", "assistant"), parent=None),
)


def filed(html: str, hints: tuple[CategoryHint, ...] = TRADES) -> Written:
    report = CrawlReport(start_url=HOME, home_url=HOME, robots="allowed", pages=(page("", "home", html),))
    return ExtractiveWriter(hints).write(read_site(report))


@pytest.mark.parametrize(
    ("html", "founders"),
    [
        (
            '<footer><ul><li><a href="/a">Use Cases</a></li><li><a href="/b">Founder</a></li></ul></footer>',
            [],
        ),
        ("<div>Ann Berg<br>Développeuse & Fondatrice</div>", [("Ann Berg", "Développeuse & Fondatrice")]),
    ],
)
def test_a_founder_is_no_entry_of_a_menu_and_ends_with_the_line(
    html: str, founders: list[tuple[str, str]]
) -> None:
    assert [(one.name, one.title) for one in drafted(html).founders] == founders


@pytest.mark.parametrize("mark", ['class="lang-{}"', 'data-lang="{}"', 'data-i18n="{}"'])
def test_of_a_page_in_two_languages_its_own_is_read(mark: str) -> None:
    def twice(german: str, english: str, tag: str) -> str:
        both = ((german, "de"), (english, "en"))
        return "".join(f"<{tag} {mark.format(code)}>{text}</{tag}>" for text, code in both)

    told = twice(
        "Boltly zählt jede Schraube in deiner Werkstatt und bestellt neue, bevor sie ausgehen.",
        "Boltly counts each bolt in your workshop and orders new ones before they run out.",
        "span",
    )
    html = f"<title>Boltly</title><h1>{twice('Schrauben gezählt', 'Bolts counted', 'span')}</h1><p>{told}</p>"

    assert value(filed(f'<html lang="de">{html}</html>'), "description") == (
        "Boltly zählt jede Schraube in deiner Werkstatt und bestellt neue, bevor sie ausgehen."
    )
    assert "Boltly counts" in value(filed(f'<html lang="fr">{html}</html>'), "description")


@pytest.mark.parametrize("line", ["Welcome to Boltly", "Boltly'ye Hoş Geldiniz", "Välkommen till Boltly"])
def test_a_welcome_is_no_tagline(line: str) -> None:
    told = drafted(head=f"<title>Boltly</title><h1>{line}</h1><p>Boltly counts the bolts of a workshop.</p>")
    assert line not in {value(told, "tagline"), *(one.value for one in told.fields["tagline"].suggestions)}


def test_what_else_one_might_take_is_no_question() -> None:
    def asked(*questions: str) -> list[str]:
        told = "".join(
            f"<h3>{q}</h3><p>Many a workshop has tried that and paid for it.</p>" for q in questions
        )
        return [faq.question for faq in drafted(f"<section><h2>Boltly or not</h2>{told}</section>").faqs]

    whole = ("Why not an agency for it?", "Why not count them by hand?", "Why not some other tools?")
    assert asked("An agency?", "Loose tools?", "Your own people?", "A shop?") == []
    assert asked(*whole, "Why not just leave it be?") == [*whole, "Why not just leave it be?"]


def test_an_answer_ends_before_what_is_left_out_of_it() -> None:
    def answers(below: str) -> list[str]:
        one = f"<details><summary>How does Boltly count?</summary><p>It weighs them.</p>{below}</details>"
        rest = "<details><summary>Is Boltly free?</summary><p>Yes, it is.</p></details>"
        return [faq.answer for faq in drafted("", ("faq", "faq", f"<h1>FAQ</h1>{one}{rest}")).faqs]

    table = "<table><tr><th>Size</th><th>Weight</th></tr><tr><td>M3</td><td>2 g</td></tr></table>"
    assert answers("<p>Planned:</p>") == ["It weighs them.", "Yes, it is."]
    assert answers(table) == ["It weighs them.", "Yes, it is."]


def test_what_something_is_ready_for_is_not_what_it_is() -> None:
    ready = (
        "<title>Boltly | Production-Grade operations</title><h1>Boltly</h1><p>Boltly is production-ready.</p>"
    )
    made = "<title>Boltly | Production operations</title><h1>Boltly</h1><p>Boltly helps production.</p>"

    assert [value(filed(html), "categories") for html in (ready, made)] == [None, ("Factories",)]


def test_plans_with_names_say_it_without_what_begins_anew() -> None:
    more = "<p>Extra users cost $3 / month.</p>"
    billed = PLANS.replace("$49 / month</p>", "$49 / month</p><p>billed annually ($490/yr)</p>")

    assert summary(PLANS + more) == "Basic: $49 / month. Business: $99 / month"
    assert summary(billed) == "Basic: $49 / month, billed annually ($490/yr). Business: $99 / month"


def test_many_sums_without_names_are_offered() -> None:
    def sums(count: int) -> Written:
        return prices("".join(f"<p>${price} / month</p>" for price in range(10, 10 + count)))

    assert value(sums(3), "pricing_summary") == "$10 / month. $11 / month. $12 / month"
    assert value(sums(4), "pricing_summary") is None
    assert (
        sums(4).fields["pricing_summary"].suggestions[0].value
        == "$10 / month. $11 / month. $12 / month. $13 / month"
    )


def test_a_word_by_itself_is_a_tag_where_the_category_is_beyond_doubt() -> None:
    doubtful = "<title>Boltly</title><h1>Production on the shop floor</h1><p>It plans production on the shop floor.</p>"
    sure = "<title>Boltly | Production operations</title><h1>Boltly</h1><p>Boltly helps production.</p>"

    assert [value(filed(html), "tags") for html in (doubtful, sure)] == [("shop floor",), ("production",)]


def test_a_place_is_written_as_a_name() -> None:
    def places(text: str, language: str) -> list[object]:
        told = drafted(f'<html lang="{language}"><footer><p>{text}</p></footer></html>')
        return [one.value for name in ("country", "city") for one in told.fields[name].suggestions]

    assert places("Un seul outil pour Boltly. Write to us. Im Beta-Betrieb.", "fr") == []
    assert places("Boltly は リマインダー を送ります。", "ja") == []
    assert places("Boltly, Lyon et Seoul", "fr") == ["FR", "KR", "Lyon", "Seoul"]


def test_feeling_free_costs_nothing_and_says_nothing() -> None:
    said = ("Please feel free to write to us", "Boltly does not warrant to be ERROR-FREE", "Boltly is free")
    told = [drafted(f"<p>{text}.</p>").fields["pricing_model"] for text in said]

    assert [(draft.value, [one.value for one in draft.suggestions]) for draft in told] == [
        (None, []),
        (None, []),
        ("free", []),
    ]


def test_a_site_of_the_north_is_filed() -> None:
    shop = (
        "<title>Boltly – hemsida och bokning</title><h1>Bygg en hemsida</h1><p>Boltly är en sidbyggare.</p>"
    )
    tree = tuple(
        CategoryHint(slug=c.slug, name=c.name, terms=c.terms, parent=c.parent) for c in category_tree()
    )
    assert value(filed(shop, tree), "categories") == ("Website builders and landing pages",)


def test_words_that_a_style_sets_apart_do_not_stick_together() -> None:
    def line(html: str) -> object:
        return value(
            drafted(head=f"<title>Boltly</title><h1>{html}</h1><p>Boltly counts bolts.</p>"), "tagline"
        )

    assert line("Count your bolts<em>with a passion</em>") == "Count your bolts with a passion"
    assert line("Bolts made un<em>believably</em> light") == "Bolts made unbelievably light"


def test_a_plan_whose_heading_says_that_it_is_to_come_is_none() -> None:
    soon = PLANS.replace("<h2>Business", "<h2>Business — Coming soon")
    assert summary(soon) == "Basic: $49 / month"


def test_whom_it_matters_to_is_no_selling_point() -> None:
    def section(head: str, *names: str) -> str:
        told = "<p>Boltly counts the bolts that you have in a rack.</p>"
        return f"<section><h2>{head}</h2>{''.join(f'<h3>{name}</h3>{told}' for name in names)}</section>"

    def points(*names: str) -> object:
        features = section("Features", "Bolt lists", "Bolt orders", "Bolt maps", "Bolt mails")
        return value(drafted(features, ("why", "about", section("Why it matters", *names))), "usps")

    whole = ("Counts at once", "Weighs each bolt", "Private")
    assert (points("Developers", "Creators", "Legal & Compliance"), points(*whole)) == (None, whole)


def test_the_lead_of_a_further_page_is_of_that_page() -> None:
    lead = (
        "Combine many bolts into one. Drag them to reorder, then download what comes of it in your browser."
    )
    other = f"<title>Join</title><header><h1>Join</h1><p>{lead}</p></header><p>Boltly joins.</p>"
    assert (
        value(
            drafted("", ("join", "features", other), head="<title>Boltly</title><h1>Boltly</h1>"),
            "description",
        )
        is None
    )


def test_a_question_of_the_markup_is_not_asked_again() -> None:
    answer = "Yes. Weighing and counting happen on the scale in your hand, nothing is sent. It waits when {} offline."
    data = {
        "@type": "FAQPage",
        "mainEntity": [
            {
                "@type": "Question",
                "name": "Does Boltly really work offline?",
                "acceptedAnswer": {"@type": "Answer", "text": answer.format("you are")},
            }
        ],
    }
    shown = (
        f"<details><summary>Does it really work offline?</summary><p>{answer.format('you’re')}</p></details>"
    )
    html = f'<script type="application/ld+json">{json.dumps(data)}</script><h1>FAQ</h1>{shown}'
    assert [faq.question for faq in drafted("", ("faq", "faq", html)).faqs] == [
        "Does it really work offline?"
    ]


def test_a_scene_that_names_us_is_no_logo() -> None:
    sample = (
        '<a href="/sushi.jpg"><img src="/sushi.jpg" alt="The Suis branded app built with Boltly, a menu"></a>'
    )
    screen = '<header><img src="/screen.png" alt="Boltly bolt counter screenshot on a phone"></header>'

    assert value(drafted(sample), "logo_url") is None
    assert value(drafted(screen), "logo_url") is None
    assert value(drafted(screen.replace("bolt counter screenshot on a phone", "")), "logo_url") is not None


def test_headings_that_praise_are_offered() -> None:
    card = '<div class="feature"><h3>{}</h3><p>It does so for each of your bolts, day by day.</p></div>'

    def told(*titles: str) -> FieldDraft:
        return drafted("<h2>Features</h2>" + "".join(map(card.format, titles))).fields["features"]

    named = ("Counts each bolt", "Sorts them by size", "Orders new ones")
    praised = ("Bolts, at last.", "Seen fresh.", "Start counting.")
    assert told(*named).value == named
    assert (told(*praised).value, [one.value for one in told(*praised).suggestions]) == (None, [praised])


def test_one_free_plan_of_several_is_not_the_price() -> None:
    card = "<div><h2>{}</h2><p>{}</p><ul><li>{} bolts</li></ul></div>"
    pilot = card.format("Pilot", "Free forever", 30)

    assert value(prices(f"<section>{pilot}</section>"), "pricing_model") == "free"
    several = f"<section>{pilot}{card.format('Professional', 'Ask us', 500)}</section>"
    assert value(prices(several), "pricing_model") is None


def test_marks_between_claims_are_none_of_their_words() -> None:
    written = drafted("<h2>Pricing</h2><p>✓ Boltly is free ✓ Every year again</p>")

    assert value(written, "pricing_summary") == "Boltly is free"


def test_a_category_of_which_a_long_page_says_one_word_is_offered() -> None:
    def told(head: str, *, long: bool) -> tuple[object, object]:
        more = f"<p>{'It counts what is left in each drawer. ' * 30}</p>" if long else ""
        draft = filed(f"<title>Boltly {head}</title><h1>Boltly {head}</h1>{more}").fields["categories"]
        return draft.value, draft.suggestions[0].value if draft.suggestions else None

    assert told("production", long=False)[0] == ("Factories",)
    assert told("production", long=True) == (None, ("Factories",))
    assert told("production on the shop floor", long=True)[0] == ("Factories",)


def test_a_note_below_a_text_describes_nothing() -> None:
    said = "Boltly counts the bolts of your workshop and orders new ones in time."
    note = "※ You can end the test at any time, and we ask nobody to stay with us afterwards."

    assert value(drafted(f"<h1>Boltly</h1><p>{note}</p><p>{said}</p><p>{note}</p>"), "description") == said
