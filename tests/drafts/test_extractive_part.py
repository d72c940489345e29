"""A part that is taken for the whole: the name of a page for that of the product, what an answer asks back."""

from tests.drafts.test_extractive_sentences import offered, value
from tests.drafts.test_extractive_unseen import drafted


def test_a_product_is_called_what_most_titles_say_not_one_page_twice() -> None:
    pages = [
        (path, "other", f"<title>{title} | Steady Bolts</title><h1>{title}</h1><p>Steady Bolts.</p>")
        for path, title in (("search", "Find a bolt"), ("us", "Who we are"), ("how", "How it goes"))
    ]
    menu = '<nav><a href="/">Find a bolt</a><a href="/how">How it goes</a></nav>'
    home = (
        "<title>Find a bolt | Steady Bolts</title><h1>Find any bolt</h1><p>Steady Bolts finds each bolt.</p>"
    )

    assert value(drafted(menu, *pages, head=home), "name") == "Steady Bolts"


def test_what_an_answer_asks_back_is_no_question_of_its_own() -> None:
    checks = "".join(f"<li>Is the {one} of your scale switched on?</li>" for one in ("light", "motor", "fan"))
    asked = "".join(
        f"<details><summary>{question}</summary><p>Look at this:</p>{more}<p>Then write to us.</p></details>"
        for question, more in (
            ("Why does it not count?", f"<ol>{checks}</ol>"),
            ("How do I begin?", ""),
            ("Where are my bolts?", ""),
        )
    )
    written = drafted("", ("support", "faq", f"<h1>Questions</h1>{asked}"))

    assert [faq.question for faq in written.faqs] == [
        "Why does it not count?",
        "How do I begin?",
        "Where are my bolts?",
    ]


def test_an_answer_that_a_template_never_filled_is_none() -> None:
    answers = ("__AVAILABILITY_NOTE__", "It runs on any scale.", "Call it from __init__ of your module.")
    asked = "".join(
        f"<details><summary>What of bolts {at}?</summary><p>{answer}</p></details>"
        for at, answer in enumerate(answers)
    )

    assert [faq.answer for faq in drafted(f"<h2>FAQ</h2>{asked}").faqs] == [*answers[1:]]


ASKED = "<h2>Good to have</h2><ul><li>Does it count nuts?</li><li>Does it count bolts?</li><li>And pins?</li></ul>"
MENU = "<footer><ul><li>Products</li><li>Partners</li><li>Resources</li><li>Write to us</li></ul></footer>"
STEPS = "<h2>How it works</h2>" + "".join(
    f"<div><h3>{at}. {deed}</h3><p>This takes a minute, no more than that.</p></div>"
    for at, deed in enumerate(("Pour the bolts", "Read the scale", "Close the box"), 1)
)


def test_a_list_of_questions_or_a_foots_menu_is_no_list_of_features() -> None:
    asked, all_of_it = drafted(ASKED), drafted(MENU + STEPS + ASKED)

    assert value(asked, "features") is None
    assert "Does it count nuts?" not in str([*offered(asked, "features"), *offered(all_of_it, "features")])
    assert "Partners" not in str([*offered(all_of_it, "features")])
