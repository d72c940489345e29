"""`manage.py import_domain_ratings`: what a file may look like, and that a file with a mistake stores nothing."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from directory.models import Site
from leaderboards.models import DomainRating
from tests.conftest import Api
from tests.factories.listings import make_listing

HEADER = "domain,domain_rating"


@pytest.mark.parametrize(
    ("text", "value", "source"),
    [
        (f"{HEADER}\ntidewell.example,55\n", 55, "import"),
        ("\ufeffdomain_rating,domain\r\n55.4,WWW.Tidewell.example\r\n", 55, "import"),
        (f"{HEADER},date,source\nhttps://tidewell.example/x,0,2026-01-02,open graph\n", 0, "open graph"),
    ],
)
def test_a_rating_reaches_its_listing(
    api: Api, site: Site, tmp_path: Path, text: str, value: int, source: str
) -> None:
    make_listing()
    path = tmp_path / "ratings.csv"
    path.write_text(text, encoding="utf-8")
    for _ in range(2):
        call_command("import_domain_ratings", path)
    body = api().get("/api/v1/listings/tidewell").json()

    assert (body["domain_rating"], body["domain_rating_detail"]["source"]) == (value, source)
    assert DomainRating.objects.count() == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The header must name"),
        ("domain,rating\na.example,1\n", "The header must name"),
        (f"{HEADER}\na.example,1\nb.example,101\n", "Line 3: a rating is from 0 to 100"),
        (f"{HEADER}\na.example,1\nb.example,-1\n", "Line 3: a rating is from 0 to 100"),
        (f"{HEADER}\na.example,1\nb.example,many\n", "Line 3"),
        (f"{HEADER}\na.example,1\nb.example,nan\n", "Line 3"),
        (f"{HEADER}\na.example,1\n,5\n", "Line 3: '' is not a domain"),
        (f"{HEADER}\na.example,1\n[b,5\n", "Line 3"),
        (f"{HEADER}\na.example,1\n{'b' * 250}.example,5\n", "Line 3"),
        (f"{HEADER}\na.example,1\nb\0c.example,5\n", "Line 3"),
        (f"{HEADER}\na.example,1\nb c.example,5\n", "Line 3: 'b c.example' is not a domain"),
        (f"{HEADER},date\na.example,1,\nb.example,1,20-11-2026\n", "Line 3: '20-11-2026' is not a date"),
        (f"{HEADER},date\na.example,1,\nb.example,1,20260102\n", "Line 3: '20260102' is not a date"),
        (f"{HEADER},date\na.example,1,\nb.example,1,2999-01-01\n", "Line 3: 1 January 2999 is still to come"),
    ],
)
def test_a_file_with_a_mistake_names_the_line_and_stores_nothing(
    site: Site, tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CommandError, match=said):
        call_command("import_domain_ratings", path)

    assert not DomainRating.objects.exists()
