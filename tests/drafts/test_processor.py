"""No rule runs past its part of the processor's time, whatever it does there."""

import re
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from test.support import catch_unraisable_exception

from core import jobs
from core.models import Job
from drafts import languages, processor
from drafts.crawl import segments
from drafts.crawl.report import CrawledPage, CrawlReport
from drafts.crawl.segments import read_site
from drafts.drafting import first_draft
from drafts.processor import Allowance, OutOfTimeError, within
from drafts.writing import founding, judging
from drafts.writing.answer import Claim
from drafts.writing.extractive import writer
from drafts.writing.extractive.writer import ExtractiveWriter
from drafts.writing.facts import DRAFTED
from drafts.writing.founding import founding_years
from drafts.writing.identity import Identity
from drafts.writing.reading import Reading
from tests import hostile
from tests.conftest import Api, People, signed_in
from tests.servers.website import Website, html

SECONDS = 0.05
HOME = (
    "<title>Acme</title><h1>Acme counts bolts in workshops</h1>"
    "<p>Acme was founded in 2019 by Anna Berg in Ghent, Belgium. Write to hello@acme.test.</p>"
    "<h2>Counts by weight</h2><p>Acme is free for one workshop.</p>"
)


def site_of(*texts: str) -> Any:
    pages = tuple(
        CrawledPage(url=f"{hostile.HOME}{number}", status=200, html=text, fetched_at=hostile.AT)
        for number, text in enumerate(texts)
    )
    return read_site(
        CrawlReport(start_url=hostile.HOME, home_url=hostile.HOME, robots="allowed", pages=pages)
    )


def backtrack(*_: object, **__: object) -> Any:
    """A pattern that never ends, which asks nobody for the time."""
    re.match(r"(?:a+)+$", "a" * 64 + "!")


def loop() -> None:
    """Steps without end."""
    while True:
        pass


@pytest.mark.parametrize("work", [backtrack, loop])
def test_work_that_never_ends_is_ended(work: Callable[[], object]) -> None:
    began = time.process_time()

    with pytest.raises(OutOfTimeError):
        within(SECONDS, work)

    assert time.process_time() - began < SECONDS + 0.5


def test_an_exception_that_is_swallowed_comes_again() -> None:
    swallowed: list[str] = []

    def work() -> None:
        while len(swallowed) < 3:
            try:
                backtrack()
            except OutOfTimeError:
                swallowed.append("")
        backtrack()

    with pytest.raises(OutOfTimeError):
        within(SECONDS, work)

    assert len(swallowed) == 3


def test_a_finalizer_that_it_meets_is_not_reported_and_the_work_ends_still() -> None:
    class Slow:
        def __del__(self) -> None:
            backtrack()

    def work() -> None:
        Slow()
        backtrack()

    with catch_unraisable_exception() as reported:
        with pytest.raises(OutOfTimeError):
            within(SECONDS, work)

        assert reported.unraisable is None


def test_what_else_a_finalizer_raises_is_reported() -> None:
    class Broken:
        def __del__(self) -> None:
            raise LookupError

    with catch_unraisable_exception() as reported:
        within(SECONDS, lambda: str(Broken()))

        assert reported.unraisable is not None
        assert isinstance(reported.unraisable.exc_value, LookupError)


def test_work_within_work_has_the_shorter_time_and_gives_back_the_longer() -> None:
    def outer() -> str:
        with pytest.raises(OutOfTimeError):
            within(SECONDS, backtrack)
        return within(60, lambda: "on")

    assert within(5, outer) == "on"
    with pytest.raises(OutOfTimeError):
        within(SECONDS, lambda: within(60, backtrack))
    assert processor._bound.ends_at == float("inf")


def test_nothing_is_begun_without_time() -> None:
    allowance = Allowance(seconds=0, each=1)

    assert allowance.spend(lambda: "done", otherwise="blank") == "blank"


RULES = ExtractiveWriter(categories=hostile.HINTS).rules()
OTHERS = {"founders": "draft_founders", "faqs": "draft_faqs", "socials": "draft_socials"}


