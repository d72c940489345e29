"""The sites of the demo and its people: makers who own listings, founders, and visitors who vote and follow."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from ipaddress import ip_address

from django.conf import settings
from django.contrib.sites.models import Site as DjangoSite
from django.db import transaction

from accounts.models import User
from config.demo.content import Row, read
from core.fetch import split_url
from directory.models import Founder, Site, SiteSettings
from directory.sites.catalogue import ensure_default_site
from directory.sites.lookup import forget_sites

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


@transaction.atomic
def ensure_sites(*, at: datetime) -> dict[str, Site]:
    """The sites by key; those that are missing are made. The default site counts as the first of the demo."""
    first, *others = read("sites.json")
    sites = {first["key"]: ensure_default_site()}
    for row in others:
        site = Site.objects.filter(key=row["key"]).first()
        if site is None:
            django_site, _ = DjangoSite.objects.get_or_create(
                domain=_host(row["key"]), defaults={"name": row["name"][:50]}
            )
            site = Site.objects.create(django_site=django_site, **row)
            SiteSettings.objects.create(site=site, changed_at=at)
        sites[row["key"]] = site
    forget_sites()
    return sites


def _host(key: str) -> str:
    """A name below the installation's own; below localhost where that is an address."""
    url = split_url(settings.SITE_URL)
    host = url.hostname or "localhost"
    try:
        ip_address(host)
    except ValueError:
        return f"{key}.{url.netloc}"
    return f"{key}.localhost" + (f":{url.port}" if url.port else "")
