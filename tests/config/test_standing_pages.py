"""Privacy, terms, contact and status: pages that the site's owner answers for."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from core import jobs
from core.models import Heartbeat, Job
from directory.models import Site, SitePage
from tests.directory.outline import page

AT = timezone.now()


@pytest.mark.parametrize("name", SitePage.Name.values)
def test_a_standing_page_has_our_text_until_the_owner_sets_another(
    site: Site, client: Client, name: str
) -> None:
    shipped = page(client, f"/{name}")
    SitePage.objects.create(
        site=site, name=name, markdown="# Our own\n\nWords <script>alert(1)</script>", updated_at=AT
    )
    own = page(client, f"/{name}")

    assert f"<h1>{name.capitalize()}</h1>" in shipped
    assert "{contact}" not in shipped
    assert "<h1>Our own</h1>" in own
    assert "<script>alert" not in own
    assert f'href="/{name}"' in page(client, "/")


def test_contact_names_the_address_of_the_settings(site: Site, client: Client, settings: object) -> None:
    settings.CONTACT_EMAIL = "desk@launch.example"  # type: ignore[attr-defined]

    assert 'href="mailto:desk@launch.example"' in page(client, "/contact")


def test_status_says_what_runs_and_what_waits(site: Site, client: Client) -> None:
    Heartbeat.objects.update_or_create(name="beat", defaults={"beat_at": timezone.now()})
    assert "<h1>Everything runs</h1>" in page(client, "/status")

    jobs.add("core.send_mail", key="late", run_after=timezone.now() - timedelta(hours=1))
    cache.clear()
    late = page(client, "/status")
    assert "<h1>Not everything runs</h1>" in late
    assert late.count("Slower than usual") == 1
    assert "The oldest has waited 1" in late
    assert late.count("Nothing waits.") == 1

    Job.objects.all().delete()
    Heartbeat.objects.update(beat_at=timezone.now() - timedelta(hours=1))
    cache.clear()
    assert page(client, "/status").count("Does not run") == 1
