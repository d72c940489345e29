"""What strangers wrote into every field is opened on every page: nothing of it runs."""

from typing import Any

import pytest

from accounts.models import User
from tests.factories.staff import make_staff
from tests.pages.poison import MARK, poison
from tests.pages.staff import staff_addresses
from tests.pages.table import MAKER, PAGES


@pytest.mark.minutes
def test_no_stored_text_runs_as_a_script(stocked: dict[str, str], visit: Any, ines: User) -> None:
    poison()
    boss = make_staff("administrator")
    boss.is_superuser = True
    boss.save()
    anybody, somebody, staff = visit(), visit(), visit()
    somebody.sign_in(ines)
    staff.sign_in(boss)
    visits = [(somebody if page.reader == MAKER else anybody, page.at(stocked)) for page in PAGES]
    visits += [(staff, address) for address in staff_addresses()]
    ran = []
    for visitor, address in visits:
        visitor.go(address)
        if visitor.page.evaluate(f"'{MARK}' in window"):
            ran.append(address)

    assert ran == []
    assert len(visits) > 150
    seen = [text for visitor in (anybody, somebody, staff) for text in visitor.messages]
    harmless = ("the server responded with a status of 4", "verbose: ")  # hints for whoever makes the page
    assert [text for text in seen if not any(words in text for words in harmless)] == []
    assert anybody.foreign + somebody.foreign + staff.foreign == []
