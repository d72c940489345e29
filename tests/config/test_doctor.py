"""`manage.py doctor` names what is wrong, with what to do, and fails for that alone."""

import os
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from config.embedded.paths import ROOT, free_port
from core import jobs
from core.models import Heartbeat, Job
from directory.models import ListingCard, ListingStats, Site
from tests.factories.listings import make_listing
from tests.servers.dns import DnsServer

pytestmark = pytest.mark.django_db
DOMAIN = "launch.example.org"


def looked() -> tuple[dict[str, str], bool]:
    """Each line by its name, and whether the command failed."""
    out = StringIO()
    try:
        call_command("doctor", stdout=out)
    except CommandError:
        return _by_name(out), True
    return _by_name(out), False


def _by_name(out: StringIO) -> dict[str, str]:
    lines = [line.split(maxsplit=1) for line in out.getvalue().splitlines()]
    return {rest.partition(": ")[0]: f"{level} {rest.partition(': ')[2]}" for level, rest in lines}


@pytest.fixture(autouse=True)
def at_work(site: Site) -> None:
    """A worker that has just been there."""
    for name in ("beat", "reaper"):
        jobs.note_heartbeat(name)


@pytest.fixture
def names(dns_server: DnsServer, settings: Any) -> DnsServer:
    """An installation that strangers reach, whose mail goes out."""
    settings.IS_LOCAL, settings.SITE_URL = False, f"https://{DOMAIN}"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.MAIL_REPLY_TO = f"desk@{DOMAIN}"
    settings.DEFAULT_FROM_EMAIL = f"Launch <no-reply@{DOMAIN}>"
    settings.DNS_SERVERS = [dns_server.address]
    dns_server.answer(DOMAIN, "A", "93.184.215.14")
    dns_server.answer(DOMAIN, "TXT", ("v=spf1 include:mail.example -all", "another=thing"))
    dns_server.answer(DOMAIN, "MX", "10 mx.mail.example.")
    dns_server.answer("_dmarc.example.org", "TXT", "v=DMARC1; p=none")
    return dns_server


def test_a_healthy_installation_passes(names: DnsServer) -> None:
    make_listing("lathe")
    found, is_failed = looked()

    assert not is_failed, found
    assert found.keys() >= {"release", "PostgreSQL", "migrations", "clock", "disk", "Redis", "beat", "search"}
    assert found["SPF"] == f"ok {DOMAIN}: v=spf1 include:mail.example -all"
    assert found["DMARC"].startswith("ok _dmarc.example.org")
    assert found["MX"] == "ok mx.mail.example"
    assert found["backup"].startswith("note there is none")


def test_what_is_wrong_is_named_with_what_to_do(settings: Any) -> None:
    now = timezone.now()
    make_listing("lathe")
    ListingCard.objects.all().delete()
    ListingStats.objects.update(votes=7)
    Heartbeat.objects.update(beat_at=now - timedelta(hours=1))
    Job.objects.create(
        kind="gone.kind", key="1", queue="default", state="dead", run_after=now, created_at=now
    )
    jobs.pause(queue="mail", reason="moving")
    settings.BACKUP_TO = "/srv/backups"

    found, is_failed = looked()

    assert is_failed
    assert {
        name: found[name].partition(" ")[0] for name in ("search", "counters", "beat", "reaper", "backup")
    } == (dict.fromkeys(("search", "counters", "beat", "reaper", "backup"), "WRONG"))
    assert "rebuild_search" in found["search"]
    assert "jobs forget --kind gone.kind" in found["unknown kind"]
    assert found["dead letters"].startswith("WRONG 1")
    assert found["paused"].startswith("note mail since")


def test_names_that_do_not_speak_for_the_site_are_wrong(names: DnsServer) -> None:
    names.answer(DOMAIN, "TXT", ("v=spf1 -all", "v=spf1 +all"))
    names.answer(DOMAIN, "MX", ())
    names.answer("_dmarc.example.org", "TXT", ())
    names.answer(f"_dmarc.{DOMAIN}", "TXT", ())
    found, _ = looked()

    assert "2 records" in found["SPF"]
    assert [found[name].partition(" ")[0] for name in ("SPF", "DMARC", "MX")] == ["WRONG"] * 3


def test_a_database_that_is_away_is_named_and_the_rest_is_looked_at() -> None:
    done = without_database("doctor")

    assert done.returncode == 1
    assert done.stderr.startswith("CommandError: ")
    assert "WRONG  PostgreSQL: does not answer (connection failed" in done.stdout
    assert "docs/runbook/database-away.md" in done.stdout
    assert " disk: " in done.stdout  # a full one ends a database
    assert " Redis: " in done.stdout


def test_other_commands_say_in_a_line_that_the_database_is_away() -> None:
    done = without_database("create_user", "ada@example.org")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("The database does not answer (connection failed")
    assert done.stderr.endswith("; see docs/runbook/database-away.md.\n")


def without_database(*command: str) -> subprocess.CompletedProcess[str]:
    away = {"DATABASE_URL": f"postgres://nobody@127.0.0.1:{free_port()}/none"}
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT, env=os.environ | away, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
