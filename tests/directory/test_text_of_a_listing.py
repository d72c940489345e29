"""What stands above a listing's text is not said a second time by it."""

import pytest
from django.test import Client

from directory.models import Site
from tests.factories.listings import make_listing

SHORT = "Tidewell sends invoices and reminds late payers."


@pytest.mark.parametrize(
    ("text", "times"),
    [
        (f"{SHORT}\n\nIt is made in Ghent.", 1),
        (SHORT, 1),
        (f"{SHORT} It is made in Ghent.", 1),
        (f"It is made in Ghent.\n\n{SHORT}", 2),  # not its beginning
        (f"{SHORT[:-1]}, and is made in Ghent.", 2),  # not the same sentence
    ],
)
@pytest.mark.parametrize("is_quoted", [True, False])
def test_a_text_that_begins_with_the_short_one_goes_on_behind_it(
    client: Client, site: Site, text: str, times: int, *, is_quoted: bool
) -> None:
    quote = {"quote": SHORT, "url": "https://tidewell.example/", "link": "https://tidewell.example/"}
    evidence = {"description": [{**quote, "page_title": None, "source": "text"}]} if is_quoted else {}
    make_listing(short_description=SHORT, description=text, evidence=evidence)
    page = client.get("/listings/tidewell").content.decode()
    overview = page.split('id="overview"')[1].split('id="facts"')[0]

    said = overview.count(f"<p>{SHORT[:-1]}") + overview.count(f'dir="auto">{SHORT[:-1]}')
    assert said == times
    assert ("made in Ghent" in overview) is ("Ghent" in text)
