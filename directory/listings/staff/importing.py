"""What files of categories and listings would do, row by row, by the checks of the forms."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError

from accounts.models import User
from accounts.staff.files import Import, Line, Row, compared, refused
from core.api.errors import InvalidRequestError
from directory.back_office.checks import checks_of
from directory.listings import importing, versions
from directory.listings.staff.listing_form import OVERVIEW as FACTS
from directory.models import Category, Listing, Site


def _cleaned(model: type[Any], name: str, text: str) -> Any:
    """A cell as its column takes it. Raises ValidationError."""
    field = model._meta.get_field(name)  # noqa: SLF001  (documented by Django)
    value = field.clean(None if field.null and not text else text, None)
    for check in checks_of(field):
        check(value)
    return value


def _of_row(model: type[Any], row: Row, names: Sequence[str]) -> dict[str, Any]:
    """The columns that the row has; where something has to stand, an empty cell leaves it as it is.

    Raises ValidationError that names the column.
    """
    result = {}
    for name in names:
        text = row.values.get(name)
        if text is None or (not text and not model._meta.get_field(name).blank):  # noqa: SLF001
            continue
        try:
            result[name] = _cleaned(model, name, text)
        except ValidationError as error:
            raise ValidationError(f"{name}: {' '.join(error.messages)}") from error
    return result


def _take(taken: dict[Any, int], key: Any, row: Row) -> None:
    """Each row is of something else. Raises ValidationError."""
    slug = row.values["slug"]
    if not slug:
        raise ValidationError("slug: it is empty.")
    first = taken.setdefault(key, row.line)
    if first != row.line:
        raise ValidationError(f"slug: row {first} has {slug} already.")


# -- categories -------------------------------------------------------------------------------------------


class Tree:
    """The categories that are there and those that the file would make, by address and by name."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.there = {row.slug: row for row in Category.objects.select_related("parent")}
        self.merged = set(Category.everything.exclude(merged_into=None).values_list("slug", flat=True))
        self.parents = {slug: row.parent.slug if row.parent else "" for slug, row in self.there.items()}
        self.named: dict[str, set[str]] = defaultdict(set)
        self.taken: dict[str, int] = {}
        pairs = [(slug, row.name) for slug, row in self.there.items()]
        for slug, name in [*pairs, *((row.values["slug"], row.values.get("name", "")) for row in rows)]:
            self.named[name.lower()].add(slug)
            self.parents.setdefault(slug, "")

    def meant(self, text: str, here: Category | None) -> str:
        """A category's address by itself, by its name where it hangs, or by a name that is its own.

        Raises ValidationError.
        """
        if not text or text in self.parents:
            return text
        if here and here.parent and here.parent.name.lower() == text.lower():
            return here.parent.slug
        result = self.named.get(text.lower(), set())
        if len(result) != 1:
            raise ValidationError(
                f"parent: {'several are' if result else 'none is'} called {text}. Write its address."
            )
        return next(iter(result))

    def is_round(self, slug: str) -> bool:
        seen, above = set(), self.parents.get(slug, "")
        while above and above not in seen:
            if above == slug:
                return True
            seen.add(above)
            above = self.parents.get(above, "")
        return False

    def line(self, row: Row) -> Line:
        try:
            return self._judged(row)
        except ValidationError as error:
            return refused(row, row.values["slug"], " ".join(error.messages))

    def _judged(self, row: Row) -> Line:
        slug = row.values["slug"]
        _of_row(Category, row, ["slug"])
        _take(self.taken, slug, row)
        if slug in self.merged:
            raise ValidationError(f"slug: {slug} was merged into another.")
        here = self.there.get(slug)
        after = _of_row(Category, row, importing.PLAIN)
        if here is None and not after.get("name"):
            raise ValidationError("A new category needs a name.")
        if "parent" in row.values:
            after["parent"] = self.parents[slug] = self.meant(row.values["parent"], here)
        before = {**vars(here), "parent": here.parent.slug if here.parent else ""} if here else None
        return compared(row, name=slug, before=before, after=after, key=slug)


def plan_categories(rows: Sequence[Row]) -> list[Line]:
    """What the rows would do to the tree, which stays one."""
    tree = Tree(rows)
    lines = [tree.line(row) for row in rows]
    return [
        replace(line, state="refused", fields=(), reason="It would be under itself.")
        if line.state in {"new", "changed"} and tree.is_round(line.key)
        else line
        for line in lines
    ]


