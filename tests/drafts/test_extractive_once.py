"""What stands on a site twice, broken, denied or as a sample: the words are ours, the forms are theirs."""

import json

from tests.drafts.test_extractive_sentences import value
from tests.drafts.test_extractive_unseen import drafted, prices

CARD = "<h3>{}</h3><p>It keeps what you say in order, whatever you do all day.</p>"
ENGLISH = "<p>This is the site of the tool that you and your team will use for the bolts.</p>"
SPANISH = "<p>Esta es la página de los que no usan la red, para todos y con una cosa más.</p>"


def test_questions_are_asked_once_and_in_one_language() -> None:
    fold = "<details><summary>{}</summary><p>{}</p></details>"
    asked = [
        ("Does it work offline?", "Yes, all of it works without a network."),
        ("Who is it for?", "For all of you who sort the bolts."),
    ]
    shown = "".join(fold.format(f"« {question} »", f"Answer: {answer}") for question, answer in asked)
    again = {"@type": "Question", "name": "Does Boltly work offline?"}
    marked = {
        "@type": "FAQPage",
        "mainEntity": [again | {"acceptedAnswer": {"text": f"Answer: {asked[0][1]}"}}],
    }
    spanish = fold.format("¿Funciona sin conexión?", "Sí, todo funciona sin una red para los que la usan.")
    arabic = fold.format("هل يعمل دون اتصال؟", "نعم، يعمل كل شيء دون شبكة لمن يستخدمها.")
    told = drafted(
        f"<h2>FAQ</h2>{shown}<script type='application/ld+json'>{json.dumps(marked)}</script>{ENGLISH * 20}",
        ("es/faq.html", "faq", f"<h1>Preguntas</h1>{spanish}{SPANISH * 12}"),
        (
            "ar/faq.html",
            "faq",
            f"<h1>الأسئلة</h1>{arabic}{'<p>هذه صفحة الأداة التي تستخدمها أنت وفريقك.</p>' * 12}",
        ),
    )

    assert [(faq.question, faq.answer) for faq in told.faqs] == asked


def test_a_page_that_only_asks_to_write_has_no_question() -> None:
    support = "<h1>Support</h1><p>Need help with Boltly? We'd love to hear from you.</p>"

    assert drafted("", ("support.html", "faq", support)).faqs == ()


def test_what_is_not_open_source_is_not() -> None:
    def model(said: str) -> str | None:
        return value(drafted(f"<p>{said}</p>"), "pricing_model")

    assert model("Boltly is open source") == "open_source"
    assert model("Boltly is not open source") is None


def test_a_sum_that_goes_on_reckoning_is_no_price() -> None:
    told = prices("<div><h2>Course</h2><p>5,500 円 / 月</p></div><p>× 4か月＝合計 22,000円</p>")

    assert value(told, "pricing_summary") == "Course: 5,500 円 / 月"


def test_an_address_where_no_mail_arrives_is_a_sample() -> None:
    assert value(drafted("<p>hello@wrenfield.example</p>"), "contact_email") is None
    assert value(drafted("<p>hello@boltly.example</p>"), "contact_email") == "hello@boltly.example"


def test_a_heading_that_a_style_breaks_is_one_feature() -> None:
    heads = ("Finished. And<br><em>formatted.</em>", "Own<br>fonts", "Shared lists")
    told = drafted(f"<section><h2>Features</h2>{''.join(map(CARD.format, heads))}</section>")

    assert told.fields["features"].value == ("Finished. And formatted.", "Own fonts", "Shared lists")