@pytest.mark.parametrize("keys", RULES, ids=" ".join)
def test_a_rule_that_never_ends_leaves_its_fields_blank_and_the_others_as_they_are(
    keys: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    site = site_of(HOME)
    whole = ExtractiveWriter(categories=hostile.HINTS).write(site)
    monkeypatch.setattr(ExtractiveWriter, "rules", lambda _: {**RULES, keys: backtrack})
    began = time.process_time()

    written = ExtractiveWriter(categories=hostile.HINTS, each=SECONDS).write(site)

    assert time.process_time() - began < SECONDS + 2
    assert {name: written.fields[name].value for name in keys} == dict.fromkeys(keys)
    assert {name: draft for name, draft in written.fields.items() if name not in keys} == {
        name: draft for name, draft in whole.fields.items() if name not in keys
    }
    assert written.founders == whole.founders


@pytest.mark.parametrize("name", OTHERS)
def test_people_questions_and_profiles_are_rules_like_the_others(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = site_of(HOME)
    whole = ExtractiveWriter().write(site)
    monkeypatch.setattr(writer, OTHERS[name], backtrack)

    written = ExtractiveWriter(each=SECONDS).write(site)

    assert written.fields == whole.fields
    assert not getattr(written, {"socials": "company_socials"}.get(name, name))


def test_a_check_that_never_ends_lets_no_value_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "EACH_SECONDS", SECONDS)
    monkeypatch.setattr(type(DRAFTED["city"]), "follows", lambda *_: backtrack())
    site = site_of(HOME)
    lines = tuple(s for page in site.pages for s in page.texts if "2019" in s.text)[:1]
    judge = judging.Judge(site=site, name="Acme", categories=frozenset())

    written = judge.judged(
        Claim(field=name, value=value, lines=lines)
        for name, value in (("city", "Ghent"), ("founded_year", "2019"))
    )

    assert {name: draft.value for name, draft in written.fields.items()} == {"founded_year": "2019"}


# -- what the rules themselves cost -------------------------------------------------------------------------


class Counting(Identity):
    """An identity that counts how many signs are searched for its names."""

    signs = 0

    def named_in(self, text: str) -> bool:
        type(self).signs += len(text)
        return super().named_in(text)


@pytest.mark.parametrize("piece", ["since 2019 ", "founded 2019 ", "we began in 2019 ", "2019 "])
def test_the_years_of_a_sentence_are_read_once(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    near: list[str] = []
    is_near = founding._is_near
    monkeypatch.setattr(founding, "_is_near", lambda *parts: near.append("") or is_near(*parts))
    monkeypatch.setattr(Counting, "signs", 0)
    site = site_of("<p>" + piece * 14_000)
    own = Counting(("Acme",), frozenset({"acme.test"}), ())

    assert len(founding_years(Reading(site, own))) <= 1

    assert Counting.signs <= sum(len(page.text) for page in site.pages)
    assert len(near) <= 50 * 40


def cue_words() -> dict[str, list[str]]:
    """Some phrases of every kind of words that the rules look for."""
    kinds = {kind for words in languages._files().values() for kind in words}
    return {kind: sorted(languages.phrases(kind), key=len)[-3:] for kind in sorted(kinds)}


def test_pages_of_every_cue_word_cost_no_more_than_their_part() -> None:
    for start in range(0, len(cue_words()), 20):
        kinds = list(cue_words().items())[start : start + 20]
        text = "".join(
            f"<p>{' '.join(f'{phrase} 2019 Acme $9, Ghent (' for phrase in phrases) * 12}"
            for _, phrases in kinds
        )
        began = time.process_time()

        ExtractiveWriter(categories=hostile.HINTS, seconds=1.0, each=0.5).write(site_of(HOME + text))

        assert time.process_time() - began < 1.0 + judging.CHECK_SECONDS


# -- the whole job --------------------------------------------------------------------------------------------


def test_a_page_of_years_is_drafted_at_the_first_try(api: Api, site: Any, tidewell: Website) -> None:
    tidewell.pages["/"] = html("<title>Tidewell</title><h1>Tidewell</h1><p>" + "since 2019 " * 14_000)
    draft = api("all").post("/api/v1/drafts", {"url": "https://tidewell.test/"}).json()

    jobs.run_due()

    shown = api("all").get(f"/api/v1/drafts/{draft['id']}").json()
    assert (shown["status"], shown["fields"]["name"]["value"]) == ("ready", "Tidewell")
    assert Job.objects.get(kind="drafts.write_from_website").attempt == 1


def test_a_site_that_is_too_much_to_read_fails_at_once_and_can_be_tried_again(
    api: Api, people: People, site: Any, tidewell: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_draft, "READING_SECONDS", SECONDS)
    monkeypatch.setattr(segments, "read_site", backtrack)
    draft = api("all").post("/api/v1/drafts", {"url": "https://tidewell.test/"}).json()
    path = f"/api/v1/drafts/{draft['id']}"
    jobs.run_due()
    failed = api("all").get(path).json()
    job = Job.objects.get(kind="drafts.write_from_website")
    monkeypatch.undo()

    assert (failed["status"], failed["error"]["code"]) == ("failed", "timeout")
    assert failed["error"]["detail"] == first_draft.TOO_LONG
    assert (job.state, job.attempt) == (Job.State.DONE, 1)

    browser = signed_in(people.owner)
    assert browser.post(f"/drafts/{draft['id']}/again").status_code == 302
    jobs.run_due()
    assert api("all").get(path).json()["status"] == "ready"


@pytest.mark.django_db(transaction=True)
def test_a_statement_is_answered_before_its_work_is_abandoned() -> None:
    """Other threads use the time while the work's own one waits; cut off, it could not even say that it failed."""
    over = threading.Event()

    def use_time() -> None:
        while not over.is_set():
            sum(range(1000))

    thread = threading.Thread(target=use_time)

    def work() -> None:
        thread.start()
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(0.5)")
        loop()

    try:
        with pytest.raises(OutOfTimeError):
            within(SECONDS, work)
    finally:
        over.set()
        thread.join()
    assert Job.objects.count() == 0
