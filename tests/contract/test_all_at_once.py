"""Everything that is wrong with a request is named in one answer, whichever kind each fault is of."""

from typing import Any

import pytest

from directory.models import Site
from tests.conftest import Api


def test_every_failing_parameter_is_named_at_once(api: Api, site: Site) -> None:
    answer = api().get("/api/v1/listings?country=D3U&page=0&sort=best&stage=No!")

    assert {error["parameter"] for error in answer.json()["errors"]} == {"country", "page", "sort", "stage"}


@pytest.mark.parametrize(
    ("method", "path", "body", "named"),
    [
        (
            "patch",
            "me/listings/1",
            {"fields": {"city": 7}, "apply_to": ["nowhere", "k" * 41, "all"]},
            {"/fields/city", "/apply_to/0", "/apply_to/1"},
        ),
        (
            "put",
            "me/interview",
            {"answers": [{"question_id": 99, "answer": "x"}, {"question_id": 98}]},
            {"/answers/0/question_id", "/answers/1/answer"},
        ),
        ("post", "claims", {"slug": "nobody", "method": "post"}, {"/slug", "/method"}),
        ("post", "claims", {"slug": "nobody", "method": "email"}, {"/slug", "/email"}),
        ("post", "claims", {"method": "email", "why": "mine"}, {"/slug", "/email", "/why"}),
        ("post", "drafts", {"url": "ftp://tidewell.com", "name": "Tidewell"}, {"/url", "/name"}),
        (
            "patch",
            "drafts/1",
            {"fields": {"city": 7, "categories": ["Zzzz"]}, "competitor_url": "http://10.0.0.1"},
            {"/fields/city", "/fields/categories/0", "/competitor_url"},
        ),
        (
            "post",
            "orders/quote",
            {"items": [{"product": "done_for_you"}], "vat_number": "BE1", "why": 1},
            {"/items/0/listing_id", "/vat_number", "/why"},
        ),
        (
            "post",
            "orders/quote",
            {"items": [{"product": "done_for_you"}], "billing_country": "BEL", "vat_number": "0403170701"},
            {"/items/0/listing_id", "/billing_country"},
        ),
        ("get", "leaderboards/best?page=0&week=never", None, {"board", "page", "week"}),
    ],
)
def test_what_names_nothing_is_named_beside_what_breaks_a_rule(
    api: Api, site: Site, method: str, path: str, body: Any, named: set[str]
) -> None:
    caller = api("all")

    answer = getattr(caller, method)(f"/api/v1/{path}", *([] if body is None else [body]))

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert {error.get("pointer") or error["parameter"] for error in answer.json()["errors"]} == named
