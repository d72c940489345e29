"""What a model may cost: calls, tokens, caps by day, and nothing paid for twice."""

from typing import Any

import pytest
from django.utils import timezone

from core import jobs
from directory.models import Site
from drafts.models import Draft, ModelAnswer, ModelUse
from tests.conftest import People
from tests.drafts.modelled import API, FACTS, Api, draft, values
from tests.factories.listings import make_category
from tests.servers.model import ModelServer, faithful, says
from tests.servers.website import Website, html


@pytest.fixture(autouse=True)
def category(site: Site) -> None:
    make_category("invoicing", name="Invoicing", terms=["invoicing software", "invoices"])


def test_a_draft_takes_one_question_of_sixteen_thousand_tokens_at_most(
    api: Api, tidewell: Website, model: ModelServer
) -> None:
    wall = "".join(
        f"<p>Tidewell keeps ledger number {n} of the studio in order, with care.</p>" for n in range(4000)
    )
    tidewell.pages["/pricing"] = html(f"<h1>Pricing</h1><p>€12 per month.</p>{wall}")
    model.behave = faithful(FACTS)

    draft(api)

    sizes = [sum(len(message["content"]) for message in body["messages"]) for body in model.requests]
    assert len(sizes) == 1
    assert 10_000 < sizes[0] / 4 <= 16_000


def test_use_and_cost_are_counted_on_the_draft_and_by_the_day(
    api: Api, tidewell: Website, model: ModelServer, people: People, settings: Any
) -> None:
    settings.AI_PRICE_IN, settings.AI_PRICE_OUT = 0.15, 0.6
    model.behave = faithful(FACTS)

    found = draft(api)

    row = Draft.objects.get(pk=found["id"])
    assert (row.tokens_in, row.tokens_out, row.cost_micros) == (1000, 100, 210)
    use = ModelUse.objects.get(owner=people.owner)
    assert (use.calls, use.tokens, use.cost_micros) == (1, 1100, 210)


@pytest.mark.parametrize("cap", ["AI_TOKENS_PER_USER_A_DAY", "AI_TOKENS_A_DAY"])
def test_past_a_cap_the_rules_write_alone_and_say_so(
    api: Api, tidewell: Website, model: ModelServer, people: People, settings: Any, cap: str
) -> None:
    setattr(settings, cap, 100)
    settings.RATE_LIMIT_FACTOR = 10
    today = timezone.now().date()
    ModelUse.objects.create(owner=people.owner, day=today, tokens=1000)

    found = draft(api)

    assert (found["status"], found["writer"]["name"], model.requests) == ("ready", "extractive", [])
    assert found["writer"]["note"].startswith("Today's share of the model is used up")


def test_the_same_pages_are_not_paid_for_twice(
    api: Api, tidewell: Website, model: ModelServer, people: People
) -> None:
    model.behave = faithful(FACTS)
    first = draft(api)
    other = api("all", user=people.stranger)
    body = other.post(API, {"url": "https://tidewell.test/"}).json()
    jobs.run_due()

    second = other.get(f"{API}/{body['id']}").json()

    assert values(second) == values(first)
    assert (len(model.requests), ModelAnswer.objects.count(), second["writer"]["tokens"]) == (1, 1, None)


def test_an_answer_that_cannot_be_read_is_not_remembered(
    api: Api, tidewell: Website, model: ModelServer
) -> None:
    model.behave = says("no")

    draft(api)

    assert ModelAnswer.objects.count() == 0


def test_so_many_redrafts_a_day(api: Api, tidewell: Website, settings: Any, model: ModelServer) -> None:
    settings.OPENAI_API_KEY = ""
    found = draft(api)
    path = f"{API}/{found['id']}"
    settings.RATE_LIMIT_FACTOR = 0.1
    for _ in range(3):
        assert api("all").patch(path, {"regenerate": ["city"]}).status_code == 200

    refused = api("all").patch(path, {"regenerate": ["city"]})

    assert (refused.status_code, refused.json()["code"], refused.json()["limit"]) == (
        400,
        "regenerate_limit",
        3,
    )
    Draft.objects.update(redrafts_on="2020-01-01")
    assert api("all").patch(path, {"regenerate": ["city"]}).status_code == 200
