"""The mail log for staff: found by address, sent again in two clicks from the start page, closed; not for editors."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct, User
from config import metrics
from config.staff import queues
from core import jobs, mail
from core.models import Job, Mail
from directory.launches import launch_mail
from directory.models import Site
from tests.conftest import People
from tests.factories.listings import make_listing
from tests.factories.staff import staff_client

LIST = "/admin/core/mail/"


def bounce(user: User, *, key: str = "one", **options: object) -> Mail:
    """A mail to the person that came back."""
    envelope = mail.Envelope(person_id=user.pk, **options)  # type: ignore[arg-type]
    mail.queue(to=user.email, subject=f"Hello {key}", text="Secret text", html="", key=key, envelope=envelope)
    Job.objects.update(state="done", finished_at=timezone.now())
    Mail.objects.update(state="bounced", settled_at=timezone.now(), answer="550 No such user")
    queues.forget()
    return Mail.objects.get(key=key)


def read(client: Client, url: str) -> str:
    return client.get(url).content.decode()


def test_a_mail_that_bounced_is_sent_again_from_the_start_page(site: Site, people: People) -> None:
    line = bounce(people.owner)
    finance = staff_client("finance")

    (row,) = [row for row in finance.get("/admin/").context["waits"] if row["name"] == "Mail that bounced"]
    listed = read(finance, row["url"])
    assert "550 No such user" in listed
    assert "Secret text" not in listed
    assert f'formaction="{LIST}{line.pk}/again/"' in listed
    sent = finance.post(f"{LIST}{line.pk}/again/", follow=True)

    assert "is on its way to" in sent.content.decode()
    assert Mail.objects.get().state == "queued"
    jobs.run_due()
    assert Mail.objects.get().state == "sent"
    said = StaffAct.objects.get()
    assert (said.act, said.label) == ("mail.resend", f"mail {line.pk}")


def test_a_mail_whose_worker_dies_at_each_try_has_failed_and_goes_out_when_it_is_tried_again(
    site: Site, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "_cached", [])
    mail.queue(to="a@b.example", subject="Hello", text="T", html="", key="one")
    for _ in range(mail.ATTEMPTS):
        assert jobs.claim(job_id=Job.objects.get().pk) is not None
        Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    jobs.reap(queues=["mail"])

    line = Mail.objects.get()
    assert (line.state, line.tries, line.settled_at is None) == ("failed", mail.ATTEMPTS, False)
    listed = read(staff_client("finance"), f"{LIST}?state__exact=failed")
    assert "The worker died each time it tried." in listed
    assert "mails_failed 1.0" in Client().get("/metrics").content.decode()

    call_command("jobs", "retry", "--kind", mail.KIND, stdout=StringIO())
    jobs.run_due()
    line.refresh_from_db()
    assert (line.state, line.answer) == ("sent", "")


def test_a_mail_that_is_buried_has_failed(site: Site, people: People) -> None:
    mail.queue(to="a@b.example", subject="Hello", text="T", html="", key="one")

    call_command("jobs", "bury", "--kind", mail.KIND, stdout=StringIO())

    assert (Mail.objects.get().state, Mail.objects.get().answer) == ("failed", "Buried by staff.")


def test_a_person_s_page_shows_their_mails_and_what_works_once_says_so(site: Site, people: People) -> None:
    page = f"/admin/accounts/user/{people.owner.pk}/change/"
    bounce(people.owner)
    once = bounce(people.owner, key="two", is_repeatable=False, template="account/email/login_code")
    moderator = staff_client("moderator")

    shown = read(moderator, page)
    assert ("Hello one" in shown, "Hello two" in shown, "Login code" in shown) == (True, False, True)
    assert shown.count("Send again<") == 1
    refused = moderator.post(f"{LIST}{once.pk}/again/", {"next": page}, follow=True)
    assert "They can ask for a new one. Nothing was sent." in refused.content.decode()
    assert refused.redirect_chain[-1][0] == page
    editor = staff_client("editor")
    assert "Mails we sent" not in read(editor, page)
    assert editor.get(LIST).status_code == 404
    assert editor.post(f"{LIST}{once.pk}/again/").status_code == 403


def test_the_log_is_searched_by_address_and_bounces_are_closed(site: Site, people: People) -> None:
    line = bounce(people.owner)
    boss = staff_client("administrator")
    found = boss.get(f"{LIST}?q={people.owner.email[:6].upper()}").context["cl"].result_list
    assert [row.pk for row in found] == [line.pk]
    assert not boss.get(f"{LIST}?q=nobody").context["cl"].result_list

    chosen = {"action": "close", "index": "0", "_selected_action": line.pk}
    assert "1 mail closed." in boss.post(LIST, chosen, follow=True).content.decode()
    assert not mail.bounced().exists()


def test_a_listing_s_timeline_shows_mails_about_it(site: Site, people: People) -> None:
    listing = make_listing("brindle", owner=people.owner)
    launch_mail.write_live(listing)

    shown = read(staff_client("moderator"), f"/admin/directory/listing/{listing.pk}/change/?kind=mail")

    assert f"{listing.name} is live" in shown
    assert ": waiting" in shown
