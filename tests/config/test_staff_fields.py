"""Every field of every form of the back office, by every role: what is worth money or power is nobody's by "Save"."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.http import HttpRequest
from django.test import RequestFactory

from accounts.models import User
from accounts.staff import rights
from accounts.staff.lists import StaffAdmin
from directory.listings.staff.listing_form import TABS
from directory.models import Site
from tests.factories.staff import make_staff

ROLES = ["", *rights.ROLES.values()]
# Changed by acts of their own, or by nobody: no form of any role lets them through once the row is there.
BY_ACTS = {
    "accounts.user.email",
    "accounts.user.groups",
    "accounts.user.is_staff",
    "accounts.user.is_superuser",
    "accounts.user.suspended_at",
    "accounts.user.user_permissions",
    "directory.listing.awards",
    "directory.listing.badge_waived",
    "directory.listing.claimed_by_method",
    "directory.listing.co_owners",
    "directory.listing.featured_until",
    "directory.listing.launch_week",
    "directory.listing.owner",
    "directory.listing.plan",
    "directory.listing.slug",
    "directory.listing.status",
    "directory.listing.unlocked_sections",
    "directory.listing.url",
    "directory.listingupdate.followers_notified",
}
# Looks like worth something by its kind and is not: why.
HARMLESS = {
    "directory.blogpost.published_at": "a date of the directory's own articles",
    "directory.blogpost.slug": "an address of the directory's own articles",
    "directory.category.slug": "an address of the directory's own pages",
    "directory.founder.created_at": "a date that nothing is counted by",
    "directory.founder.slug": "an address of the directory's own pages",
    "directory.interviewquestion.is_active": "which questions are asked",
    "directory.listing.contact_email": "a fact that the page shows",
    "directory.listing.demo_video_url": "a link that the page shows",
    "directory.listing.logo_url": "a link that the page shows",
    "directory.listing.slug": "of a listing that staff make",
    "directory.listingupdate.posted_at": "a date that the page shows",
    "directory.milestone.url": "a link that the page shows",
    "leaderboards.revenuereport.as_of": "a date that the board shows",
    "orders.promocode.ends_at": "when a code ends; codes are worth money as a whole, and finance's",
    "orders.promocode.starts_at": "when a code begins; codes are worth money as a whole, and finance's",
}
KINDS = (
    models.BooleanField,
    models.DateTimeField,
    models.EmailField,
    models.SlugField,
    models.URLField,
    models.DecimalField,
)
WORDS = ("cents", "percent", "amount", "plan", "status", "owner", "domain")


def requests_for(user: User, options: StaffAdmin) -> Iterator[tuple[HttpRequest, Any]]:
    """A request for each form that this person may send: to add, and to change, tab by tab."""
    tabs = TABS if options.opts.label_lower == "directory.listing" else [""]
    for tab in tabs:
        request = RequestFactory().get("/", {"tab": tab})
        request.user = user
        row = options.model()
        if options.has_change_permission(request):
            yield request, row
        if tab == "" and options.has_add_permission(request):
            yield request, None


def written(user: User) -> Iterator[tuple[str, bool]]:
    """Each field that a form of this person takes, and whether of a row that is there already."""
    for model, options in admin.site._registry.items():
        if not isinstance(options, StaffAdmin):
            continue
        for request, row in requests_for(user, options):
            form = options.get_form(request, row, change=row is not None)
            forms = [(model, form)]
            for inline in options.get_inline_instances(request, row):
                if inline.has_add_permission(request, row) or inline.has_change_permission(request, row):
                    forms.append((inline.model, inline.get_formset(request, row).form))
            for of, fields in forms:
                for name in fields.base_fields:
                    yield f"{of._meta.label_lower}.{name}", row is not None


def is_worth_a_look(name: str) -> bool:
    """By its kind: a person, money, a switch, a moment, an address."""
    label, _, field_name = name.rpartition(".")
    models_by_label = {m._meta.label_lower: m for m in _models()}
    try:
        field = models_by_label[label]._meta.get_field(field_name)
    except (KeyError, FieldDoesNotExist):
        return False
    is_person = field.is_relation and field.related_model is User
    return is_person or isinstance(field, KINDS) or any(word in field_name for word in WORDS)


def _models() -> Iterator[type[models.Model]]:
    for model, options in admin.site._registry.items():
        yield model
        yield from (inline.model for inline in options.inlines)
    from directory import models as directory  # noqa: PLC0415  (rows below a listing, tab by tab)

    yield from (
        directory.ListingCategory,
        directory.ListingFounder,
        directory.Alternative,
        directory.Milestone,
    )


@pytest.mark.parametrize("role", ROLES)
def test_no_form_gives_what_is_worth_money_or_power_to_another_role(site: Site, role: str) -> None:
    user, wrong = make_staff(role), defaultdict(list)
    walked = set(written(user))

    for name, is_there in walked:
        if is_there and name in BY_ACTS:
            wrong["by an act of its own"].append(name)
        elif name in rights.WORTH and not rights.may(user, rights.WORTH[name]):
            wrong["another role's"].append(name)
        elif is_worth_a_look(name) and name not in {*rights.WORTH, *HARMLESS}:
            wrong["not in the table"].append(name)

    assert dict(wrong) == {}
    assert (len(walked) > 20) == bool(role)


def test_the_tables_name_fields_that_are_there(site: Site) -> None:
    """A field that is renamed does not slip out of the table."""
    known = {f"{model._meta.label_lower}.{field.name}" for model in _models() for field in _fields(model)}

    assert {*rights.WORTH, *BY_ACTS, *HARMLESS} - known == set()
    assert {act for act in rights.WORTH.values() if act not in rights.ACTS} == set()


def _fields(model: type[models.Model]) -> list[Any]:
    return [*model._meta.fields, *model._meta.many_to_many]