def write_categories(lines: Sequence[Line], _staff_id: int, at: datetime) -> None:
    """All of them at once: a row may name one that stands further down."""
    importing.put_categories(values={line.key: line.values for line in lines}, at=at)


# -- listings ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Place:
    site_id: int
    slug: str
    listing_id: int | None = None
    owner_id: int | None = None


class NamedRows:
    """The sites, the listings and the people that the rows name, in three statements."""

    def __init__(self, rows: Sequence[Row]) -> None:
        sites = list(Site.objects.order_by("-is_default", "pk"))
        self.sites = {name: site for site in reversed(sites) for name in (site.name.lower(), site.key)}
        self.default = sites[0] if sites else None
        slugs = {row.values["slug"] for row in rows}
        self.there = {(entry.site_id, entry.slug): entry for entry in Listing.objects.filter(slug__in=slugs)}
        addresses = {row.values.get("owner", "") for row in rows} - {""}
        self.people = User.objects.ids_by_address(addresses)
        self.taken: dict[tuple[int, str], int] = {}

    def line(self, row: Row) -> Line:
        try:
            return self._judged(row, name=row.values.get("name") or row.values["slug"])
        except ValidationError as error:
            return refused(row, row.values["slug"], " ".join(error.messages))
        except InvalidRequestError as error:
            return refused(row, row.values["slug"], error.detail)

    def _judged(self, row: Row, *, name: str) -> Line:
        slug, site = row.values["slug"], self._site(row.values.get("site", ""))
        _of_row(Listing, row, ["slug"])
        _take(self.taken, (site.pk, slug), row)
        here = self.there.get((site.pk, slug))
        after = _of_row(Listing, row, FACTS if here else (*FACTS, "url"))
        if here:
            key = Place(site_id=site.pk, slug=slug, listing_id=here.pk)
            existing = {**vars(here), "categories": True}  # which no file changes
            versions.refuse_loss(existing, existing | after)
            return compared(row, name=name, before=vars(here), after=after, key=key)
        if not (after.get("name") and after.get("url")):
            raise ValidationError("A new listing needs a name and a url.")
        key = Place(site_id=site.pk, slug=slug, owner_id=self._owner(row.values.get("owner", "")))
        return compared(row, name=name, before=None, after=after, key=key)

    def _site(self, text: str) -> Site:
        result = self.sites.get(text.lower()) if text else self.default
        if result is None:
            raise ValidationError(f"site: there is none called {text}.")
        return result

    def _owner(self, address: str) -> int | None:
        if address and address not in self.people:
            raise ValidationError(f"owner: no account has the address {address}.")
        return self.people.get(address)


def plan_listings(rows: Sequence[Row]) -> list[Line]:
    """What the rows would do: facts of listings that are there, and new ones that are not public yet."""
    named = NamedRows(rows)
    return [named.line(row) for row in rows]


def write_listings(lines: Sequence[Line], staff_id: int, at: datetime) -> None:
    edited = {line.key.listing_id: line.values for line in lines if line.key.listing_id}
    made = [line for line in lines if not line.key.listing_id]
    if edited:
        importing.edit_listings(values=edited, staff_id=staff_id, at=at)
    if made:
        new = [
            importing.NewListing(
                site_id=line.key.site_id, slug=line.key.slug, owner_id=line.key.owner_id, values=line.values
            )
            for line in made
        ]
        importing.make_listings(made=new, at=at)


CATEGORIES = Import(
    what="categories",
    act="lists.import",
    needs=("slug",),
    takes=("name", "parent", "position", "description"),
    says="Categories are found by their slug; one that is not there is made. The parent is a slug, or a name.",
    most=2000,
    plan=plan_categories,
    write=write_categories,
)
LISTINGS = Import(
    what="listings",
    act="listings.import",
    needs=("slug",),
    takes=("site", *FACTS, "url", "owner"),
    says=(
        "Listings are found by site and slug. Facts of those that are there change and are kept as versions; others "
        "are made as drafts, with url and owner. State, plan and week are never imported."
    ),
    most=500,
    plan=plan_listings,
    write=write_listings,
)
