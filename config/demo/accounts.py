"""The people of the demo: makers who own listings, and visitors who vote and follow."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from accounts.models import User
from config.demo.data.shapes import DemoFounder, DemoListing
from config.demo.rows import as_json
from directory.models import Founder
from directory.search.index.bulk import copy_rows, new_ids

VISITORS = 1000
JOINED_BEFORE = timedelta(days=760)
# no password can match it, so nobody can sign in as one of them
NO_PASSWORD = "!demo"  # noqa: S105
FOUNDER = ("id", "slug", "user_id", "name", "title", "bio", "country", "photo", "socials", "created_at")
COLUMNS = ("id", "password", "is_superuser", "email", "name", "is_active", "is_staff", "date_joined")


def visitors(*, at: datetime) -> list[int]:
    """The ids of the people who vote and follow."""
    found = users({f"visitor{number}@demo.example": f"Visitor {number}" for number in range(VISITORS)}, at=at)
    return [found[email] for email in sorted(found)]


def maker_email(demo: DemoListing) -> str:
    """The address of whoever owns a claimed listing."""
    return f"{demo.founders[0].slug}@demo.example" if demo.founders else f"owner@{demo.domain}"


def users(names: dict[str, str], *, at: datetime) -> dict[str, int]:
    """The ids of people by address; those that are missing are made."""
    known = dict(User.objects.filter(email__in=names).values_list("email", "pk"))
    missing = [email for email in names if email not in known]
    fresh = dict(zip(missing, new_ids("accounts_user", count=len(missing)), strict=True))
    copy_rows(
        "accounts_user",
        COLUMNS,
        (
            (pk, NO_PASSWORD, False, email, names[email], True, False, at - JOINED_BEFORE)
            for email, pk in fresh.items()
        ),
    )
    return known | fresh


def founders(people: Iterable[DemoFounder], *, owners: dict[str, int], at: datetime) -> dict[str, int]:
    """The ids of public profiles by slug; those that are missing are made. Owners are tied to theirs."""
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
                owners.get(f"{person.slug}@demo.example"),
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
