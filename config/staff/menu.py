"""The menu of the back office: by job, not by table. An item without the right is absent."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from accounts.staff import rights
from config.staff import queues


@dataclass(frozen=True, kw_only=True)
class Item:
    """One line of the menu. `queue` names the rows of `queues` that its number comes from, a space between two."""

    name: str
    icon: str
    page: str  # the name of its address
    act: str
    query: str = ""
    queue: str = ""
    key: str = ""  # G and this letter go there
    words: tuple[str, ...] = ()  # what else it is called by who looks for it

    @property
    def url(self) -> str:
        return f"{reverse(self.page)}?{self.query}" if self.query else reverse(self.page)


MENU: tuple[tuple[str, tuple[Item, ...]], ...] = (
    ("", (Item(name="Start", icon="house", page="admin:index", act="start.see", key="s"),)),
    (
        "Review",
        (
            Item(
                name="Edits",
                icon="inbox",
                page="admin:directory_listingrevision_queue",
                act="edits.see",
                queue="edits",
                key="e",
            ),
            Item(
                name="Claims",
                icon="shield",
                page="admin:claims_claim_changelist",
                query="inbox=staff",
                act="claims.see",
                queue="claims",
            ),
            Item(
                name="Reviews",
                icon="star",
                page="admin:directory_review_changelist",
                query="status__exact=waiting",
                act="reviews.see",
                queue="reviews",
                words=("stars", "ratings of people"),
            ),
            Item(
                name="Questions",
                icon="mail",
                page="admin:directory_question_changelist",
                act="reviews.see",
                words=("answers", "questions to makers"),
            ),
            Item(
                name="Reports",
                icon="flag",
                page="admin:directory_report_changelist",
                query="status__exact=open",
                act="reports.see",
                queue="reports",
            ),
            Item(
                name="Votes",
                icon="arrow-big-up",
                page="admin:directory_vote_risks",
                act="votes.see",
                queue="votes",
            ),
        ),
    ),
    (
        "Directory",
        (
            Item(
                name="Listings",
                icon="list",
                page="admin:directory_listing_changelist",
                act="listings.see",
                key="l",
            ),
            Item(name="Drafts", icon="file-text", page="admin:drafts_draft_changelist", act="drafts.see"),
            Item(
                name="Weeks", icon="calendar-days", page="admin:orders_launchweek_calendar", act="weeks.see"
            ),
            Item(
                name="Categories",
                icon="tree",
                page="admin:directory_category_tree",
                act="categories.see",
            ),
            Item(
                name="Founders",
                icon="circle-user",
                page="admin:directory_founder_changelist",
                act="founders.see",
            ),
            Item(
                name="Posts and pages",
                icon="pen-line",
                page="admin:directory_blogpost_changelist",
                act="posts.see",
            ),
        ),
    ),
    (
        "Money",
        (
            Item(
                name="Orders",
                icon="receipt",
                page="admin:orders_order_changelist",
                act="orders.see",
                queue="orders",
                key="o",
            ),
            Item(
                name="Invoices",
                icon="file-text",
                page="admin:orders_invoice_changelist",
                act="orders.see",
                queue="peppol",
                words=("credit notes", "documents", "corrections"),
            ),
            Item(
                name="VAT returns",
                icon="calendar-days",
                page="admin:orders_invoice_returns",
                act="vat.see",
                words=("returns", "oss", "datev", "ledger", "recapitulative statement", "quarter"),
            ),
            Item(
                name="Paid work",
                icon="check",
                page="admin:orders_stafftask_changelist",
                query=queues.OPEN_WORK,
                act="orders.decide",
                queue="work wishes",
                words=("tasks", "done for you", "refunds asked for", "money back", "wishes"),
            ),
            Item(
                name="Disputes",
                icon="triangle-alert",
                page="admin:orders_order_changelist",
                query=queues.DISPUTED,
                act="orders.decide",
                queue="disputes",
                words=("chargebacks",),
            ),
            Item(
                name="Prices and codes",
                icon="tag",
                page="admin:orders_productprice_prices",
                act="prices.see",
            ),
            Item(
                name="VAT",
                icon="percent",
                page="admin:orders_vatrate_changelist",
                act="vat.see",
                words=("rates", "areas", "registrations", "small business"),
            ),
        ),
    ),
    (
        "People",
        (
            Item(
                name="People", icon="users", page="admin:accounts_user_changelist", act="people.see", key="p"
            ),
            Item(
                name="Mail",
                icon="mail",
                page="admin:core_mail_changelist",
                act="mail.see",
                queue="mail",
            ),
            Item(
                name="Winners by mail",
                icon="star",
                page="admin:directory_winnersreader_changelist",
                act="mail.see",
                words=("readers", "subscribers", "newsletter"),
            ),
            Item(
                name="Launch reminders",
                icon="clock",
                page="admin:directory_launchreminder_changelist",
                act="mail.see",
                words=("remind me",),
            ),
            Item(
                name="Staff and roles",
                icon="key-round",
                page="admin:staff",
                act="staff.see",
            ),
        ),
    ),
    (
        "Operation",
        (
            Item(
                name="Jobs",
                icon="activity",
                page="admin:core_job_changelist",
                act="jobs.see",
                queue="jobs",
            ),
            Item(
                name="Webhooks", icon="bell-ring", page="admin:core_endpoint_changelist", act="webhooks.see"
            ),
            Item(
                name="Programmes",
                icon="star",
                page="admin:leaderboards_programme_changelist",
                act="programmes.see",
                words=("contests", "awards"),
            ),
            Item(
                name="Domain ratings",
                icon="activity",
                page="admin:leaderboards_domainrating_changelist",
                act="ratings.see",
            ),
            Item(name="Sites", icon="globe", page="admin:directory_site_changelist", act="sites.see"),
            Item(
                name="Settings",
                icon="sliders",
                page="admin:directory_sitesettings_changelist",
                act="settings.see",
            ),
            Item(
                name="Audit log",
                icon="history",
                page="admin:accounts_staffact_changelist",
                act="audit.see",
            ),
        ),
    ),
)


def menu(request: HttpRequest) -> list[tuple[str, list[dict[str, Any]]]]:
    """The groups and items that this member of staff has, with what waits."""
    waiting = queues.counts()
    groups: list[tuple[str, list[dict[str, Any]]]] = []
    for title, items in MENU:
        entries = [_shown(request, item, waiting) for item in items if rights.may(request.user, item.act)]
        if entries:
            groups.append((title, entries))
    current = [item for _, entries in groups for item in entries if item["is_under"]]
    if current:  # the most particular one: two lists may share an address and differ in their query
        max(current, key=lambda item: (item["is_exact"], len(item["path"])))["is_current"] = True
    return groups


def _shown(request: HttpRequest, item: Item, waiting: dict[str, queues.Waiting]) -> dict[str, Any]:
    path = reverse(item.page)
    result = queues.together(waiting[key] for key in item.queue.split() if key in waiting)
    is_home = path == reverse("admin:index")
    return {
        "name": item.name,
        "icon": item.icon,
        "key": item.key,
        "path": path,
        "url": item.url,
        "waits": result.shown if result.number else "",
        "is_hot": item.queue == "jobs",
        "is_under": request.path == path if is_home else request.path.startswith(path),
        "is_exact": bool(item.query) and item.query in request.META.get("QUERY_STRING", ""),
    }
