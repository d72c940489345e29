"""Drafts of tidewell.test that a model had a hand in."""

from collections.abc import Callable
from typing import Any

from core import jobs
from tests.conftest import Caller

Api = Callable[..., Caller]
API = "/api/v1/drafts"
DESCRIPTION = "Tidewell reminds late payers politely. It is invoicing software for small studios."
FACTS = {
    "description": (DESCRIPTION, "Tidewell is invoicing software for small studios."),
    "usps": ["It reminds late payers politely."],
    "features": ["unlimited invoices"],
    "tags": ["invoicing"],
}


def draft(api: Api) -> dict[str, Any]:
    """Submit tidewell.test, let the worker run, and give the draft back."""
    body = api("all").post(API, {"url": "https://tidewell.test/"}).json()
    jobs.run_due()
    found: dict[str, Any] = api("all").get(f"{API}/{body['id']}").json()
    return found


def values(found: dict[str, Any]) -> dict[str, Any]:
    return {name: field["value"] for name, field in found["fields"].items()}
