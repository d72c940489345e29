"""Small promises of the back office: what a list hides, where a button leads back to, what a sentence says."""

import re
from pathlib import Path
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.contrib.sites.models import Site as HostName
from django.test import Client
from django.utils import timezone

from config.staff import queues
from core.models import Job, Mail
from directory.models import Site
from drafts.models import Draft
from tests.conftest import People
from tests.directory.test_staff_listings import words
from tests.factories.listings import make_category, make_listing
from tests.factories.staff import staff_client

JOBS = "/admin/core/job/"


def make_job(kind: str, state: str, key: str = "") -> Job:
    now = timezone.now()
    return Job.objects.create(
        kind=kind,
        key=key or kind,
        queue="default",
        state=state,
        run_after=now,
        created_at=now,
        finished_at=now,
        max_attempts=1,
    )


def make_mail(person: Any, state: str) -> Mail:
    now = timezone.now()
    return Mail.objects.create(
        user=person,
        address=person.email,
        subject="Hello",
        key=f"k-{state}",
        state=state,
        queued_at=now,
        settled_at=now,
        is_repeatable=True,
    )


def test_beats_that_succeeded_are_hidden_unless_asked_for(site: Site) -> None:
    boss = staff_client("administrator")
    make_job("directory.send_digests", "done", "beat-done")
    make_job("directory.send_digests", "dead", "beat-dead")
    make_job("core.send_mail", "done", "mail-done")

    shown = {query: words(boss.get(f"{JOBS}{query}")) for query in ("", "?beats=with")}

    keys = ("beat-done", "beat-dead", "mail-done")
    assert [key in shown[""] for key in keys] == [False, True, True]
    assert [key in shown["?beats=with"] for key in keys] == [True, True, True]


def test_a_button_in_a_list_leads_back_to_the_same_list(site: Site, people: People) -> None:
    boss, row = staff_client("administrator"), make_mail(people.owner, "bounced")
    tab = "/admin/core/mail/?state__exact=bounced"
    assert f'name="next" value="{tab}"' in boss.get(tab).content.decode()

    sent = boss.post(f"/admin/core/mail/{row.pk}/again/", {"next": tab})
    away = boss.post(
        f"{JOBS}{make_job('core.send_mail', 'dead').pk}/again/", {"next": "https://evil.example/"}
    )

    assert sent["Location"] == tab
    assert away["Location"] == f"{JOBS}?state__exact=dead"


def test_the_sentence_on_a_person_knows_of_mail_that_bounced(site: Site, people: People) -> None:
    boss = staff_client("administrator")
    page = f"/admin/accounts/user/{people.owner.pk}/change/"
    assert "Nothing is wrong with this account." in words(boss.get(page))

    make_mail(people.owner, "bounced")

    assert "Mail to them bounced: it does not arrive." in words(boss.get(page))
    assert "Nothing is wrong" not in words(boss.get(page))


def test_the_start_page_counts_anew(site: Site) -> None:
    boss = staff_client("administrator")
    assert queues.counts()["jobs"].number == 0
    make_job("core.send_mail", "dead")

    assert "1 Dead job" in words(boss.get("/admin/"))


def test_two_listings_of_one_name_are_told_apart_by_their_site(site: Site) -> None:
    other = Site.objects.create(
        key="other",
        name="Other site",
        django_site=HostName.objects.create(domain="other.example", name="Other"),
    )
    make_listing("one", name="Sundial")
    make_listing("two", name="Sundial", site=other)

    shown = words(staff_client("editor").get("/admin/find/?q=Sundial"))

    assert ("live, Other site" in shown, f"live, {site.name}" in shown) == (True, True)


def test_the_tree_of_categories_says_how_deep_a_row_stands(site: Site) -> None:
    root = make_category("office", name="Office")
    make_category("print", name="Print", parent=root)
    client: Client = staff_client("editor")

    shown = client.get("/admin/directory/category/tree/").content.decode()

    assert ('class="depth-0"' in shown, 'class="depth-1"' in shown) == (True, True)


def test_each_entry_of_the_menu_has_an_icon_that_is_drawn(site: Site) -> None:
    page = staff_client("administrator").get("/admin/").content.decode()
    named = set(re.findall(r"staff/icons[^#\"]*#([a-z0-9-]+)", page))
    drawn = set(re.findall(r'id="([a-z0-9-]+)"', Path("config/static/staff/icons.svg").read_text()))

    assert (len(named) > 10, named - drawn) == (True, set())


def test_what_no_row_can_have_is_not_there(site: Site) -> None:
    boss = staff_client("administrator", name="boss")
    kind = ContentType.objects.get_for_model(Draft).pk  # whose keys are UUIDs

    for address in (
        "find/?q=%00",
        "directory/listing/?status__exact=%00",
        "accounts/staffact/?key=a%00b",
        "directory/listing/export/?nothing=1",
        "directory/listing/export/?id__in=x",
        f"r/{kind}/1/",
    ):
        assert boss.get(f"/admin/{address}").status_code == 404, address
    assert boss.get("/admin/directory/listing/?nothing=1", follow=True).status_code == 200
