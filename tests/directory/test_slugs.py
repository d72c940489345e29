"""The addresses that new listings and founders get: as the interface writes them, and never another's former one."""

import re

import pytest

from directory import limits
from directory.listings.contents import name_founders
from directory.listings.from_draft import free_slug
from directory.models import Founder, Site
from directory.moderation.staff_rights import rename
from tests.conftest import Api, People
from tests.factories.listings import AT, make_listing


@pytest.mark.parametrize("name", ["snake_case", "_private", "__", "A_B c", "漢字", "-_-", "x" * 500])
def test_every_name_makes_an_address_that_programs_can_ask_for(site: Site, api: Api, name: str) -> None:
    slug = free_slug(site=site, name=name, host="snake_case.example")
    listing = make_listing(slug)
    name_founders(listing, [{"name": name[:160]}], at=AT)

    founder = Founder.objects.get()
    assert re.match(limits.SLUG_PATTERN, slug)
    assert [
        api().get(f"/api/v1/{path}").status_code for path in (f"listings/{slug}", f"founders/{founder.slug}")
    ] == [200, 200]


def test_no_new_listing_gets_an_address_that_leads_to_another(site: Site, people: People) -> None:
    listing = make_listing("tool")
    rename(
        listing_id=listing.pk,
        slug="tool-pro",
        url=listing.url,
        staff_id=people.staff.pk,
        reason="Their wish.",
        at=AT,
    )

    assert free_slug(site=site, name="Tool", host="tool.example") == "tool-2"


def test_the_next_number_of_a_name_is_free_however_many_have_it(site: Site) -> None:
    for number in (*range(2, 13), 1000):
        make_listing(f"tool-{number}")
    make_listing("toolbox")
    slugs = []
    for _ in range(2):
        slugs.append(free_slug(site=site, name="Tool", host="tool.example"))
        make_listing(slugs[-1])

    assert slugs == ["tool", "tool-13"]
