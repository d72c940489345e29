"""People are banned from their page and from lists: what follows is said before, and it can be undone."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import services
from accounts.models import StaffAct, User
from accounts.services import create_user
from config.staff import queues
from core import jobs
from core.api.scopes import Scope
from directory.listings.editing import update_my_listing
from directory.models import Listing, Report, Site, Vote
from directory.weeks import week_of
from tests.conftest import People
from tests.directory.test_staff_listings import words
from tests.factories.listings import make_listing
from tests.factories.staff import fresh, make_staff, staff_client

WHY = {"kind": "spam", "text": "Bought votes."}


@pytest.fixture
def moderator(site: Site) -> Client:
    return fresh(staff_client("moderator"))


def page(*people: User) -> str:
    return f"/admin/accounts/user/ban/?people={','.join(str(person.pk) for person in people)}"


def test_a_person_without_a_listing_is_banned_from_their_page_and_let_in_again(
    moderator: Client, people: People, client: Client, mailoutbox: list[Any], settings: Any
) -> None:
    settings.MAIL_REPLY_TO = "desk@launch.example"
    voter, listing = people.stranger, make_listing(owner=people.owner)
    Vote.objects.create(listing=listing, user=voter, week=week_of(timezone.now()), created_at=timezone.now())
    services.create_api_key(user=voter, name="Bot", scopes=list(Scope), at=timezone.now())
    client.force_login(voter)
    shown = moderator.get(f"/admin/accounts/user/{voter.pk}/change/").content.decode()
    assert f'href="{page(voter)}"' in shown

    asked = words(moderator.get(page(voter)))
    for says in (
        "Ban stranger?",
        "Listings: 0 answer “removed” at once",
        "Votes: 1 stay counted.",
        "Keys and apps: 1 and 0 are refused from now on. All sign-ins end now.",
    ):
        assert says in asked
    empty = moderator.post(page(voter), {"kind": "other", "text": " "})
    assert "Say why" in empty.content.decode()
    voter.refresh_from_db()
    assert voter.suspended_at is None
    moderator.post(page(voter), WHY)
    jobs.run_due()

    voter.refresh_from_db()
    assert voter.is_suspended
    assert client.get("/account").status_code == 302
    line = StaffAct.objects.get()
    assert (line.act, line.said, line.label) == ("people.ban", "banned", f"person {voter.pk}")
    (mail,) = mailoutbox
    assert (mail.to, "Bought votes." in mail.body) == ([voter.email], True)
    assert "somebody will look again, free of charge" in " ".join(mail.body.split())
    banned = moderator.get(f"/admin/accounts/user/{voter.pk}/change/").content.decode()
    assert ("Lift the ban" in banned, "See the site as they do" in banned) == (True, False)
    lifted = moderator.post(line.undo)  # as the page of the person has it
    assert StaffAct.objects.get(undoes=line).said == "took back the ban of"
    assert lifted["Location"] == f"/admin/accounts/user/{voter.pk}/change/"
    voter.refresh_from_db()
    assert voter.suspended_at is None


def test_several_are_banned_at_once_from_lists_and_staff_are_not(
    moderator: Client, people: People, site: Site
) -> None:
    colleague, listing = make_staff("editor"), make_listing(owner=people.owner)
    voters = [create_user(email=f"voter{number}@burst.example") for number in range(3)]
    now = timezone.now()
    rows = [
        Vote.objects.create(listing=listing, user=user, week=week_of(now), created_at=now) for user in voters
    ]
    chosen = {"action": "ban_voters", "_selected_action": [str(row.pk) for row in rows]}
    assert moderator.post("/admin/directory/vote/", chosen)["Location"].endswith(page(*voters))
    chosen = {"action": "ban", "_selected_action": [str(user.pk) for user in (*voters, colleague)]}
    asked = moderator.post("/admin/accounts/user/", chosen)["Location"]
    assert "Ban 4 accounts?" in words(moderator.get(asked))

    told = words(moderator.post(asked, WHY, follow=True))

    assert "3 accounts are banned." in told
    assert "Not banned: editor@staff.example. Staff are not banned." in told
    assert User.objects.filter(suspended_at=None, email__endswith="burst.example").count() == 0
    colleague.refresh_from_db()
    assert colleague.suspended_at is None
    for role in ("editor", "finance"):
        other = fresh(staff_client(role, name=f"other-{role}"))
        assert other.get(page(*voters)).status_code == 404
        assert other.post(page(*voters), WHY).status_code == 403


def test_nobody_is_offered_to_delete_people(site: Site, people: People) -> None:
    boss = staff_client("administrator")
    shown = boss.get("/admin/accounts/user/").content.decode()
    assert ("delete_selected" in shown, 'value="ban"' in shown) == (False, True)

    boss.post("/admin/accounts/user/", {"action": "delete_selected", "_selected_action": [people.owner.pk]})

    assert User.objects.filter(pk=people.owner.pk).exists()


def test_a_ban_closes_the_reports_and_takes_the_edits_out_of_the_queue_until_it_is_undone(
    moderator: Client, people: People
) -> None:
    rows = [make_listing(f"spam-{number}", owner=people.owner) for number in range(2)]
    for listing in rows:
        Report.objects.create(listing=listing, reason="spam", created_at=timezone.now())
        update_my_listing(
            owner_id=people.owner.pk,
            listing_id=listing.pk,
            changes={"fields": {"city": "Ghent"}},
            at=timezone.now(),
        )
    queue = "/admin/directory/listingrevision/queue/"
    assert words(moderator.get(queue)).count("City") >= 2
    queues.forget()
    assert (queues.counts()["edits"].number, queues.counts()["reports"].number) == (2, 2)

    moderator.post(page(people.owner), WHY)

    assert "All edits are reviewed" in words(moderator.get(queue))
    queues.forget()
    assert (queues.counts()["edits"].number, queues.counts()["reports"].number) == (0, 0)
    answer = "We took it off the site. It is spam, or doesn’t belong here. Bought votes."
    assert set(Report.objects.values_list("status", "resolution")) == {("closed", answer)}
    line = StaffAct.objects.get()
    moderator.post(line.undo, {"undoes": line.pk})
    queues.forget()
    assert queues.counts()["edits"].number == 2


def test_a_reason_that_was_forgotten_is_one_error(moderator: Client, people: People) -> None:
    rows = [make_listing(f"junk-{number}") for number in range(5)]
    chosen = {"action": "suspend", "reason": " ", "_selected_action": [str(row.pk) for row in rows]}

    told = moderator.post("/admin/directory/listing/", chosen, follow=True).content.decode()

    assert told.count("Give a reason") == 1
    assert "0 listings" not in told
    assert set(Listing.objects.values_list("status", flat=True)) == {"live"}
