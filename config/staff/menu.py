"""The menu of the back office: by job, not by table. An item without the right is absent."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from accounts.staff import rights
from config.staff import queues


@dataclass(frozen=True)
class Item:
    """One line of the menu. `queue` names the rows of `queues` that its number comes from, a space between two."""

    name: str
    icon: str
    page: str  # the name of its address in the back office
    act: str
    query: str = ""
    queue: str = ""
    key: str = ""  # G and this letter go there
    words: str = ""  # what else it is called by who looks for it

    @property
    def path(self) -> str:
        return reverse(f"admin:{self.page}")

    @property
    def url(self) -> str:
        return f"{self.path}?{self.query}" if self.query else self.path


MENU: dict[str, tuple[Item, ...]] = {
    "": (Item("Start", "house", "index", "start.see", key="s"),),
    "Review": (
        Item("Edits", "inbox", "directory_listingrevision_queue", "edits.see", queue="edits", key="e"),
        Item(
            "Claims", "shield", "claims_claim_changelist", "claims.see", query="inbox=staff", queue="claims"
        ),
        Item(
            "Reviews",
            "star",
            "directory_review_changelist",
            "reviews.see",
            query="status__exact=waiting",
            queue="reviews",
            words="stars, ratings of people",
        ),
        Item(
            "Questions",
            "mail",
            "directory_question_changelist",
            "reviews.see",
            words="answers, questions to makers",
        ),
        Item(
            "Reports",
            "flag",
            "directory_report_changelist",
            "reports.see",
            query="status__exact=open",
            queue="reports",
        ),
        Item("Votes", "arrow-big-up", "directory_vote_risks", "votes.see", queue="votes"),
    ),
    "Directory": (
        Item("Listings", "list", "directory_listing_changelist", "listings.see", key="l"),
        Item("Drafts", "file-text", "drafts_draft_changelist", "drafts.see"),
        Item("Weeks", "calendar-days", "orders_launchweek_calendar", "weeks.see"),
        Item("Categories", "tree", "directory_category_tree", "categories.see"),
        Item("Founders", "circle-user", "directory_founder_changelist", "founders.see"),
        Item("Posts and pages", "pen-line", "directory_blogpost_changelist", "posts.see"),
    ),
    "Money": (
        Item("Orders", "receipt", "orders_order_changelist", "orders.see", queue="orders", key="o"),
        Item(
            "Invoices",
            "file-text",
            "orders_invoice_changelist",
            "orders.see",
            queue="peppol",
            words="credit notes, documents, corrections",
        ),
        Item(
            "VAT returns",
            "calendar-days",
            "orders_invoice_returns",
            "vat.see",
            words="returns, oss, datev, ledger, recapitulative statement, quarter",
        ),
        Item(
            "Paid work",
            "check",
            "orders_stafftask_changelist",
            "orders.decide",
            query=queues.OPEN_WORK,
            queue="work wishes",
            words="tasks, done for you, refunds asked for, money back, wishes",
        ),
        Item(
            "Disputes",
            "triangle-alert",
            "orders_order_changelist",
            "orders.decide",
            query=queues.DISPUTED,
            queue="disputes",
            words="chargebacks",
        ),
        Item("Prices and codes", "tag", "orders_productprice_prices", "prices.see"),
        Item(
            "VAT",
            "percent",
            "orders_vatrate_changelist",
            "vat.see",
            words="rates, areas, registrations, small business",
        ),
    ),
    "People": (
        Item("People", "users", "accounts_user_changelist", "people.see", key="p"),
        Item("Mail", "mail", "core_mail_changelist", "mail.see", queue="mail"),
        Item(
            "Winners by mail",
            "star",
            "directory_winnersreader_changelist",
            "mail.see",
            words="readers, subscribers, newsletter",
        ),
        Item(
            "Launch reminders", "clock", "directory_launchreminder_changelist", "mail.see", words="remind me"
        ),
        Item(
            "Week reminders",
            "calendar-days",
            "directory_weekreminder_changelist",
            "mail.see",
            words="remind me",
        ),
        Item("Staff and roles", "key-round", "staff", "staff.see"),
    ),
    "Operation": (
        Item("Jobs", "activity", "core_job_changelist", "jobs.see", queue="jobs"),
        Item("Webhooks", "bell-ring", "core_endpoint_changelist", "webhooks.see"),
        Item(
            "Programmes",
            "star",
            "leaderboards_programme_changelist",
            "programmes.see",
            words="contests, awards",
        ),
        Item("Domain ratings", "activity", "leaderboards_domainrating_changelist", "ratings.see"),
        Item("Sites", "globe", "directory_site_changelist", "sites.see"),
        Item("Settings", "sliders", "directory_sitesettings_changelist", "settings.see"),
        Item("Audit log", "history", "accounts_staffact_changelist", "audit.see"),
    ),
}


def menu(request: HttpRequest) -> list[tuple[str, list[dict[str, Any]]]]:
    """The groups and items that this member of staff has, with what waits."""
    waiting = queues.counts()
    groups: list[tuple[str, list[dict[str, Any]]]] = []
    for title, items in MENU.items():
        entries = [_entry(request, item, waiting) for item in items if rights.may(request.user, item.act)]
        if entries:
            groups.append((title, entries))
    current = [item for _, entries in groups for item in entries if item["is_under"]]
    if current:  # the most particular one: two lists may share an address and differ in their query
        max(current, key=lambda item: (item["is_exact"], len(item["path"])))["is_current"] = True
    return groups


def _entry(request: HttpRequest, item: Item, waiting: dict[str, queues.Waiting]) -> dict[str, Any]:
    result = queues.together(waiting[key] for key in item.queue.split() if key in waiting)
    is_home = item.page == "index"
    return {
        "name": item.name,
        "icon": item.icon,
        "key": item.key,
        "path": item.path,
        "url": item.url,
        "waits": result.number_text if result.number else "",
        "is_hot": item.queue == "jobs",
        "is_under": request.path == item.path if is_home else request.path.startswith(item.path),
        "is_exact": bool(item.query) and item.query in request.META.get("QUERY_STRING", ""),
    }
