"""Servers of models are slow and moody: what they refuse is left out, and what they cost is told once."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from core import jobs
from core.jobs import kinds
from core.models import Job
from directory.models import Site
from drafts import limits
from drafts.models import Draft, ModelAnswer, ModelUse
from drafts.writing.openai_writer import NOTES
from tests.conftest import People
from tests.drafts.modelled import API, DESCRIPTION, FACTS, Api, draft, values
from tests.factories.listings import make_category
from tests.servers.model import (
    Handler,
    ModelServer,
    completion,
    fails,
    faithful,
    in_turn,
    known,
    never,
    question,
    says,
)
from tests.servers.website import Website, html

Body = dict[str, Any]


@pytest.fixture(autouse=True)
def category(site: Site) -> None:
    make_category("invoicing", name="Invoicing", terms=["invoicing software", "invoices"])


def refusing_parameters(behave: Callable[[Handler, Body], None]) -> Callable[[Handler, Body], None]:
    """A server of a model that refuses what older ones take, one thing at a time."""

    def answer(handler: Handler, body: Body) -> None:
        if "max_tokens" in body:
            text = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            handler.send(400, {"error": {"message": text, "param": "max_tokens"}})
        elif "temperature" in body:
            handler.send(
                400, {"error": {"message": "Unsupported value: 'temperature'", "param": "temperature"}}
            )
        else:
            behave(handler, body)

    return answer


def streaming(handler: Handler, body: Body) -> None:
    """A faithful answer in pieces, whether it was asked for in pieces or not."""
    text = json.dumps(known(question(body), FACTS))
    pieces = [{"choices": [{"index": 0, "delta": {"content": part}}]} for part in (text[:50], text[50:])]
    pieces.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    pieces.append({"choices": [], "usage": {"prompt_tokens": 700, "completion_tokens": 70}})
    events = "".join(f"data: {json.dumps(piece)}\n\n" for piece in pieces) + "data: [DONE]\n\n"
    handler.send(200, events.encode(), {"Content-Type": "text/event-stream"})


def test_what_a_server_refuses_is_left_out_and_remembered(
    api: Api, tidewell: Website, model: ModelServer
) -> None:
    model.behave = refusing_parameters(faithful(FACTS))

    first = draft(api)
    asked = [set(body) for body in model.requests]
    tidewell.pages["/about"] = html("<h1>About us</h1><p>Tidewell was founded in 2020 in Ghent, Belgium.</p>")
    ModelAnswer.objects.all().delete()
    Draft.objects.all().delete()
    second = draft(api)

    assert [values(found)["description"] for found in (first, second)] == [DESCRIPTION] * 2
    assert len(asked) == 2
    assert "max_tokens" in asked[0]
    assert not {"max_tokens", "temperature"} & asked[1]
    assert model.requests[1]["max_completion_tokens"] == 8000
    assert model.requests[1]["response_format"]["json_schema"]["strict"] is True
    assert len(model.requests) == 3


@pytest.mark.parametrize("is_asked", [True, False])
def test_an_answer_may_come_in_pieces(
    api: Api, tidewell: Website, model: ModelServer, settings: Any, *, is_asked: bool
) -> None:
    settings.AI_STREAM = is_asked
    model.behave = streaming

    found = draft(api)

    assert values(found)["description"] == DESCRIPTION
    assert found["writer"]["tokens"] == 770
    assert ("stream" in model.requests[0]) is is_asked


@pytest.mark.parametrize(
    "dressed",
    [
        lambda text: f'<think>Perhaps {{"description": null, "usps": null}}?</think>\n{text}',
        lambda text: [{"type": "thinking", "thinking": []}, {"type": "text", "text": text}],
    ],
)
def test_a_thought_before_the_answer_is_none_of_it(
    api: Api, tidewell: Website, model: ModelServer, dressed: Callable[[str], Any]
) -> None:
    model.behave = lambda handler, body: handler.send(
        200, completion(dressed(json.dumps(known(question(body), FACTS))))
    )

    found = draft(api)

    assert values(found)["description"] == DESCRIPTION
    assert found["writer"]["note"] is None
    assert len(model.requests) == 1


def test_a_slow_answer_keeps_its_lease_and_is_asked_for_once(
    api: Api, tidewell: Website, model: ModelServer, monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    """The lease ends while the model thinks, unless it is renewed: then another worker would ask again."""
    kind = kinds.KINDS["drafts.write_from_website"]
    short = replace(kind, lease=timedelta(seconds=0.6))
    monkeypatch.setitem(kinds.KINDS, kind.name, short)
    others: list[Any] = []

    def think(handler: Handler, body: Body) -> None:
        row = Job.objects.get(kind=kind.name)
        first = row.lease_until
        while row.lease_until <= first + timedelta(seconds=0.6):
            handler.server.model.stopped.wait(0.05)
            row.refresh_from_db()
        others.append(jobs.claim(job_id=row.pk))
        connections.close_all()
        faithful(FACTS)(handler, body)

    model.behave = think

    found = draft(api)

    assert others == [None]
    assert (values(found)["description"], len(model.requests)) == (DESCRIPTION, 1)
    assert found["writer"]["tokens"] == 1100


def test_the_cost_is_told_though_the_attempt_that_paid_it_was_lost(
    api: Api, tidewell: Website, model: ModelServer, transactional_db: None
) -> None:
    def lose(handler: Handler, body: Body) -> None:
        Job.objects.filter(kind="drafts.write_from_website").update(token="0" * 32)
        connections.close_all()
        faithful(FACTS)(handler, body)

    model.behave = lose
    body = api("all").post(API, {"url": "https://tidewell.test/"}).json()
    jobs.run_due()
    assert Draft.objects.get().status == "drafting"
    Job.objects.update(state="queued", token=None, lease_until=None)
    jobs.run_due()

    found = api("all").get(f"{API}/{body['id']}").json()

    assert (found["status"], values(found)["description"]) == ("ready", DESCRIPTION)
    assert (len(model.requests), found["writer"]["tokens"], ModelUse.objects.get().tokens) == (1, 1100, 1100)


def test_a_job_may_wait_for_a_model_beside_its_own_work() -> None:
    kind = kinds.KINDS["drafts.write_from_website"]
    patient = replace(kind, waits_seconds=600)

    assert (kind.limit_seconds, patient.limit_seconds) == (150, 750)


def test_the_question_begins_the_same_for_every_site(api: Api, tidewell: Website, model: ModelServer) -> None:
    model.behave = faithful(FACTS)

    draft(api)

    (body,) = model.requests
    system = body["messages"][0]["content"]
    assert "Categories, each name may be chosen:\nInvoicing" in system
    assert "tidewell" not in system.lower()
    assert model.asked[0]["language"] == "en"
    marks = {line["mark"] for line in model.asked[0]["segments"]}
    assert {"h1", "p", "meta description"} <= marks


def test_the_owner_reads_what_was_refused_and_why(api: Api, tidewell: Website, model: ModelServer) -> None:
    invented = "Tidewell is a bank with forty branches. It lends money to studios."
    model.behave = faithful({**FACTS, "description": (invented, "Tidewell is invoicing")})

    found = draft(api)

    refused = found["writer"]["refused"]
    assert [entry["field"] for entry in refused] == ["description"] * 2
    assert refused[0]["value"] == "Tidewell is a bank with forty branches."
    assert {entry["why"] for entry in refused} == {"The lines it names do not say this."}
    assert "bank" not in json.dumps(values(found))


def test_the_page_of_a_draft_says_what_was_refused(
    api: Api, tidewell: Website, model: ModelServer, client: Client, people: People
) -> None:
    model.behave = faithful({"usps": [("Tidewell <b>lends</b> money to studios.", "Tidewell is invoicing")]})
    found = draft(api)
    client.force_login(people.owner)

    page = client.get(f"/drafts/{found['id']}").content.decode()

    assert "What the model wrote and we left out" in page
    assert "Tidewell &lt;b&gt;lends&lt;/b&gt; money to studios." in page
    assert "The lines it names do not say this." in page


@pytest.mark.parametrize("is_carried", [True, False])
def test_a_second_question_decides_where_words_cannot(
    api: Api, tidewell: Website, model: ModelServer, settings: Any, *, is_carried: bool
) -> None:
    settings.AI_ASKS_AGAIN = True
    doubtful = "Small studios remind late payers kindly abroad."

    def answer(handler: Handler, body: Body) -> None:
        if "candidates:" in body["messages"][1]["content"]:
            faithful({"usps": [(doubtful, "reminds late payers politely")]})(handler, body)
        else:
            asked = json.loads(body["messages"][1]["content"])
            assert [row["sentence"] for row in asked] == [doubtful]
            handler.send(200, completion(json.dumps({"carried": [1] if is_carried else []})))

    model.behave = answer

    found = draft(api)

    assert (doubtful in (values(found)["usps"] or [])) is is_carried
    assert (len(model.requests), found["writer"]["tokens"]) == (2, 2200)


@pytest.mark.parametrize("key", ["", "sk-stand-in"])
def test_a_text_that_its_page_cut_in_the_middle_of_an_emoji_is_drafted_from(
    api: Api, tidewell: Website, model: ModelServer, settings: Any, key: str
) -> None:
    """As `JSON.stringify` writes it: the half is no text, so neither a column nor a model's server takes it."""
    settings.OPENAI_API_KEY = key
    stated = json.dumps({"@type": "Organization", "name": "Tidewell", "description": f"{DESCRIPTION} \ud83d"})
    page = f'<script type="application/ld+json">{stated}</script><h1>Tidewell</h1><p>{DESCRIPTION}</p>'
    tidewell.pages["/"] = html(page)

    found = draft(api)

    assert (found["status"], values(found)["name"]) == ("ready", "Tidewell")
    assert len(model.requests) == 2 * bool(key)


