"""What staff do to several rows at once: the audit log has a line for each row that changed, and for no other."""

import pytest
from django.test import Client

from accounts.models import StaffAct
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

    assert "0 edits put back" in told
    assert ListingRevision.objects.get(pk=first.pk).review == "accepted"
    assert lines() == [accepted]


def test_votes_that_stay_as_they_are_have_no_line(moderator: Client, people: People) -> None:
    votes = {}
    for slug, user in (("one", people.stranger), ("two", people.owner)):
        listing = make_listing(slug, name=slug)
        voting.cast_vote(user=user, listing_id=listing.pk, at=AT)
        votes[slug] = Vote.objects.get(listing=listing).pk
    act(moderator, VOTES, "void", votes["one"])

    assert "1 votes voided" in act(moderator, VOTES, "void", *votes.values())
    assert "0 votes released" in act(moderator, VOTES, "release", *votes.values())
    assert lines() == [("voided votes for", "one"), ("voided votes for", "two")]
