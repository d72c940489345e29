"""What one look at an installation finds: the machine, its settings, names and mail, the queue, backups, counters."""

import platform
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parseaddr
from enum import StrEnum
from functools import partial

import django
import dns.exception
import dns.resolver
import psutil
from django.conf import settings
from django.core import checks
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count
from django.utils import timezone
from redis.exceptions import RedisError

from accounts.selectors import unreachable_people
from config.backups import postgresql
from config.backups.manifest import BackupError
from config.embedded.checks import OLDEST_POSTGRES
from core import jobs
from core.cache import client_of
from core.clock import database_now
from core.domains import registrable
from core.fetch import FetchError, is_public, make_resolver, resolve_host, split_url
from core.models import Job
from directory.engagement.tally import miscounted
from directory.search.rebuilding import drift
from orders.checks import TAG
from orders.paying import refused_keys

SKEW_SECONDS = 2.0
DISK_LEFT = 0.15


class Level(StrEnum):
    """How bad it is. Only what is wrong fails the command."""

    OK = "ok"
    NOTE = "note"
    WRONG = "WRONG"


@dataclass(frozen=True)
class Finding:
    level: Level
    name: str
    words: str

    def __str__(self) -> str:
        return f"{self.level:<6} {self.name}: {self.words}"


# what is found and its words; of what is wrong they say what to do
ok, note, wrong = (partial(Finding, level) for level in (Level.OK, Level.NOTE, Level.WRONG))


def check_without_database(error: Exception) -> Iterator[Finding]:
    """What can be looked at while the database does not answer."""
    reason, at = str(error).partition("\n")[0], timezone.now()
    yield wrong(
        "PostgreSQL",
        f"does not answer ({reason}), and nothing in it was looked at; see docs/runbook/database-away.md.",
    )
    yield _disk()
    yield _redis()
    yield from check_settings(at=at)
    yield from check_names(at=at)


def check_machine(*, at: datetime) -> Iterator[Finding]:
    yield ok(
        "release", f"{settings.VERSION}, Django {django.__version__}, Python {platform.python_version()}"
    )
    yield from _postgresql()
    yield from _migrations()
    skew = time.time() - database_now().timestamp()
    if abs(skew) > SKEW_SECONDS:
        yield wrong("clock", f"{skew:+.1f} s against the database's. Have both follow an NTP server.")
    else:
        yield ok("clock", f"{skew:+.1f} s against the database's")
    yield _disk()
    yield _redis()


def _postgresql() -> Iterator[Finding]:
    major = connection.cursor().connection.info.server_version // 10000
    if major < OLDEST_POSTGRES:
        yield wrong("PostgreSQL", f"{major}; {OLDEST_POSTGRES} or newer is needed.")
    try:
        _, client = postgresql.client("pg_dump", server=major)
    except BackupError as error:
        yield wrong("PostgreSQL", f"{major}, and no backup can be made: {error}")
    else:
        yield ok("PostgreSQL", f"{major}, backed up by pg_dump {client}")


def _migrations() -> Iterator[Finding]:
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    unknown = set(executor.loader.applied_migrations) - set(executor.loader.disk_migrations or {})
    if waiting:
        yield wrong("migrations", f"{len(waiting)} are not applied. Run manage.py prepare.")
    elif unknown:
        app, name = min(unknown)
        yield note(
            "migrations", f"the database is ahead of this release, as by {app}.{name}; fine in an upgrade"
        )
    else:
        yield ok("migrations", "all are applied")


def _disk() -> Finding:
    disk = psutil.disk_usage(str(settings.DATA_DIR))
    left = f"{disk.free // 2**20:,} MB left of {disk.total // 2**20:,} at {settings.DATA_DIR}"
    if disk.free > DISK_LEFT * disk.total:
        return ok("disk", left)
    return wrong("disk", f"{left}. Make room; see docs/runbook/disk-short.md.")


def _redis() -> Finding:
    try:
        result = client_of(settings.REDIS_URL).info()
    except (RedisError, OSError) as error:
        return wrong(
            "Redis",
            f"does not answer ({error}). Jobs run one by one meanwhile; see docs/runbook/redis-away.md.",
        )
    if result["maxmemory"] and result["used_memory"] > 0.9 * result["maxmemory"]:
        return wrong("Redis", "is nearly full; see docs/runbook/redis-full.md.")
    valkey = result.get("valkey_version")
    return ok("Redis", f"Valkey {valkey}" if valkey else str(result["redis_version"]))


def check_settings(*, at: datetime) -> Iterator[Finding]:
    messages = checks.run_checks(tags=[TAG])
    for message in messages:
        report = wrong if message.level >= checks.WARNING else note
        yield report("settings", message.msg)
    if not messages:
        yield ok("settings", "nothing is missing")


def check_names(*, at: datetime) -> Iterator[Finding]:
    """The site's address, and whether other mail servers can tell that its mail is its own."""
    if settings.IS_LOCAL:
        yield note("names", "the site is on this machine alone, so nothing is asked of the DNS")
        return
    yield _address(split_url(settings.SITE_URL).hostname or "")
    if "smtp" not in settings.EMAIL_BACKEND:
        yield wrong("mail", "is kept as files or shown, and sent to nobody. Set EMAIL_URL.")
        return
    yield _answers()
    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    yield _only("SPF", domain, begins="v=spf1", advice="name the servers that send for it")
    yield _dmarc(domain)
    yield _mail_servers(domain)


def _answers() -> Finding:
    if settings.MAIL_REPLY_TO:
        return ok("answers", f"what people answer to mails goes to {settings.MAIL_REPLY_TO}")
    return wrong(
        "answers", "nobody reads what people answer to mails. Set CONTACT_EMAIL to an address that is read."
    )


