"""What staff do for a person, in a real browser and in few clicks: mails, jobs, orders, seeing as them, erasing."""

from typing import Any

from django.utils import timezone
from playwright.sync_api import Page

from accounts.models import User
from core import mail
from core.models import Job, Mail
from directory.sites.catalogue import ensure_default_site
from orders.models import Order
from tests.browser.test_staff_desk import look, window_of
from tests.factories.orders import make_order


def what_waits(person: User) -> Order:
    """An order of theirs, a mail that came back, and a job that died."""
    now = timezone.now()
    envelope = mail.Envelope(person_id=person.pk)
    mail.queue(to=person.email, subject="You are live", text="T", html="", key="live", envelope=envelope)
    Job.objects.update(state="done", finished_at=now)
    Mail.objects.update(state="bounced", settled_at=now, answer="550 No such user", tries=1)
    dead = {"state": "dead", "created_at": now, "run_after": now, "finished_at": now, "last_error": "Away"}
    Job.objects.create(kind="directory.check_badge", key="1-1", queue="crawl", **dead)
    return make_order(ensure_default_site(), owner=person)


def work_what_waits(page: Page) -> None:
    """Each in two clicks from the start page."""
    page.get_by_role("link", name="Mail that bounced").click()
    look(page, "mail")
    page.get_by_role("button", name="Send again").click()
    page.get_by_text("is on its way to").wait_for()
    look(page, "said")
    page.goto("/admin/")
    page.get_by_role("link", name="Dead job").click()
    page.get_by_role("button", name="Run again").click()
    page.get_by_text("1 job run again.").wait_for()


def test_mails_jobs_and_people_are_looked_after(transactional_db: None, visit: Any, ines: User) -> None:
    order = what_waits(ines)
    window = window_of(visit, "administrator")
    page = window.page

    window.go("/admin/")
    work_what_waits(page)
    page.keyboard.press("Control+k")
    page.keyboard.type(ines.email)
    page.keyboard.press("Enter")
    page.get_by_role("link", name=order.number).wait_for()
    page.get_by_label("New note").fill("Rang on Monday.")
    page.get_by_role("button", name="Add note").click()
    page.get_by_text("Note saved.").wait_for()
    page.reload()
    look(page, "person")

    page.get_by_role("button", name="See the site as they do").click()
    page.get_by_text("You see the site as").wait_for()
    look(page, "seen-as")
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("link", name="Erase…").click()
    page.get_by_label("Their e-mail address").fill(ines.email)
    page.get_by_role("button", name="Erase").click()
    page.get_by_text("It is being erased.").wait_for()
    assert Job.objects.filter(kind="config.erase_person").count() == 1

    for name, address in (("staff", "/admin/staff/"), ("staff-add", "/admin/staff/add/")):
        window.go(address)
        look(page, name)
    assert window.foreign == []
