"""What an operator watches, as Prometheus reads it: a few bounded statements, and what the web’s processes counted."""

import hmac
import threading
import time
from collections import defaultdict
from datetime import datetime, timedelta
from typing import Any

import psutil
from django.conf import settings
from django.db import DatabaseError, Error
from django.http import HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from config.celery import QUEUES
from core import jobs, logs, mail, replica
from core.cache import client_of
from core.clock import database_now
from core.methods import require_safe
from core.postgresql.base import fetch_all
from directory import weeks
from orders.paying import refused_keys

BOUNCES, HOUR = 10_000, timedelta(hours=1)
SILENT = timedelta(minutes=30)  # after which a payment should have been asked about, twice over
# Ten thousand rows of a state are counted: there are "so many or more".
JOBS = """
WITH held AS (
    (SELECT kind, queue, state, run_after, lease_until, created_at, attempt, last_error FROM core_job
        WHERE state IN ('queued', 'running') ORDER BY run_after LIMIT 10000)
    UNION ALL (SELECT kind, queue, state, run_after, NULL, NULL, 0, '' FROM core_job WHERE state = 'dead' LIMIT 10000)
    UNION ALL (SELECT kind, queue, state, run_after, NULL, NULL, 0, '' FROM core_job
        WHERE finished_at > %(at)s::timestamptz - interval '5 minutes' AND state = 'done' LIMIT 10000)
)
SELECT kind, queue, state, count(*), count(*) FILTER (WHERE state = 'running' AND lease_until <= %(at)s),
    coalesce(extract(epoch FROM %(at)s - least(
        min(run_after) FILTER (WHERE state = 'queued' AND run_after <= %(at)s),
        min(lease_until) FILTER (WHERE state = 'running' AND lease_until <= %(at)s)
    )), 0)::float,
    coalesce(extract(epoch FROM %(at)s - min(created_at) FILTER (WHERE state = 'queued' AND attempt = 0)), 0)::float,
    coalesce(extract(epoch FROM %(at)s - min(created_at) FILTER (
        WHERE state = 'queued' AND attempt > 0 AND NOT starts_with(last_error, 'SMTPRecipientsRefused')
    )), 0)::float
FROM held GROUP BY kind, queue, state ORDER BY kind, queue, state
"""
CALENDAR = """
SELECT
    (SELECT count(*) FROM (SELECT FROM directory_listing
        WHERE status = 'scheduled' AND launch_week <= %(week)s::date LIMIT 10000) AS due),
    (SELECT count(*) FROM directory_site AS site,
        generate_series(%(week)s::date - 52 * 7, %(week)s::date - 7, interval '7 days') AS over(week)
        WHERE EXISTS (SELECT FROM directory_launch AS launch WHERE launch.site_id = site.id
            AND launch.week = over.week::date AND launch.launched_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM leaderboards_weekclose AS done WHERE done.site_id = site.id
            AND done.week = over.week::date))
"""
MONEY = """
SELECT
    (SELECT count(*) FROM (SELECT FROM orders_payment
        WHERE status IN ('started', 'processing') AND next_check_at < %(since)s LIMIT 10000) AS silent),
    (SELECT count(*) FROM (SELECT FROM orders_order WHERE review_reason <> '' LIMIT 10000) AS review),
    (SELECT count(*) FROM (SELECT FROM orders_orderline WHERE fulfilment_status = 'blocked' LIMIT 10000) AS b)
"""
CONNECTIONS = """
SELECT coalesce(state, 'other'), count(*), current_setting('max_connections')::int,
    current_setting('superuser_reserved_connections')::int
FROM pg_stat_activity WHERE backend_type = 'client backend' GROUP BY state
"""
REFUSAL = "METRICS_TOKEN is wanted here, as a bearer token. Where it is not set, nobody beyond this machine may ask.\n"
CACHE_SECONDS = 5.0  # one process asks the database no more often than this
STALE_SECONDS = 30.0
WAIT_SECONDS = 1.0
_cached: list[tuple[float, bytes]] = []
_being_made = threading.Lock()


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Everything that can be said. While the database is away, that it is, and what needs no database."""
    if not _may_read(request):
        return HttpResponse(REFUSAL, status=401, content_type="text/plain")
    gauges = Gauges()
    measure_machine(gauges)
    try:
        text = _text()
    except Error:
        text = b""
    gauges.add("database_up", "Whether the database answers", bool(text))
    own = generate_latest(logs.counts_of_all_processes())
    return HttpResponse(text + generate_latest(gauges) + own, content_type=CONTENT_TYPE_LATEST)


def _may_read(request: HttpRequest) -> bool:
    """With the token; without one that could be sent, whoever is on this machine, if nobody else reaches it."""
    if not settings.METRICS_TOKEN:
        return bool(settings.ON_LOOPBACK)
    header = request.META.get("HTTP_AUTHORIZATION", "")
    return hmac.compare_digest(header.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())


def _text() -> bytes:
    """What was measured last; whoever meets somebody at it waits no longer than a moment for what comes of that."""
    if _age() >= CACHE_SECONDS and _being_made.acquire(timeout=WAIT_SECONDS):
        try:
            if _age() >= CACHE_SECONDS:
                _cached[:] = [(time.monotonic(), generate_latest(_measured()))]
        finally:
            _being_made.release()
    if _age() >= STALE_SECONDS:
        raise DatabaseError("Somebody else is waiting for the database.")
    return _cached[0][1]


def _age() -> float:
    return time.monotonic() - _cached[0][0] if _cached else STALE_SECONDS


class Gauges(Collector):
    """Figures as of now, said once: the library's own Gauge keeps each process's last one in the folder of them all."""

    def __init__(self) -> None:
        self.families: list[GaugeMetricFamily] = []

    def collect(self) -> list[GaugeMetricFamily]:
        return self.families

    def add(self, name: str, words: str, value: float) -> None:
        self.families.append(GaugeMetricFamily(name, words, value=value))

    def add_by(self, name: str, words: str, values: dict[Any, float], *labels: str) -> None:
        family = GaugeMetricFamily(name, words, labels=labels)
        for key, value in values.items():
            family.add_metric(key if isinstance(key, tuple) else (key,), value)
        self.families.append(family)


def _measured() -> Gauges:
    """Every gauge that the database knows, as of now."""
    gauges, at = Gauges(), database_now()
    for measure in OF_THE_DATABASE:
        measure(gauges, at=at)
    return gauges


def measure_jobs(gauges: Gauges, *, at: datetime) -> None:
    number: dict[tuple[str, str], int] = defaultdict(int)
    by_kind: dict[str, float] = defaultdict(float)
    by_queue: dict[str, float] = dict.fromkeys(QUEUES, 0.0)
    lapsed = 0
    rows = fetch_all(JOBS, {"at": at})
    for kind, queue, state, count, gone, seconds, *_ in rows:
        number[kind, state] += count
        by_kind[kind] = max(by_kind[kind], seconds)
        by_queue[queue] = max(by_queue.get(queue, 0.0), seconds)
        lapsed += gone
    dead = sum(count for (_, state), count in number.items() if state == "dead")
    gauges.add_by("jobs", "Jobs by kind and state; done ones of five minutes", dict(number), "kind", "state")
    words = "How long the oldest due or orphaned job has waited"
    gauges.add("jobs_oldest_due_seconds", words, max(by_queue.values()))
    gauges.add_by("job_oldest_due_seconds", f"{words}, by kind", by_kind, "kind")
    gauges.add_by("queue_oldest_due_seconds", f"{words}, by queue", by_queue, "queue")
    gauges.add("jobs_leases_lapsed", "Running jobs whose worker is gone", lapsed)
    gauges.add("jobs_dead", "Dead letters: look at them in the admin", dead)
    _measure_mails(gauges, [row for row in rows if row[0] == mail.KIND], at=at)
    _measure_beats(gauges)
    paused = dict.fromkeys(jobs.pauses(), 1.0)
    gauges.add_by("queue_paused", "Queues that stand still on purpose", paused, "queue")


def _measure_mails(gauges: Gauges, rows: list[tuple[Any, ...]], *, at: datetime) -> None:
    number: dict[str, int] = defaultdict(int)
    untried = in_vain = 0.0
    for _, _, state, count, _, _, without_a_try, tried in rows:
        number[state] += count
        untried, in_vain = max(untried, without_a_try), max(in_vain, tried)
    if first := mail.ended_in_vain(since=at - HOUR).order_by("queued_at").first():
        in_vain = max(in_vain, (at - first.queued_at).total_seconds())
    gauges.add("mails_waiting", "Mails that are not sent yet", number["queued"])
    words = "How long the oldest mail has waited that was not tried yet, put back or not"
    gauges.add("mails_untried_seconds", words, untried)
    words = (
        "How long the oldest mail has been refused, not for its address, while none went out for five minutes"
    )
    gauges.add("mails_refused_seconds", words, 0.0 if number["done"] else in_vain)
    gauges.add("mails_failed", "Mails that could not be sent", number["dead"])
    words = "Mails that an address refused and that staff have not looked at"
    gauges.add("mails_bounced", words, mail.bounced()[:BOUNCES].count())
    words, lately = "Mails of the last hour that an address refused, those with codes too", at - HOUR
    gauges.add("mails_bounced_lately", words, mail.refused_since(lately)[:BOUNCES].count())


def _measure_beats(gauges: Gauges) -> None:
    """When each part of the installation last said that it runs."""
    beats = jobs.heartbeats()
    for name, words in (
        ("beat", "When a worker last looked for periodic jobs"),
        ("reaper", "When a worker last looked for lost jobs"),
    ):
        seen = beats[name].timestamp() if name in beats else 0
        gauges.add(f"{name}_last_seen_timestamp_seconds", words, seen)
    if settings.BACKUP_TO or "backup" in beats:
        words, made_at = "When the newest backup was complete", beats.get("backup")
        value = made_at.timestamp() if made_at else 0
        gauges.add("backup_last_success_timestamp_seconds", words, value)


def measure_calendar(gauges: Gauges, *, at: datetime) -> None:
    ((due, still_open),) = fetch_all(CALENDAR, {"week": weeks.week_of(at)})
    gauges.add("launches_due", "Listings whose week has begun and that are not live", due)
    words = "Weeks of the last year that are over and have no result"
    gauges.add("weeks_not_closed", words, still_open)


def measure_money(gauges: Gauges, *, at: datetime) -> None:
    """What somebody has to look at when it stays."""
    ((silent, in_review, blocked),) = fetch_all(MONEY, {"since": at - SILENT})
    words = "Open payments that nobody has asked the provider about in time"
    gauges.add("payments_unreconciled", words, silent)
    words = "Payment providers that refused our key, and that nobody has been led to since"
    gauges.add("payment_keys_refused", words, len(refused_keys(at=at)))
    gauges.add("orders_in_review", "Orders with money that does not fit them", in_review)
    gauges.add("order_lines_blocked", "Paid work that could not be done", blocked)


def measure_database(gauges: Gauges, *, at: datetime) -> None:
    rows = fetch_all(CONNECTIONS, {})
    by_state = {row[0]: row[1] for row in rows}
    gauges.add_by("database_connections", "Connections of clients by their state", by_state, "state")
    room = max((row[2] - row[3] for row in rows), default=0)
    gauges.add("database_connections_limit", "As many as there can be", room)


OF_THE_DATABASE = (measure_jobs, measure_calendar, measure_money, measure_database)


def measure_machine(gauges: Gauges) -> None:
    """What needs no database: the release, this machine's disk, Redis."""
    gauges.add_by("build_info", "What runs", {settings.VERSION: 1}, "version")
    disk = psutil.disk_usage(str(settings.DATA_DIR))
    gauges.add("disk_free_bytes", "What is left where DATA_DIR is", disk.free)
    gauges.add("disk_size_bytes", "How much that is in all", disk.total)
    if replica.is_there():
        gauges.add("replica_in_use", "Whether public reads come from it", replica.FOLLOWER.is_close())
        gauges.add("replica_lag_seconds", "How far it is behind", replica.FOLLOWER.lag)
    memory = redis_memory()
    gauges.add("redis_up", "Whether Redis answers", bool(memory))
    if memory:
        gauges.add("redis_memory_bytes", "What Redis holds", memory["used_memory"])
        gauges.add("redis_memory_limit_bytes", "What it may hold; 0: no limit", memory["maxmemory"])


def redis_memory() -> dict[str, int]:
    """What Redis says of its memory; nothing while it is away."""
    try:
        result: dict[str, int] = client_of(settings.REDIS_URL).info("memory")
    except (RedisError, OSError):
        return {}
    return result
