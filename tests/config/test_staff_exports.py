"""Every list of the back office as a file: the rows that its filters leave, safe to open in a spreadsheet."""

import csv
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import StaffAct
from accounts.staff import files
from tests.factories.listings import make_listing
from tests.factories.staff import staff_client

LISTINGS = "/admin/directory/listing/"


def rows(answer: Any) -> list[list[str]]:
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    return list(csv.reader(text.splitlines()))


def test_a_list_is_taken_along_as_it_is_filtered(site: Any) -> None:
    make_listing("tidewell", name="=HYPERLINK(1)", status="live")
    make_listing("brindle", status="suspended")
    editor = staff_client("editor")

    assert f'href="{LISTINGS}export/?status__exact=live"' in editor.get(
        f"{LISTINGS}?status__exact=live"
    ).content.decode().replace("&amp;", "&")
    answer = editor.get(f"{LISTINGS}export/?status__exact=live")
    head, *found = rows(answer)

    assert answer["Content-Disposition"].startswith('attachment; filename="listing-')
    assert head[:2] == ["name", "status"]
    assert len(found) == 1
    assert "'=HYPERLINK(1)" in found[0]
    assert StaffAct.objects.get().act == "lists.export"


def test_whose_list_it_is_not_finds_no_file(site: Any) -> None:
    assert staff_client("editor").get("/admin/orders/order/export/").status_code == 404
    assert staff_client("").get(f"{LISTINGS}export/").status_code == 404
    assert not StaffAct.objects.exists()


def test_a_long_list_is_read_in_portions(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "AT_ONCE", 2)
    monkeypatch.setattr(files, "MOST_ROWS", 4)
    for number in range(5):
        make_listing(f"product-{number}")
    editor = staff_client("editor")
    answer = editor.get(f"{LISTINGS}export/")

    with CaptureQueriesContext(
        connection,
    ) as read:
        found = rows(answer)[1:]

    assert len(found) == 4
    assert len([one for one in read if 'FROM "directory_listing"' in one["sql"]]) == 2
