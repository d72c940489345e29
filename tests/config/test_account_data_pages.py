"""The pages on which a person takes their data along or has it erased: who may, and what they say."""

from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.models import User
from tests.conftest import Api, People, signed_in


def test_staff_are_not_erased(people: People, site: Any) -> None:
    client = signed_in(people.staff)

    assert "Have its rights taken away first" in client.get("/account/data").content.decode()
    assert client.get("/account/data/erase").status_code == 400
    assert User.objects.get(pk=people.staff.pk).is_active


def test_it_takes_a_sign_in_that_is_fresh(people: People, site: Any, client: Client) -> None:
    client.force_login(people.owner)
    session = client.session
    session["account_authentication_methods"] = [
        {"method": "password", "at": (timezone.now() - timedelta(hours=2)).timestamp()}
    ]
    session.save()

    for path in ("export", "erase"):
        assert client.post(f"/account/data/{path}", {"email": people.owner.email}).status_code == 302
    assert User.objects.get(pk=people.owner.pk).is_active


def test_the_page_says_what_goes_and_what_stays(people: People, site: Any, client: Client, api: Api) -> None:
    assert client.get("/account/data").status_code == 302
    client.force_login(people.owner)

    page = client.get("/account/data/erase").content.decode()

    assert "Listings that were public stay without an owner." in page
    assert "as long as tax law asks" in page
    assert 'href="/account/data"' in client.get("/account").content.decode()
