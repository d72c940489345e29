"""All that a listing states, as one mapping by name: how it is read and how it is written."""

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.text import slugify

from core.domains import domain_of, host_of
from directory import limits
from directory.categories import filing
from directory.facts import LIST_COLUMNS, TEXT_COLUMNS
from directory.images.files import own_logo
from directory.models import Founder, Listing, ListingCategory, ListingFounder, Milestone

TEXTS = (*TEXT_COLUMNS, "headline", "summary", "seo_title", "seo_description", "url")
LISTS = (*LIST_COLUMNS, "faqs", "media")
OBJECTS = ("socials", "story")
COLUMNS = frozenset({*TEXTS, *LISTS, *OBJECTS, "founded_year"})
ROWS = frozenset({"categories", "founders", "milestones"})


def facts_of(listing: Listing) -> dict[str, Any]:
    """What it states; a text that is blank is None."""
    return facts_of_all([listing])[listing.pk]


def facts_of_all(listings: Collection[Listing], *, rows: Collection[str] = ROWS) -> dict[int, dict[str, Any]]:
    """What each of them states, in as many statements as one needs; of what lies in rows of its own, only these."""
    facts = {listing.pk: _columns_of(listing) | {name: [] for name in sorted(rows)} for listing in listings}
    if "categories" in rows:
        _read_categories(facts)
    if "founders" in rows:
        _read_founders(facts)
    if "milestones" in rows:
        _read_milestones(facts)
    return facts


def _read_categories(facts: Mapping[int, dict[str, Any]]) -> None:
    filed = ListingCategory.objects.filter(listing__in=facts).select_related("category")
    for row in filed.order_by("position"):
        facts[row.listing_id]["categories"].append(row.category.slug)


def _read_founders(facts: Mapping[int, dict[str, Any]]) -> None:
    people = ListingFounder.objects.filter(listing__in=facts).select_related("founder")
    for part in people.order_by("position"):
        person = {
            "name": part.founder.name,
            "title": part.title or None,
            "bio": part.founder.bio or None,
            "socials": part.founder.socials,
        }
        facts[part.listing_id]["founders"].append(person)


def _read_milestones(facts: Mapping[int, dict[str, Any]]) -> None:
    for step in Milestone.objects.filter(listing__in=facts).order_by("date", "pk"):
        row = {
            "date": step.date.isoformat(),
            "title": step.title,
            "description": step.description or None,
            "url": step.url or None,
        }
        facts[step.listing_id]["milestones"].append(row)


def _columns_of(listing: Listing) -> dict[str, Any]:
    facts: dict[str, Any] = {name: getattr(listing, name) or None for name in TEXTS}
    facts |= {name: list(getattr(listing, name)) for name in LISTS}
    facts |= {name: getattr(listing, name) for name in (*OBJECTS, "founded_year")}
    return facts


def stated(listing: Listing, *, names: Collection[str]) -> dict[str, Any]:
    """Some of these facts, and the name and tagline; without a statement where columns hold them all."""
    if not set(names) <= COLUMNS:
        return facts_of(listing)
    return {name: getattr(listing, name) for name in {*names, "name", "tagline"}}


def write(listing: Listing, values: Mapping[str, Any], *, at: datetime) -> None:
    """Write facts to a locked listing; what `values` leaves out stays."""
    columns = [name for name in values if name in COLUMNS]
    has_new_logo = (values.get("logo_url", listing.logo_url) or "") != listing.logo_url
    for name in columns:
        setattr(listing, name, values[name] or _blank(name))
    listing.name = in_a_line(listing.name)
    if has_new_logo:
        listing.logo.name = own_logo(listing.logo_url)  # that of a website is fetched by its draft
        columns.append("logo")
    if "url" in values:
        listing.domain, listing.host = domain_of(listing.url), host_of(listing.url)
        columns += ["domain", "host"]
    listing.updated_at = at
    listing.save(update_fields=[*columns, "evidence", "not_found", "updated_at"])
    if "categories" in values:
        filing.file(listing, values["categories"])
    if "founders" in values:
        name_founders(listing, values["founders"], at=at)
    if "milestones" in values:
        write_milestones(listing, values["milestones"])


def in_a_line(name: str) -> str:
    """What a listing is called; the first line of a mail is its subject, and what follows its text."""
    return " ".join(name.split())


def _blank(name: str) -> Any:
    if name in TEXTS:
        return ""
    return {} if name in OBJECTS else [] if name in LISTS else None


NUMBERED = re.compile(r"-\d+$")


def slug_of(text: str) -> str:
    """The letters, digits and hyphens that an address has of a text; nothing of one without Latin letters."""
    return slugify(text.replace("_", "-"))[: limits.SLUG - 8].strip("-")


def free_slug(*texts: str, among: Collection[QuerySet[Any]]) -> str:
    """The slug of the first text that has one, with a number where one of these rows has it already."""
    base = next(slug for slug in map(slug_of, texts) if slug)
    most = 1
    while True:
        slugs = [base, *(f"{base}-{number}" for number in range(2, most + 1))]
        taken = {
            slug for rows in among for slug in rows.filter(slug__in=slugs).values_list("slug", flat=True)
        }
        if free := next((slug for slug in slugs if slug not in taken), None):
            return free
        most *= 10


def name_founders(listing: Listing, founders: Sequence[Mapping[str, Any]], *, at: datetime) -> None:
    """Name its founders; one of the same name stays the same person."""
    rows = list(listing.founded_by.select_related("founder"))
    mine = {row.founder.name.casefold(): row for row in rows}
    # who calls themselves otherwise since is still found by the address, which was made of the former name
    former = {NUMBERED.sub("", row.founder.slug): row for row in rows if row.founder.user_id}
    current_ids = set()
    for position, person in enumerate(founders[: limits.FOUNDERS]):
        row = mine.get(str(person["name"]).casefold()) or former.get(slug_of(person["name"]))
        if row is None:
            slug = free_slug(person["name"], "founder", among=[Founder.objects.all()])
            founder = Founder.objects.create(slug=slug, name=person["name"], created_at=at)
            row = ListingFounder(listing=listing, founder=founder)
        row.title, row.position = person.get("title") or "", position
        row.save(update_fields=["title", "position"] if row.pk else None)
        if row.founder.user_id is None:
            row.founder.title = person.get("title") or ""
            row.founder.bio = person.get("bio") or ""
            row.founder.socials = person.get("socials") or row.founder.socials
            row.founder.save(update_fields=["title", "bio", "socials"])
        current_ids.add(row.pk)
    gone = listing.founded_by.exclude(pk__in=current_ids)
    founder_ids = list(gone.values_list("founder_id", flat=True))
    gone.delete()
    Founder.objects.filter(pk__in=founder_ids, user=None, founded=None).delete()


def write_milestones(listing: Listing, milestones: Sequence[Mapping[str, Any]]) -> None:
    """Give it these milestones; those it has already keep their ids."""
    there: dict[tuple[str, ...], list[int]] = {}
    for row in listing.milestones.order_by("pk"):
        there.setdefault((row.date.isoformat(), row.title, row.description, row.url), []).append(row.pk)
    fresh, current_ids = [], []
    for step in milestones:
        key = (str(step["date"]), step["title"], step.get("description") or "", step.get("url") or "")
        if there.get(key):
            current_ids.append(there[key].pop())
            continue
        day, title, description, url = key
        fresh.append(
            Milestone(
                listing=listing, date=date.fromisoformat(day), title=title, description=description, url=url
            )
        )
    listing.milestones.exclude(pk__in=current_ids).delete()
    Milestone.objects.bulk_create(fresh)
