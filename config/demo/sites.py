"""The launch sites of the demo: the installation's own, and a second one beside it."""

from datetime import datetime
from ipaddress import ip_address

from django.conf import settings
from django.contrib.sites.models import Site as DjangoSite
from django.db import transaction

from config.demo.content import read
from core.fetch import split_url
from directory.models import Site, SiteSettings
from directory.sites.catalogue import ensure_default_site
from directory.sites.lookup import forget_sites


@transaction.atomic
def ensure_sites(*, at: datetime) -> dict[str, Site]:
    """The sites by key; those that are missing are made. The default site counts as the first of the demo."""
    first, *others = read("sites.json")
    sites = {first["key"]: ensure_default_site()}
    for row in others:
        site = Site.objects.filter(key=row["key"]).first()
        if site is None:
            django_site, _ = DjangoSite.objects.get_or_create(
                domain=_host(row["key"]), defaults={"name": row["name"][:50]}
            )
            site = Site.objects.create(django_site=django_site, **row)
            SiteSettings.objects.create(site=site, changed_at=at)
        sites[row["key"]] = site
    forget_sites()
    return sites


def _host(key: str) -> str:
    """A name below the installation's own; below localhost where that is an address."""
    url = split_url(settings.SITE_URL)
    host = url.hostname or "localhost"
    try:
        ip_address(host)
    except ValueError:
        return f"{key}.{url.netloc}"
    return f"{key}.localhost" + (f":{url.port}" if url.port else "")
