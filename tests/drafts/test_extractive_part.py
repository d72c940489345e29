"""A part that is taken for the whole: free of a product that is sold, a page's name, what an answer asks back."""

from tests.drafts.test_extractive_sentences import value
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
