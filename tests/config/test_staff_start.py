"""The start page: numbers that lead to their rows, parts by role, a bounded number of statements."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import StaffAct
from accounts.staff import audit
from config.staff import queues, start
from core.models import Job
from directory.models import Category, Site
from directory.weeks import WEEK, week_of
from drafts.models import Draft
from tests.conftest import signed_in
from tests.factories.listings import make_listing
from tests.factories.staff import make_staff, staff_client

PARTS = ("launches", "health", "money", "done")


def dead_jobs(number: int) -> None:
    now = timezone.now()
    Job.objects.bulk_create(
        Job(
            kind="core.send_mail",
            key=f"dead-{number}-{index}",
            queue="mail",
            state="dead",
            run_after=now,
            created_at=now,
            finished_at=now - timedelta(hours=2),
        )
        for index in range(number)
    )


def start_of(client: Client) -> Any:
    queues.forget()
    return client.get("/admin/")


@pytest.mark.parametrize(
    ("role", "waits", "parts"),
    [
        ("", [], [False, False, False, False]),
        ("editor", ["Edits", "Free", "Drafts"], [True, False, False, True]),
        (
            "finance",
            ["Orders", "Paid", "Disputed", "Paid", "Refund", "Invoices", "Mails", "Dead"],
            [False, True, True, True],
        ),
        ("administrator", None, [True, True, True, True]),
    ],
)
def test_each_role_sees_its_rows_and_parts(
    site: Site, role: str, waits: list[str] | None, parts: list[bool]
) -> None:
    answer = start_of(staff_client(role))
    page = answer.content.decode()

    shown = [row["name"].split()[0] for row in answer.context["waits"]]
    assert shown == waits if waits is not None else len(shown) == len(queues.QUEUES)
    assert [f'id="{part}"' in page for part in PARTS] == parts


def test_each_number_leads_to_exactly_its_rows(site: Site) -> None:
    now = timezone.now()
    soon = make_listing("soon", status="awaiting_badge", at=now)
    make_listing("later", status="awaiting_badge", at=now + 4 * WEEK)
    type(soon).objects.filter(pk=soon.pk).update(launch_week=week_of(now) + WEEK)
    dead_jobs(120)
    failed = {"status": "failed", "created_at": now, "updated_at": now}
    Draft.objects.create(owner=make_staff("editor"), site=site, url="https://x.example", **failed)
    boss = staff_client("administrator")

    rows = {row["name"]: row for row in start_of(boss).context["waits"]}

    assert rows["Dead jobs"]["waiting"].number_text == "99+"
    assert rows["Dead jobs"]["is_late"]
    for name, number in (
        ("Free launch about to miss its week", 1),
        ("Draft that failed", 1),
        ("Edits to review", 0),
    ):
        assert rows[name]["waiting"].number == number
        listed = boss.get(rows[name]["url"])
        listed_rows = listed.context["cl"].result_list if "cl" in listed.context else listed.context["rows"]
        assert len(listed_rows) == number


def test_the_statements_stay_the_same_at_any_size(site: Site) -> None:
    boss = staff_client("administrator")
    counted = []
    start_of(boss)  # what a process asks once
    for number in (1, 40):
        for index in range(number):
            make_listing(f"in-{number}-{index}", at=timezone.now())
            by = audit.Actor(user_id=make_staff("editor").pk, role="editor")
            audit.record(by, "edits.decide", "accepted", at=timezone.now(), on=Category(name="x"))
        dead_jobs(number)
        queues.forget()
        with CaptureQueriesContext(connection) as statements:
            assert boss.get("/admin/").status_code == 200
        counted.append([one["sql"] for one in statements if "SAVEPOINT" not in one["sql"]])

    assert len(counted[0]) == len(counted[1]) <= 14, "\n".join(counted[1])


def test_a_part_that_cannot_be_read_leaves_the_others(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_options: Any) -> Any:
        raise DatabaseError("too slow")

    monkeypatch.setattr(start, "last_thirty_days", broken)

    page = start_of(staff_client("administrator")).content.decode()

    assert page.count("Not known: it could not be read just now.") == 1
    assert "What staff did today" in page


def test_an_act_of_today_is_taken_back_from_here(site: Site) -> None:
    boss = make_staff("administrator")
    by, now = audit.Actor(user_id=boss.pk, role="administrator"), timezone.now()
    lines = [
        audit.record(by, "listings.move", said, at=now, undo="/admin/undo/")
        for said in ("moved it", "moved that")
    ]
    audit.record(by, "listings.move", "moved back", at=now, undoes_id=lines[0].pk)
    client = signed_in(boss)

    page = start_of(client).content.decode()

    assert page.count("Undo</button>") == 1
    assert f'name="undoes" value="{lines[1].pk}"' in " ".join(page.split())
    assert page.count("taken back") == 1
    assert StaffAct.objects.count() == 3
