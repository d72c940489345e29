"""Files that staff bring along: nothing is written before it was seen, and what a list gave out can come back."""

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import StaffAct
from directory.listings import importing
from directory.models import Category, Listing, ListingRevision
from leaderboards.models import DomainRating
from tests.conftest import People
from tests.directory.test_admin import form_of
from tests.factories.listings import make_category, make_listing
from tests.factories.staff import staff_client

CATEGORIES, LISTINGS = "/admin/directory/category/", "/admin/directory/listing/"
RATINGS = "/admin/leaderboards/domainrating/"
HIDDEN = re.compile(r'name="(again|seen)" value="([^"]*)"')


def text_of(answer: Any) -> str:
    """What staff read, without tags."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def check(client: Client, place: str, file: str | bytes) -> Any:
    """Send a file; the page that says what it would do."""
    body = file.encode() if isinstance(file, str) else file
    return client.post(f"{place}import/", {"file": SimpleUploadedFile("rows.csv", body)})


def take(client: Client, place: str, checked: Any) -> str:
    """Press the button of that page; what staff read then."""
    sent = dict(HIDDEN.findall(checked.content.decode()))
    return text_of(client.post(f"{place}import/", sent, follow=True))


def test_categories_come_in_once_their_lines_were_seen(site: Any) -> None:
    make_category("paper", name="Paper")
    editor = staff_client("editor")
    file = "slug,name,parent,position\nprint,Print,office,2\noffice,Office,,1\npaper,Paper goods,office,\n"

    checked = check(editor, CATEGORIES, file)
    said = text_of(checked)

    assert "2 new, 1 changed, 0 unchanged, 0 refused" in said
    assert "name: Paper Paper goods" in said
    assert (Category.objects.count(), StaffAct.objects.count()) == (1, 0)
    assert "Imported categories: 2 new, 1 changed." in take(editor, CATEGORIES, checked)
    rows = {row.slug: row for row in Category.objects.select_related("parent")}
    assert {slug: row.parent.slug if row.parent else "" for slug, row in rows.items()} == {
        "office": "",
        "paper": "office",
        "print": "office",
    }
    assert (rows["paper"].name, rows["print"].position) == ("Paper goods", 2)
    assert StaffAct.objects.get().after == {"new": 2, "changed": 1}
    exported = b"".join(editor.get(f"{CATEGORIES}export/").streaming_content)
    again = check(editor, CATEGORIES, exported)
    assert "0 new, 0 changed, 3 unchanged, 0 refused" in text_of(again)


def test_control_characters_come_in_by_no_file_and_no_form(site: Any, people: People) -> None:
    """Of what is public: a calendar with one of them is none."""
    boss, office = staff_client("administrator"), make_category("office", name="Office")
    listing = make_listing("brindle", owner=people.owner)
    row = {
        "name": "Off\x07ice",
        "slug": "office",
        "position": "0",
        "terms": "",
        "attributes": "[]",
        "faqs": "[]",
    }

    faqs = {"terms": "", "faqs-0-question": "Why\x07?", "faqs-0-answer": "So."}
    rows = (row, row | {"name": "Office", "terms": "pa\x07per"}, row | {"name": "Office"} | faqs)
    forms = [boss.post(f"{CATEGORIES}{office.pk}/change/", row) for row in rows]
    for tab, bad in ("", {"tagline": "tag\x01line"}), ("facts", {"features": "Fast\x08"}):
        place = f"{LISTINGS}{listing.pk}/change/?tab={tab}"
        forms.append(boss.post(place, form_of(boss.get(place)) | bad))
    files = [
        check(boss, CATEGORIES, "slug,name,description\noffice,Office,d\x08d\n"),
        check(boss, CATEGORIES, "slug,name\noffice,\u202eeciffO\n"),
        check(boss, LISTINGS, "slug,name\nbrindle,Brin\x07dle\n"),
        check(boss, LISTINGS, "slug,tagline\nbrindle,tag\x01line\n"),
    ]

    assert ["The text has control characters" in text_of(form) for form in forms] == 5 * [True]
    for name, page in zip(("description", "name", "name", "tagline"), files, strict=True):
        assert re.search(rf"{name}: The (text|name) has (control|invisible) characters", text_of(page)), (
            text_of(page)
        )
        assert "again" not in dict(HIDDEN.findall(page.content.decode()))
    office.refresh_from_db()
    assert (office.name, office.terms, office.faqs) == ("Office", [], [])
    assert Listing.objects.get().tagline == listing.tagline


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("name\nPrint\n", "The first row has to name these columns too: slug."),
        ("slug,name\nPrint it,Print\n", "Row What Name Before and after 2 refused"),
        ("slug,name\nprint,\n", "A new category needs a name."),
        ("slug,name,position\nprint,Print,many\n", "position:"),
        ("slug,name,parent\nprint,Print,nowhere\n", "none is called nowhere"),
        ("slug,parent\npaper,a4\na4,paper\n", "It would be under itself."),
        ("slug,name\nprint,Print\nprint,Print\n", "3 refused print slug: row 2 has print already."),
        (
            'slug,name,description\nprint,Print,"two\n\nlines"\n\nprint,P,\n',
            "4 refused print slug: row 2 has",
        ),
        ("slug,name\n,Print\n", "2 refused slug: it is empty."),
        (f"slug,name\nprint,{'P' * 200_000}\n", "2 refused print name: Ensure this value has at most 120"),
        (f"slug,name\n{'p' * 200_000},Print\n", "slug: Ensure this value has at most"),
        ("slug;name\nprint;Print\n", "Row 1: its cells are separated by semicolons, not by commas."),
        ("slug\tname\nprint\tPrint\n", "Row 1: its cells are separated by tabs, not by commas."),
        ('slug,name\nprint,"Print\na4,A4\n', "Row 2: a cell that begins with a quote has to end with one"),
        ("slug,name\nprint,Print,more\n", "Row 2 has more cells than the first row."),
        (b"slug,name\nprint,\xff\n", "The file is not UTF-8."),
        ("slug,name\npaper,Paper\nprint,Pri\0nt\n", "Row 3, name: it holds a NUL"),
        ("slug,Name,name\nprint,Print,Paint\n", "The first row names these columns twice: name."),
    ],
)
def test_a_file_with_a_mistake_names_the_line_and_changes_nothing(
    site: Any, file: str | bytes, said: str
) -> None:
    paper = make_category("paper", name="Paper")
    make_category("a4", name="A4", parent=paper)
    editor = staff_client("editor")

    checked = check(editor, CATEGORIES, file)

    assert said in text_of(checked)
    take(editor, CATEGORIES, checked)
    assert sorted(Category.objects.values_list("slug", flat=True)) == ["a4", "paper"]
    assert not StaffAct.objects.exists()


def test_what_changed_meanwhile_is_shown_again(site: Any) -> None:
    paper = make_category("paper", name="Paper")
    editor = staff_client("editor")
    checked = check(editor, CATEGORIES, "slug,name\npaper,Paper goods\n")
    Category.objects.filter(pk=paper.pk).update(name="All of paper")

    assert "Something was changed meanwhile" in take(editor, CATEGORIES, checked)
    paper.refresh_from_db()
    assert paper.name == "All of paper"


def test_categories_change_places_in_as_many_statements_as_are_needed(site: Any) -> None:
    top = make_category("top", name="Same")
    make_category("below", name="Same", parent=top)
    make_category("lowest", name="'=Lowest", parent=top)
    editor = staff_client("editor")
    exported = b"".join(editor.get(f"{CATEGORIES}export/").streaming_content)
    assert "3 unchanged, 0 refused" in text_of(check(editor, CATEGORIES, exported))

    checked = check(editor, CATEGORIES, "slug,parent\ntop,below\nbelow,\n")
    assert "0 new, 2 changed" in take(editor, CATEGORIES, checked)
    assert dict(Category.objects.values_list("slug", "parent__slug")) == {
        "below": None,
        "top": "below",
        "lowest": "top",
    }

    statements = []
    for number in (10, 100):
        rows = [f"new-{number}-{row},New,below" for row in range(number)]
        checked = check(editor, CATEGORIES, "\n".join(["slug,name,parent", *rows]))
        with CaptureQueriesContext(connection) as seen:
            assert f"{number} new, 0 changed" in take(editor, CATEGORIES, checked)
        statements.append(len(seen))
    assert statements[0] == statements[1]


def test_what_was_made_meanwhile_refuses_the_file(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    boss, make = staff_client("administrator"), importing.make_listings
    checked = check(boss, LISTINGS, "slug,name,url\nbrindle,Brindle,https://brindle.example/\n")

    def too_late(**values: Any) -> None:
        make(**values)
        make(**values)

    monkeypatch.setattr(importing, "make_listings", too_late)

    assert "Some of it was made meanwhile. Send the file once more. Nothing was changed." in take(
        boss, LISTINGS, checked
    )
    assert not Listing.objects.exists()
    assert not StaffAct.objects.exists()


def test_listings_are_edited_as_versions_and_made_as_drafts(site: Any, people: People) -> None:
    listing = make_listing(owner=people.owner, name="=Tidewell", city="Ghent")
    boss = staff_client("administrator")
    assert staff_client("editor").get(f"{LISTINGS}import/").status_code == 404
    exported = b"".join(boss.get(f"{LISTINGS}export/").streaming_content).decode("utf-8-sig")
    assert "0 new, 0 changed, 1 unchanged" in text_of(check(boss, LISTINGS, exported))

    file = exported.replace("Ghent", "Rome").rstrip() + "\r\n"
    new = "slug,name,url,owner,city\ntidewell,,,,Rome\nbrindle,Brindle,https://brindle.example/,{},Oslo\n"
    checked = check(boss, LISTINGS, new.format(people.owner.email.upper()))
    assert "1 changed" in text_of(check(boss, LISTINGS, file))
    assert "Imported listings: 1 new, 1 changed." in take(boss, LISTINGS, checked)

    listing.refresh_from_db()
    made = Listing.objects.get(slug="brindle")
    assert (listing.city, listing.name) == ("Rome", "=Tidewell")
    assert ListingRevision.objects.get(listing=listing).review == "accepted"
    assert (made.status, made.owner, made.domain, made.city) == (
        "draft",
        people.owner,
        "brindle.example",
        "Oslo",
    )
    wrong = check(
        boss,
        LISTINGS,
        "slug,name,url,country\nx,X,javascript:alert(1),ZZ\ny,Y,https://y.example/,ZZ\n"
        "z,Z,ftp://z.example/,\ny,Y,https://y.example/,\n",
    )
    assert "4 refused" in text_of(wrong)
    assert "5 refused y slug: row 3 has y already." in text_of(wrong)


def test_many_listings_cost_no_more_statements_than_few_but_one_each(site: Any, people: People) -> None:
    boss, statements = staff_client("administrator"), {}
    for number, city in ((5, "Ghent"), (5, "Rome"), (50, "Ghent"), (50, "Rome")):
        lines = [f"n{number}-{row},Name,https://n{row}.example/,Text,{city}" for row in range(number)]
        checked = check(boss, LISTINGS, "\n".join(["slug,name,url,tagline,city", *lines]))
        with CaptureQueriesContext(connection) as seen:
            assert f"{number} {'new' if city == 'Ghent' else 'changed'}" in take(boss, LISTINGS, checked)
        statements[number, city] = len(seen)
        Listing.objects.update(status="live", launched_at=timezone.now())

    assert statements[50, "Ghent"] == statements[5, "Ghent"]
    assert statements[50, "Rome"] - statements[5, "Rome"] <= 45
    assert ListingRevision.objects.filter(changed=["city"], by__isnull=False, review="accepted").count() == 55


def test_a_row_that_takes_away_what_a_listing_must_have_is_refused_before_it_is_written(
    site: Any, people: People
) -> None:
    make_listing(owner=people.owner)
    boss = staff_client("administrator")

    checked = check(boss, LISTINGS, "slug,tagline,city\ntidewell,,Rome\n")

    assert "1 refused" in text_of(checked)
    assert "A listing needs a name, a tagline or a short description" in text_of(checked)
    take(boss, LISTINGS, checked)
    assert Listing.objects.get().tagline


def test_ratings_come_in_with_their_day_and_source(site: Any) -> None:
    listing = make_listing()
    boss = staff_client("administrator")

    checked = check(boss, RATINGS, "domain,value,date,source\ntidewell.example,55,2026-01-02,open graph\n")
    assert "1 new" in text_of(checked)
    assert not DomainRating.objects.exists()
    assert "1 new, 0 changed" in take(boss, RATINGS, checked)

    listing.refresh_from_db()
    assert listing.domain_rating == 55
    twice = "domain,value\na.example,5\nb.example,6\na.example,7\n"
    assert "4 refused a.example domain: row 2 has a.example of this source and day already." in text_of(
        check(boss, RATINGS, twice)
    )
    exported = b"".join(boss.get(f"{RATINGS}export/").streaming_content)
    assert "0 new, 0 changed, 1 unchanged" in text_of(check(boss, RATINGS, exported))
    assert "Row 2: a rating is from 0 to 100" in text_of(
        check(boss, RATINGS, "domain,value\na.example,101\n")
    )
