"""What a fresh installation sells for how much, and the VAT rates of 2026. Staff add rows for what changes."""

from datetime import UTC, date, datetime
from decimal import Decimal

from django.db import migrations

AT = datetime(2026, 1, 1, tzinfo=UTC)
PRICES = {
    "launch": 9900,
    "skip_queue": 2900,
    "featured": 4900,
    "done_for_you": 29900,
    "launch_bundle": 14900,
    "extra_categories": 1900,
    "relaunch": 5900,
    "ai_review": 1900,
    "billboard_min": 500,
}
TEDB = "European Commission, Taxes in Europe Database, standard rate"
SOURCES = {
    "GB": "HM Revenue & Customs, gov.uk/vat-rates",
    "CH": "Federal Tax Administration, estv.admin.ch",
    "NO": "Norwegian Tax Administration, skatteetaten.no",
}
RATES = (
    "AT 20 2016-01-01, BE 21 1996-01-01, BG 20 1999-01-01, HR 25 2012-03-01, CY 19 2014-01-13, CZ 21 2013-01-01, "
    "DK 25 1992-01-01, EE 24 2025-07-01, FI 25.5 2024-09-01, FR 20 2014-01-01, DE 19 2021-01-01, GR 24 2016-06-01, "
    "HU 27 2012-01-01, IE 23 2021-03-01, IT 22 2013-10-01, LV 21 2012-07-01, LT 21 2009-09-01, LU 17 2024-01-01, "
    "MT 18 2004-05-01, NL 21 2012-10-01, PL 23 2011-01-01, PT 23 2011-01-01, RO 21 2025-08-01, SK 23 2025-01-01, "
    "SI 22 2013-07-01, ES 21 2012-09-01, SE 25 1996-01-01, GB 20 2011-01-04, CH 8.1 2024-01-01, NO 25 2005-01-01"
)


def load(apps, schema_editor):
    price, rate = apps.get_model("orders", "ProductPrice"), apps.get_model("orders", "VatRate")
    for product, cents in PRICES.items():
        price.objects.get_or_create(
            product=product,
            effective_at=AT,
            defaults={"amount_cents": cents, "set_at": AT, "note": "As delivered."},
        )
    for entry in RATES.split(", "):
        country, percent, since = entry.split()
        rate.objects.get_or_create(
            country=country,
            valid_from=date.fromisoformat(since),
            defaults={
                "percent": Decimal(percent),
                "source": SOURCES.get(country, TEDB),
                "entered_at": AT,
            },
        )


class Migration(migrations.Migration):
    dependencies = [("orders", "0001_initial")]
    operations = [migrations.RunPython(load, migrations.RunPython.noop)]