def _address(host: str) -> Finding:
    try:
        result = resolve_host(host)
    except FetchError as error:
        return wrong("address", f"{error}")
    text = ", ".join(map(str, result))
    return (
        ok("address", f"{host} is {text}")
        if all(map(is_public, result))
        else note("address", f"{host} is {text}")
    )


def _texts(name: str) -> list[str] | None:
    """The TXT records of a name; None when no name server answers."""
    try:
        answer = make_resolver().resolve(f"{name}.", "TXT", search=False, raise_on_no_answer=False)
    except dns.resolver.NXDOMAIN:
        return []
    except dns.exception.DNSException:
        return None
    return [b"".join(record.strings).decode("utf-8", "replace") for record in answer]


def _only(what: str, name: str, *, begins: str, advice: str) -> Finding:
    """There must be exactly one record that begins so."""
    texts = _texts(name)
    if texts is None:
        return wrong(what, f"no name server answers for {name}.")
    rows = [text for text in texts if text.lower().startswith(begins.lower())]
    if len(rows) == 1:
        return ok(what, f"{name}: {rows[0][:80]}")
    number = f"{len(rows)} records" if rows else "no record"
    return wrong(what, f"{number} at {name} beginning with {begins}; there must be one: {advice}.")


def _dmarc(domain: str) -> Finding:
    """At the domain, or at the registered one above it, as RFC 7489 has it."""
    names = list(dict.fromkeys(f"_dmarc.{name}" for name in (domain, registrable(domain))))
    rows = [_only("DMARC", name, begins="v=DMARC1", advice="v=DMARC1; p=none begins one") for name in names]
    return next((entry for entry in rows if entry.level == "ok"), rows[0])


def _mail_servers(domain: str) -> Finding:
    try:
        answer = make_resolver().resolve(f"{domain}.", "MX", search=False)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return wrong("MX", f"{domain} takes no mail, so nobody hears of mail that bounces.")
    except dns.exception.DNSException:
        return wrong("MX", f"no name server answers for {domain}.")
    return ok("MX", ", ".join(sorted(record.exchange.to_text(omit_final_dot=True) for record in answer)))


SILENT = timedelta(minutes=1)
BACKUP_OLD = timedelta(hours=26)
SAMPLE = 500
LISTED = 5


def check_work(*, at: datetime) -> Iterator[Finding]:
    pauses, beats = jobs.pauses(), jobs.heartbeats()
    for queue, row in pauses.items():
        yield note("paused", f"{queue} since {row.paused_at:%FT%TZ} ({row.reason}); manage.py resume")
    for name, words in (("beat", "periodic jobs"), ("reaper", "lost jobs")):
        seen = beats.get(name)
        if seen and at - seen < SILENT:
            yield ok(name, f"a worker looked for {words} {(at - seen).total_seconds():.0f} s ago")
        else:
            when = f"since {seen:%FT%TZ}" if seen else "ever"
            yield wrong(name, f"no worker has looked for {words} {when}; see docs/runbook/nobody-at-work.md.")
    yield from _jobs()
    for code in refused_keys(at=at):
        yield wrong("payments", f"{code} refuses our key; see docs/runbook/payments-refused.md.")
    yield _backup(beats.get("backup"), at=at)


def _jobs() -> Iterator[Finding]:
    left = Job.objects.exclude(state=Job.State.DONE)
    unknown = dict(left.exclude(kind__in=jobs.KINDS).values_list("kind").annotate(Count("pk"))[:LISTED])
    for kind, number in unknown.items():
        yield wrong(
            "unknown kind",
            f"{number} of {kind}. A newer release knows it, or: manage.py jobs forget --kind {kind}",
        )
    dead = left.filter(state=Job.State.DEAD).count()
    yield (
        wrong("dead letters", f"{dead}; manage.py jobs list --state dead")
        if dead
        else ok("dead letters", "none")
    )


def _backup(made_at: datetime | None, *, at: datetime) -> Finding:
    if made_at and at - made_at < BACKUP_OLD:
        return ok("backup", f"{(at - made_at) // timedelta(hours=1)} hours old")
    age = f"the newest is of {made_at:%FT%TZ}" if made_at else "there is none"
    if settings.BACKUP_TO:
        return wrong("backup", f"{age}; see docs/runbook/backup-old.md.")
    return note("backup", f"{age}, and BACKUP_TO is not set")


def check_data(*, at: datetime) -> Iterator[Finding]:
    """Whether people can be found by their address, and a sample of what is kept twice."""
    if lost := len(unreachable_people()):
        yield wrong("addresses", f"{lost} that nobody can sign in with; see docs/runbook/addresses.md.")
    else:
        yield ok("addresses", "each account has one that it signs in with")
    result = drift(sample=SAMPLE)
    if result.is_none:
        yield ok("search", f"{result.looked_at} listings are in step")
    else:
        slugs = sorted({*result.cards, *result.documents})[:LISTED]
        yield wrong("search", f"not in step, as {', '.join(slugs)}. Run manage.py rebuild_search.")
    slugs = miscounted(sample=SAMPLE)
    words = f"{len(slugs)} of {SAMPLE} listings have other votes or followers than rows of them"
    if not slugs:
        yield ok("counters", "votes and followers are as many as counted")
    elif (settings.DATA_DIR / "demo-loaded").exists():
        yield note("counters", f"{words}, as demo data do by intent")
    else:
        yield wrong("counters", f"{words}, as {slugs[0]}; see docs/runbook/search-wrong.md.")
