"""The people of the demo: makers who own listings, founders, and visitors who vote and follow."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from accounts.models import User
from config.demo.content import Row
from directory.models import Founder

VISITORS = 1000
JOINED_BEFORE = timedelta(days=760)
# no password can match it, so nobody can sign in as one of them
NO_PASSWORD = "!demo"  # noqa: S105


def visitors(*, at: datetime) -> list[int]:
    ids = users({f"visitor{number}@demo.example": f"Visitor {number}" for number in range(VISITORS)}, at=at)
    return [ids[email] for email in sorted(ids)]


def maker_email(row: Row) -> str:
    founders, domain = row["founders"], row["facts"]["domain"]
    return f"{founders[0]['slug']}@demo.example" if founders else f"owner@{domain}"


def makers(rows: Iterable[Row], *, at: datetime) -> dict[str, int]:
    claimed = [row for row in rows if row["facts"]["claimed_by_method"]]
    names = {maker_email(row): row["founders"][0]["name"] if row["founders"] else "" for row in claimed}
    return users(names, at=at)


def users(names: Mapping[str, str], *, at: datetime) -> dict[str, int]:
    """The ids of people by address; those that are missing are made."""
    joined = at - JOINED_BEFORE
    User.objects.bulk_create(
        (
            User(email=email, name=name, password=NO_PASSWORD, date_joined=joined)
            for email, name in names.items()
        ),
        ignore_conflicts=True,
    )
    return dict(User.objects.filter(email__in=names).values_list("email", "pk"))


def founders(
    rows: Iterable[Row], *, owners: Mapping[str, int], photos: Mapping[str, str], at: datetime
) -> dict[str, int]:
    """The ids of public profiles by slug; those that are missing are made. Owners are tied to theirs."""
    people = {person["slug"]: person for row in rows for person in row["founders"]}
    Founder.objects.bulk_create(
        (
            Founder(
                slug=slug,
                user_id=owners.get(f"{slug}@demo.example"),
                name=person["name"],
                title=person["title"],
                bio=person["bio"] or "",
                country=person["country"] or "",
                socials=person["socials"],
                photo=photos.get(slug, ""),
                created_at=at - JOINED_BEFORE,
            )
            for slug, person in sorted(people.items(), key=lambda row: row[0] in photos)  # faces are newest
        ),
        ignore_conflicts=True,
    )
    return dict(Founder.objects.filter(slug__in=people).values_list("slug", "pk"))
