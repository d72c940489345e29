"""A person's page: what it shows to whom, keys revoked, data taken out, the account erased by a job that reports."""

import html
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import ApiKey, StaffAct, User
from core import jobs
from core.models import Job
from directory.models import Site
from tests.conftest import People
from tests.factories.listings import make_listing
from tests.factories.orders import make_order
from tests.factories.staff import fresh, staff_client


@pytest.fixture
def ines(site: Site, people: People) -> User:
    """She owns a listing, has a key, and bought something."""
    make_listing("brindle", owner=people.owner)
    make_order(site, owner=people.owner)
    services.create_api_key(user=people.owner, name="Her laptop", at=timezone.now())
    return people.owner


def read(client: Client, url: str, **sent: Any) -> str:
    """What staff read after a look, or after sending a form."""
    answer = client.post(url, sent, follow=True) if sent else client.get(url, follow=True)
    assert answer.status_code == 200, answer.status_code
    return html.unescape(answer.content.decode())


def page(person: User, about: str = "change") -> str:
    """An address of a person's."""
    return f"/admin/accounts/user/{person.pk}/{about}/"


def test_each_role_reads_its_part_in_eighteen_statements(
    ines: User, django_assert_max_num_queries: Any
) -> None:
    order = ines.orders.get()
    everybody = ("editor", "moderator", "finance", "administrator")
    clients = {role: staff_client(role) for role in everybody}
    read(clients["editor"], page(ines))
    with django_assert_max_num_queries(18):
        shown = {role: read(client, page(ines)) for role, client in list(clients.items())[3:]}
    shown |= {role: read(client, page(ines)) for role, client in list(clients.items())[:3]}

    assert [order.number in shown[role] for role in everybody] == [False, True, True, True]
    assert ["Her laptop" in shown[role] for role in everybody] == [True, True, False, True]
    assert ["Keys and apps" in shown[role] for role in everybody] == [True, True, False, True]
    assert ["Erase…" in shown[role] for role in everybody] == [False, False, False, True]
    assert all("Brindle" in text and ines.email in text for text in shown.values())
    assert f"/admin/accounts/user/{ines.pk}/change/" in read(
        clients["finance"], f"/admin/find/?q={ines.email}"
    )
    assert ines.email in read(clients["finance"], f"/admin/accounts/user/?q={ines.email[:4].upper()}")


def test_a_key_is_revoked_once_by_who_may(ines: User) -> None:
    key = ApiKey.objects.get(user=ines, name="Her laptop")
    url = page(ines, f"keys/{key.pk}/revoke")

    assert staff_client("editor").post(url).status_code == 403
    moderator = staff_client("moderator")
    assert "can't be undone" in read(moderator, url).replace("’", "'")
    assert "Revoked." in read(moderator, url, x="")
    key.refresh_from_db()
    assert key.revoked_at is not None
    assert "Nothing was changed" in read(moderator, page(ines, "apps/0/revoke"), x="")
    assert list(StaffAct.objects.values_list("act", "label")) == [("keys.revoke", f"person {ines.pk}")]


def test_data_are_taken_out_and_the_account_erased_by_an_administrator(ines: User) -> None:
    administrator, email = fresh(staff_client("administrator")), ines.email
    taken = administrator.post(page(ines, "export"))
    assert taken.json()["account"]["account"]["email"] == email
    assert staff_client("moderator").post(page(ines, "export")).status_code == 403
    assert fresh(staff_client("finance")).post(page(ines, "erase"), {"email": email}).status_code == 403

    url = page(ines, "erase")
    assert "live ones stay without an owner" in read(administrator, url)
    assert "not the address" in read(administrator, url, email="other@people.example")
    assert not Job.objects.filter(kind="config.erase_person").exists()
    assert "Being erased" in read(administrator, url, email=email.upper())
    assert StaffAct.objects.latest("pk").said == "requested the erasure of"
    jobs.run_due()
    assert "Erased" in read(administrator, page(ines))
    ines.refresh_from_db()
    assert (ines.is_active, ines.email) == (False, f"erased-{ines.pk}@erased.invalid")
    assert list(StaffAct.objects.order_by("pk").values_list("act", "said"))[1:] == [
        ("people.erase", "requested the erasure of"),
        ("people.erase", "erased"),
    ]


def test_staff_are_not_erased_from_here(people: People, site: Site) -> None:
    administrator = fresh(staff_client("administrator"))

    assert "rights taken away first" in read(
        administrator, page(people.staff, "erase"), email=people.staff.email
    )
    assert not Job.objects.filter(kind="config.erase_person").exists()
