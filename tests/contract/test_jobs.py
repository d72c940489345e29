"""Every kind of job is run by somebody: by a worker's reaper, or by code that adds it."""

import ast
from pathlib import Path

import pytest
from django.conf import settings

from config.celery import app
from config.reaper import Clock, Reaper
from core import jobs
from core.models import Heartbeat, Job

AREAS = ("accounts", "claims", "config", "core", "directory", "drafts", "leaderboards", "orders")
PERIODS = {
    "accounts.forget_unused": 3600,
    "claims.plan": 300,
    "config.back_up": 3600,
    "config.draw_home": 30,
    "config.prune": 3600,
    "core.resume_events": 300,
    "directory.check_badges": 600,
    "directory.fold_views": 30,
    "directory.write_hours": 60,
    "directory.thin_out_figures": 3600,
    "directory.plan_reminders": 900,
    "directory.publish_due": 60,
    "directory.recount_reviews": 3600,
    "directory.recount_terms": 21600,
    "directory.refresh_tiers": 900,
    "directory.refresh_trends": 300,
    "directory.send_digests": 600,
    "directory.sweep_pictures": 86400,
    "leaderboards.close_weeks": 300,
    "orders.check_payments": 120,
    "orders.expire_orders": 300,
    "leaderboards.refresh_ratings": 3600,
    "leaderboards.write_open_data": 86400,
    "leaderboards.refresh_standings": 3600,
    "orders.open_weeks": 21600,
    "orders.hand_over_waiting": 3600,
}


def named_outside_declarations() -> set[str]:
    """Every text in the code that declares no kind: by `@job(...)` above a function or `does(...)`."""
    found: set[str] = set()
    for area in AREAS:
        for path in Path(settings.BASE_DIR / area).rglob("*.py"):
            tree = ast.parse(path.read_text())
            declared = {
                id(part)
                for node in ast.walk(tree)
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("job", "does"))
                for part in ast.walk(node)
            }
            found |= {
                node.value
                for node in ast.walk(tree)
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in declared
            }
    return found


def test_every_kind_is_periodic_or_added_by_code() -> None:
    named = named_outside_declarations()

    assert [kind.name for kind in jobs.KINDS.values() if not kind.every and kind.name not in named] == []


def test_the_periods_are_those_that_are_promised() -> None:
    assert {kind.name: kind.every for kind in jobs.periodic()} == PERIODS


def test_processes_of_workers_may_take_their_time_to_come_up() -> None:
    assert (
        app.conf.worker_proc_alive_timeout == 60
    )  # Celery's 4 s kill light processes of a busy machine, again and again


@pytest.mark.django_db(transaction=True)
def test_beat_adds_every_periodic_kind_and_says_when_it_was_there() -> None:
    assert app.conf.beat_scheduler == f"{Clock.__module__}:{Clock.__name__}"
    Clock(app).tick()

    assert set(Job.objects.values_list("kind", flat=True)) == set(PERIODS)
    assert list(Heartbeat.objects.values_list("name", flat=True)) == ["beat"]


@pytest.mark.django_db(transaction=True)
def test_workers_of_the_default_queue_add_every_periodic_kind_once() -> None:
    kinds = []
    for queues in (("crawl", "ai"), ("mail", "default"), ("mail", "default")):
        reaper = Reaper(None)
        reaper.queues = queues
        reaper.reap_once()
        kinds.append(sorted(Job.objects.values_list("kind", flat=True)))

    assert kinds == [[], sorted(PERIODS), sorted(PERIODS)]
    assert set(Heartbeat.objects.values_list("name", flat=True)) == {"beat", "reaper"}
