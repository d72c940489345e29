"""A draft that update_draft changes, and all that is stored of it."""

from collections.abc import Callable
from typing import Any

from directory.models import Site
from drafts.models import Draft
from tests.conftest import Caller, People
from tests.drafts.conftest import blank_draft
from tests.factories.listings import make_category

Api = Callable[..., Caller]
API = "/api/v1/drafts"
QUOTE = {
    "quote": "Invoices that chase themselves",
    "url": "https://tidewell.test/",
    "link": "https://tidewell.test/#:~:text=Invoices",
    "page_title": "Tidewell",
    "source": "text",
    "page_sha256": "0" * 64,
    "fetched_at": "2026-11-21T00:00:00Z",
}
AI = {"name": "Tidewell", "tagline": "Invoices that chase themselves", "features": ["Reminders", "Exports"]}
FAQ = {"question": "Is it free?", "answer": "No."}
FOUNDER = {"name": "Ann Bee", "title": "CEO", "bio": "Bookkeeper."}
MILESTONE = {
    "date": "2026-02-28",
    "title": "First customer",
    "description": "A studio.",
    "url": "https://a.example/1",
}


def drafted(people: People, site: Site) -> Draft:
    """A ready draft with three values of the AI."""
    made = blank_draft(owner=people.owner, site=site)
    for name, value in AI.items():
        made.field_rows.filter(name=name).update(
            value=value, state="ai", evidence=[QUOTE], ai_value=value, ai_evidence=[QUOTE]
        )
    make_category("invoicing", name="Invoicing")
    make_category("time-tracking", name="Time tracking")
    return made


def send(api: Api, draft: Draft, body: Any) -> Any:
    return api("listings:write").patch(f"{API}/{draft.pk}", body)


def everything(draft: Draft) -> Any:
    """All that is stored of a draft."""
    return Draft.objects.filter(pk=draft.pk).values().get(), list(draft.field_rows.order_by("pk").values())
