"""Areas with VAT rules of their own, as rows: what the law says at the end of 2026. Staff add rows for what changes."""

from datetime import UTC, date, datetime
from decimal import Decimal

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

AT = datetime(2026, 11, 1, tzinfo=UTC)
BEGAN = "1993-01-01"
OUTSIDE = "Directive 2006/112/EC, article 6: outside the EU's VAT area"
# inside, code, percent, from, until, source, how postcodes begin
ROWS = (
    ("ES", "IC", None, BEGAN, None, OUTSIDE, "35 38"),
    ("ES", "EA", None, BEGAN, None, OUTSIDE, "51 52"),
    ("FI", "AX", None, "1995-01-01", None, OUTSIDE, "22"),
    ("DE", "CH", None, BEGAN, None, OUTSIDE, "78266"),
    ("DE", "XH", None, BEGAN, None, OUTSIDE, "27498"),
    ("IT", "XL", None, BEGAN, None, OUTSIDE, "23041"),
    ("IT", "XC", None, "2020-01-01", None, "Directive (EU) 2019/475", "22061"),
    ("GR", "XT", None, BEGAN, None, OUTSIDE, "63086 63087"),
    ("FR", "GP", None, BEGAN, None, OUTSIDE, "971"),
    ("FR", "MQ", None, BEGAN, None, OUTSIDE, "972"),
    ("FR", "GF", None, BEGAN, None, OUTSIDE, "973"),
    ("FR", "RE", None, BEGAN, None, OUTSIDE, "974"),
    ("FR", "PM", None, BEGAN, None, OUTSIDE, "975"),
    ("FR", "YT", None, BEGAN, None, OUTSIDE, "976"),
    ("FR", "BL", None, BEGAN, None, OUTSIDE, "97133 977"),
    ("FR", "MF", None, BEGAN, None, OUTSIDE, "97150 978"),
    ("FR", "WF", None, BEGAN, None, OUTSIDE, "986"),
    ("FR", "PF", None, BEGAN, None, OUTSIDE, "987"),
    ("FR", "NC", None, BEGAN, None, OUTSIDE, "988"),
    ("PT", "PT", "22.00", "2012-04-01", None, "Madeira: CIVA, article 18 (3)", "90 91 92 93 94"),
    ("PT", "PT", "18.00", "2014-01-01", "2021-06-30", "Azores: CIVA, article 18 (3)", "95 96 97 98 99"),
    ("PT", "PT", "16.00", "2021-07-01", None, "Azores: CIVA, article 18 (3)", "95 96 97 98 99"),
    ("AT", "AT", "19.00", "1995-01-01", None, "Jungholz and Mittelberg: UStG, § 10 (4)", "6691 6991 6992 6993"),
)


def load(apps, schema_editor):
    area = apps.get_model("orders", "VatArea")
    for inside, code, percent, since, until, source, prefixes in ROWS:
        for begins in prefixes.split():
            area.objects.get_or_create(
                inside=inside,
                begins=begins,
                valid_from=date.fromisoformat(since),
                defaults={
                    "code": code,
                    "percent": Decimal(percent) if percent else None,
                    "valid_until": date.fromisoformat(until) if until else None,
                    "source": source,
                    "entered_at": AT,
                },
            )


class Migration(migrations.Migration):
    dependencies = [("orders", "0015_invoices_in_place"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    operations = [
        migrations.CreateModel(
            name='VatArea',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('inside', models.CharField(help_text='The country whose postcodes these are.', max_length=2)),
                ('begins', models.CharField(help_text='How its postcodes begin, without spaces.', max_length=20)),
                ('code', models.CharField(help_text="Whose rules hold there: letters of its own outside the EU's VAT area, or the country.", max_length=2)),
                ('percent', models.DecimalField(blank=True, decimal_places=2, help_text='Its rate, where only that is another.', max_digits=5, null=True)),
                ('valid_from', models.DateField()),
                ('valid_until', models.DateField(blank=True, help_text='The last day; empty while it holds.', null=True)),
                ('source', models.CharField(help_text='Where this can be read.', max_length=500)),
                ('entered_at', models.DateTimeField()),
                ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                ('entered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'VAT area',
                'constraints': [models.UniqueConstraint(condition=models.Q(('withdrawn_at', None)), fields=('inside', 'begins', 'valid_from'), name='vat_area_valid_once_a_day'), models.CheckConstraint(condition=models.Q(('percent', None), ('code', models.F('inside')), _connector='OR'), name='vat_area_rate_is_of_its_country')],
            },
        ),
        migrations.RunPython(load, migrations.RunPython.noop),
    ]
