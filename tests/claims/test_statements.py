"""What proving a listing costs: pinned, so that it only falls."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from directory.models import Listing
from tests.claims.conftest import Publish, Start
from tests.conftest import Api


@pytest.mark.parametrize(("status", "most"), [("verified", 22), ("pending", 12)])
def test_a_check_costs_what_is_pinned(
    api: Api, listing: Listing, start: Start, publish: Publish, status: str, most: int
) -> None:
    claim = start("meta")
    if status == "verified":
        publish(claim)
    caller = api("all")
    caller.get("/api/v1/claims")
    with CaptureQueriesContext(connection) as statements:
        body = caller.post(f"/api/v1/claims/{claim['claim_id']}/verify").json()

    assert body["status"] == status
    assert len(statements) <= most, "\n".join(row["sql"][:330] for row in statements)
