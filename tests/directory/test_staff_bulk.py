"""What staff do to several rows at once: the audit log has a line for each row that changed, and for no other."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import StaffAct
from core import jobs
from directory.engagement import voting
from directory.models import Listing, ListingRevision, Site, Vote
from tests.conftest import People
from tests.directory.test_staff_edits import edit
from tests.factories.listings import AT, make_listing
from tests.factories.staff import staff_client

EDITS, VOTES = "/admin/directory/listingrevision/", "/admin/directory/vote/"


@pytest.fixture
def moderator(site: Site) -> Client:
    return staff_client("moderator", name="mo")


def act(client: Client, address: str, action: str, *ids: int) -> str:
    chosen = {"action": action, "reason": "Spam.", "_selected_action": ids}
    return client.post(address, chosen, follow=True).content.decode()


def lines() -> list[tuple[str, str]]:
    return sorted(StaffAct.objects.values_list("said", "label"))


@pytest.mark.parametrize(
    ("action", "says"), [("accept", "accepted an edit of"), ("put_back", "put back an edit of")]
)
def test_edits_decided_among_those_that_wait_each_have_their_line(
    moderator: Client, people: People, action: str, says: str
) -> None:
    rows = [
        edit(make_listing(slug, name=slug, owner=people.owner), fields={"city": "Ghent"}) for slug in "abc"
    ]

    act(moderator, f"{EDITS}?review__exact=pending", action, rows[0].pk, rows[1].pk)

    assert lines() == [(says, "a"), (says, "b")]


def test_an_edit_that_stays_has_no_line_that_it_was_put_back(moderator: Client, people: People) -> None:
    first = edit(make_listing(owner=people.owner), fields={"city": "Ghent"})
    edit(Listing.objects.get(), fields={"city": "Bruges"})
    act(moderator, EDITS, "accept", first.pk)
    [accepted] = lines()

    told = act(moderator, f"{EDITS}?review__exact=accepted", "put_back", first.pk)

    assert "Nothing was changed. A colleague decided that, it was edited again" in told
    assert ListingRevision.objects.get(pk=first.pk).review == "accepted"
    assert lines() == [accepted]


def test_votes_that_stay_as_they_are_have_no_line(moderator: Client, people: People) -> None:
    votes = {}
    for slug, user in (("one", people.stranger), ("two", people.owner)):
        listing = make_listing(slug, name=slug)
        voting.cast_vote(user=user, listing_id=listing.pk, at=AT)
        votes[slug] = Vote.objects.get(listing=listing).pk
    act(moderator, VOTES, "void", votes["one"])

    told = act(moderator, VOTES, "void", *votes.values())
    assert "1 vote voided. 1 stays as it is. Those that are void stay so." in told
    told = act(moderator, VOTES, "release", *votes.values())
    assert "Nothing was changed. Only held votes are released." in told
    assert lines() == [("voided 1 vote for", "one"), ("voided 1 vote for", "two")]


def test_votes_are_voided_with_a_reason_that_the_owner_reads_and_can_come_back(
    moderator: Client, people: People, mailoutbox: list[Any]
) -> None:
    now = timezone.now()
    listing = make_listing(owner=people.owner, at=now)
    voting.cast_vote(user=people.stranger, listing_id=listing.pk, at=now)
    vote = Vote.objects.get()
    chosen = {"action": "void", "_selected_action": [vote.pk]}

    told = moderator.post(VOTES, chosen, follow=True).content.decode()
    assert "Give a reason; the owner reads it. Nothing was changed." in told
    assert (Vote.objects.get().voided_at, StaffAct.objects.count()) == (None, 0)

    act(moderator, VOTES, "void", vote.pk)
    jobs.run_due()
    line = StaffAct.objects.get()
    assert (Vote.objects.get().void_reason, line.reason) == ("Spam.", "Spam.")
    assert ["Spam." in mail.body for mail in mailoutbox] == [True]
    moderator.post(line.undo, {"undoes": line.pk})
    assert Vote.objects.get().voided_at is None
