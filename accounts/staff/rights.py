"""Who of the staff may do what: the one table that every page, list and act of the back office asks."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Model

from accounts.models import User

ROLES = {"E": "editor", "M": "moderator", "F": "finance", "A": "administrator"}
MADE_BY = {"E": "editors", "M": "moderators", "F": "finance", "A": "administrators"}
COLLEAGUES = 2  # so many colleagues a refusal names

# Act: the roles that may, and how a refusal begins. What only shows is refused as if it were not there.
ACTS: dict[str, tuple[str, str]] = {
    "start.see": ("EMFA", ""),
    "find.see": ("EMFA", ""),
    "edits.see": ("EMA", ""),
    "edits.decide": ("EMA", "Edits are decided"),
    "claims.see": ("MA", ""),
    "claims.decide": ("MA", "Claims are decided"),
    "reports.see": ("MA", ""),
    "reports.close": ("MA", "Reports are closed"),
    "reviews.see": ("EMA", ""),
    "reviews.decide": ("MA", "Reviews are decided"),
    "votes.see": ("MA", ""),
    "votes.void": ("MA", "Votes are voided"),
    "listings.see": ("EMFA", ""),
    "listings.edit": ("EMA", "Listings are edited"),
    "listings.check": ("EMA", "Websites are read again"),
    "listings.give": ("FA", "Plans and paid places are given"),
    "listings.share": ("MA", "Owners are chosen"),
    "listings.rename": ("MA", "Addresses are changed"),
    "listings.move": ("MA", "Listings are moved and merged"),
    "listings.import": ("A", "Listings are imported"),
    "listings.suspend": ("MA", "Listings are suspended and restored"),
    "drafts.see": ("EMA", ""),
    "drafts.edit": ("EA", "Drafts are looked after"),
    "founders.see": ("EMA", ""),
    "founders.edit": ("EA", "Founders are edited"),
    "categories.see": ("EMA", ""),
    "categories.edit": ("EA", "Categories are edited"),
    "categories.merge": ("MA", "Categories are merged and deleted"),
    "posts.see": ("EMA", ""),
    "posts.edit": ("EA", "Posts and pages are written"),
    "weeks.see": ("EMA", ""),
    "weeks.edit": ("MA", "Weeks are planned"),
    "awards.see": ("EMA", ""),
    "programmes.see": ("EMA", ""),
    "programmes.edit": ("EA", "Programmes are made"),
    "orders.see": ("MFA", ""),
    "orders.send": ("FA", "Invoices are sent again"),
    "orders.decide": ("FA", "Orders are decided"),
    "orders.refund": ("FA", "Refunds are made"),
    "prices.see": ("FA", ""),
    "prices.edit": ("FA", "Prices are set"),
    "codes.see": ("FA", ""),
    "codes.edit": ("FA", "Codes are made"),
    "vat.see": ("FA", ""),
    "vat.edit": ("FA", "VAT rates are entered"),
    "people.see": ("EMFA", ""),
    "people.notes": ("MFA", "Notes are written"),
    "people.edit": ("A", "Accounts are changed"),
    "people.ban": ("MA", "Accounts are banned"),
    "people.hijack": ("MA", "The site is seen as a person"),
    "people.export": ("A", "A person's data are exported"),
    "people.erase": ("A", "People are erased"),
    "keys.see": ("EMA", ""),
    "keys.revoke": ("MA", "Keys and apps are revoked"),
    "mail.see": ("MFA", ""),
    "mail.resend": ("MFA", "Mails are sent again"),
    "webhooks.see": ("MFA", ""),
    "jobs.see": ("MFA", ""),
    "jobs.run": ("A", "Jobs are run again"),
    "staff.see": ("A", ""),
    "staff.edit": ("A", "Roles are given"),
    "sites.see": ("A", ""),
    "sites.edit": ("A", "Sites are changed"),
    "settings.see": ("A", ""),
    "settings.edit": ("A", "Settings are changed"),
    "ratings.see": ("A", ""),
    "ratings.edit": ("A", "Ratings are imported"),
    "audit.see": ("MFA", ""),
    "audit.all": ("A", ""),
    "lists.export": ("EMFA", "Lists are exported"),
    "lists.import": ("EA", "Lists are imported"),
}

# Model: the acts of looking at its rows and of changing them. What is missing here only superusers reach.
MODELS: dict[str, tuple[str, str]] = {
    "accounts.apikey": ("keys.see", "keys.revoke"),
    "accounts.staffact": ("audit.see", ""),
    "accounts.user": ("people.see", "people.edit"),
    "claims.claim": ("claims.see", "claims.decide"),
    "claims.claimcheck": ("claims.see", ""),
    "core.endpoint": ("webhooks.see", ""),
    "core.job": ("jobs.see", "jobs.run"),
    "core.mail": ("mail.see", "mail.resend"),
    "directory.alternative": ("listings.see", "listings.edit"),
    "directory.badgecheck": ("listings.see", ""),
    "directory.blogpost": ("posts.see", "posts.edit"),
    "directory.category": ("categories.see", "categories.edit"),
    "directory.founder": ("founders.see", "founders.edit"),
    "directory.interviewquestion": ("posts.see", "posts.edit"),
    "directory.launch": ("listings.see", ""),
    "directory.launchreminder": ("mail.see", ""),
    "directory.listing": ("listings.see", "listings.edit"),
    "directory.listingcategory": ("listings.see", "listings.edit"),
    "directory.listingfounder": ("listings.see", "listings.edit"),
    "directory.listingmove": ("listings.see", ""),
    "directory.listingrevision": ("edits.see", "edits.decide"),
    "directory.listingupdate": ("listings.see", "listings.edit"),
    "directory.milestone": ("listings.see", "listings.edit"),
    "directory.question": ("reviews.see", "reviews.decide"),
    "directory.report": ("reports.see", "reports.close"),
    "directory.review": ("reviews.see", "reviews.decide"),
    "directory.site": ("sites.see", "sites.edit"),
    "directory.sitepage": ("posts.see", "posts.edit"),
    "directory.sitesettings": ("settings.see", "settings.edit"),
    "directory.vote": ("votes.see", "votes.void"),
    "directory.weekreminder": ("mail.see", "people.erase"),
    "directory.winnersreader": ("mail.see", "people.erase"),
    "drafts.draft": ("drafts.see", "drafts.edit"),
    "drafts.draftfield": ("drafts.see", ""),
    "drafts.draftpage": ("drafts.see", ""),
    "drafts.invite": ("drafts.see", ""),
    "drafts.modeluse": ("drafts.see", ""),
    "leaderboards.award": ("awards.see", ""),
    "leaderboards.contribution": ("orders.see", ""),
    "leaderboards.domainrating": ("ratings.see", "ratings.edit"),
    "leaderboards.programme": ("programmes.see", "programmes.edit"),
    "leaderboards.revenuereport": ("orders.see", "orders.decide"),
    "leaderboards.weekclose": ("awards.see", ""),
    "orders.aireview": ("orders.see", ""),
    "orders.invoice": ("orders.see", ""),
    "orders.launchweek": ("weeks.see", "weeks.edit"),
    "orders.order": ("orders.see", "orders.decide"),
    "orders.orderevent": ("orders.see", ""),
    "orders.orderinreview": ("orders.see", "orders.decide"),
    "orders.orderline": ("orders.see", ""),
    "orders.payment": ("orders.see", "orders.decide"),
    "orders.productprice": ("prices.see", "prices.edit"),
    "orders.promocode": ("codes.see", "codes.edit"),
    "orders.promouse": ("codes.see", ""),
    "orders.providerevent": ("orders.see", ""),
    "orders.refund": ("orders.see", "orders.refund"),
    "orders.stafftask": ("orders.see", "orders.decide"),
    "orders.vatarea": ("vat.see", "vat.edit"),
    "orders.vatrate": ("vat.see", "vat.edit"),
    "orders.vatregistration": ("vat.see", "vat.edit"),
    "sites.site": ("sites.see", "sites.edit"),
}

# Field: the act that alone changes it. It is worth money or power, so a form that shows it to others shows it as text.
WORTH: dict[str, str] = {
    "accounts.user.is_active": "people.edit",
    "directory.alternative.approved": "listings.share",
    "directory.founder.user": "listings.share",
    "directory.listing.owner": "listings.share",
    "directory.listing.url": "listings.rename",
    "directory.listingcategory.is_bought": "listings.give",
    "directory.site.is_default": "sites.edit",
    "directory.site.key": "sites.edit",
    "leaderboards.programme.entry_from": "programmes.edit",
    "leaderboards.programme.entry_until": "programmes.edit",
    "leaderboards.programme.places": "programmes.edit",
    "leaderboards.programme.slug": "programmes.edit",
    "leaderboards.programme.votes_from": "programmes.edit",
    "leaderboards.programme.votes_until": "programmes.edit",
    "leaderboards.revenuereport.amount_cents": "orders.decide",
    "leaderboards.revenuereport.is_verified": "orders.decide",
    "orders.promocode.amount_cents": "codes.edit",
    "orders.promocode.is_active": "codes.edit",
    "orders.promocode.min_subtotal_cents": "codes.edit",
    "orders.promocode.percent": "codes.edit",
    "orders.vatarea.code": "vat.edit",
    "orders.vatarea.percent": "vat.edit",
    "orders.vatrate.percent": "vat.edit",
    "orders.vatregistration.is_small": "vat.edit",
    "orders.vatregistration.number": "vat.edit",
    "sites.site.domain": "sites.edit",
}


def locked_fields(user: User | AnonymousUser, model: type[Model]) -> tuple[str, ...]:
    """The fields of a model that this member of staff reads and does not write."""
    begins = f"{model._meta.label_lower}."  # noqa: SLF001  (documented by Django)
    return tuple(
        field.removeprefix(begins)
        for field, act in WORTH.items()
        if field.startswith(begins) and not may(user, act)
    )


def may(user: User | AnonymousUser, act: str) -> bool:
    """Whether this member of staff may do it. A superuser may do everything; staff without a role, nothing."""
    roles, _ = ACTS[act]
    if not (user.is_active and user.is_staff) or user.is_suspended:
        return False
    return user.is_superuser or any(ROLES[letter] in user.roles for letter in roles)


def holds(user: User | AnonymousUser, permission: str) -> bool:
    """Django's permissions, such as `directory.change_listing`, by the table."""
    app, _, name = permission.partition(".")
    verb, _, model = name.partition("_")
    see, edit = MODELS.get(f"{app}.{model}", ("", ""))
    act = see if verb == "view" else edit
    return bool(act) and may(user, act)


def role_of(user: User) -> str:
    if user.is_superuser:
        return "superuser"
    return ", ".join(role for role in ROLES.values() if role in user.roles) or "no role"


class NotYoursError(PermissionDenied):
    """A member of staff asked for an act that their roles do not have; says whose it is."""

    def __init__(self, act: str) -> None:
        super().__init__(refusal(act))


def require(user: Any, act: str) -> None:
    """Raise NotYoursError unless this member of staff may do it."""
    if not may(user, act):
        raise NotYoursError(act)


def refusal(act: str) -> str:
    letters, begin = ACTS[act]
    made_by = " and ".join(MADE_BY[letter] for letter in letters)
    colleagues = User.objects.filter(
        is_staff=True,
        is_active=True,
        suspended_at=None,
        groups__name__in=[ROLES[letter] for letter in letters],
    ).order_by("pk")
    names = dict.fromkeys(user.get_short_name() for user in colleagues[: COLLEAGUES * 2])
    ask = f" Ask {' or '.join(list(names)[:COLLEAGUES])}." if names else ""
    return f"{begin or 'This is shown'} {'to' if not begin else 'by'} {made_by}.{ask}"
