from datetime import UTC, datetime

from django.db import migrations

AT = datetime(2026, 1, 1, tzinfo=UTC)


def price(apps, schema_editor):
    """What a cabinet costs until staff say otherwise."""
    apps.get_model("orders", "ProductPrice").objects.get_or_create(
        product="trophy_cabinet",
        effective_at=AT,
        defaults={"amount_cents": 1900, "set_at": AT, "note": "As delivered."},
    )


class Migration(migrations.Migration):
    dependencies = [("orders", "0013_proof_of_place")]
    operations = [migrations.RunPython(price, migrations.RunPython.noop)]
