"""The people of further listings."""

from collections.abc import Collection, Iterable
from datetime import datetime

from benchmarks.listings.bulk import copy_rows
from benchmarks.listings.copying import new_ids
from benchmarks.listings.data.shapes import DemoFounder
from benchmarks.listings.rows import as_json
from config.demo.people import JOINED_BEFORE
from directory.models import Founder

FOUNDER = ("id", "slug", "user_id", "name", "title", "bio", "country", "photo", "socials", "created_at")


def founders(people: Iterable[DemoFounder], *, at: datetime) -> dict[str, int]:
    """The ids of public profiles by slug; those that are missing are made."""
    wanted = {person.slug: person for person in people}
    known = _known(wanted)
    missing = [person for slug, person in wanted.items() if slug not in known]
    fresh = dict(
        zip(
            (person.slug for person in missing), new_ids("directory_founder", count=len(missing)), strict=True
        )
    )
    copy_rows(
        "directory_founder",
        FOUNDER,
        (
            (
                fresh[person.slug],
                person.slug,
                None,
                person.name,
                person.title,
                person.bio or "",
                person.country or "",
                "",
                as_json(person.socials),
                at - JOINED_BEFORE,
            )
            for person in missing
        ),
    )
    return known | fresh


def _known(slugs: Collection[str]) -> dict[str, int]:
    return dict(Founder.objects.filter(slug__in=slugs).values_list("slug", "pk"))