def notes_of(api: Api, number: int) -> list[str | None]:
    """What so many new drafts say of their writer."""
    notes = []
    for _ in range(number):
        Draft.objects.all().delete()
        notes.append(draft(api)["writer"]["note"])
    return notes


def test_a_silent_model_is_asked_by_two_drafts_and_no_other(
    api: Api, tidewell: Website, model: ModelServer, settings: Any
) -> None:
    settings.AI_TIMEOUT, model.behave = 1.5, never

    assert notes_of(api, 4) == [NOTES["timeout"]] * 4
    assert len(model.requests) == 2


def test_a_silent_model_is_tried_again_after_a_rest(
    api: Api, tidewell: Website, model: ModelServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MODEL_REST_SECONDS", 0)
    settings.AI_TIMEOUT, model.behave = 1.5, in_turn(never, never, faithful(FACTS))

    assert notes_of(api, 3) == [NOTES["timeout"], NOTES["timeout"], None]


@pytest.mark.parametrize(("first", "note"), [(says("Let me see."), "timeout"), (fails(500), "busy")])
def test_a_slow_model_is_asked_by_each_draft(
    api: Api, tidewell: Website, model: ModelServer, settings: Any, first: Any, note: str
) -> None:
    """It answered, if not all that was asked before the draft's time was over."""
    settings.AI_TIMEOUT = 4
    model.behave = in_turn(*3 * (first, never), faithful(FACTS))

    assert notes_of(api, 4) == [*3 * [NOTES[note]], None]
    assert len(model.requests) == 7


def test_the_log_says_once_that_a_model_refuses_and_once_that_it_answers(
    api: Api, tidewell: Website, model: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    model.behave = in_turn(fails(401), fails(401), faithful(FACTS))

    assert notes_of(api, 3) == [NOTES["rejected"], NOTES["rejected"], None]
    lines = [record.getMessage() for record in caplog.records if record.name == "core.outages"]
    assert lines == ["The language model is away", "The language model is back"]
