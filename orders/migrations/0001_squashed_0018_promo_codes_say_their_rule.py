"""What 0001 to 0018 made of an empty database, in one step: `make up` and each run of the tests begin with one.

A database that has a part of them goes on by them; one that has all of them has this, too. What a table is comes from
the models' state, everything else from the migration that brought it.
"""

import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.fields.json
import django.db.models.functions.comparison
import django.db.models.functions.text
import uuid
from importlib import import_module

from django.conf import settings
from django.db import migrations, models

from core.squashing import CreateModels


catalogue = import_module("orders.migrations.0002_default_catalogue")
documents = import_module("orders.migrations.0003_documents_stay")
prices = import_module("orders.migrations.0005_prices_stay")
withdrawn = import_module("orders.migrations.0006_withdrawn")
cabinet = import_module("orders.migrations.0014_trophy_cabinet")
areas = import_module("orders.migrations.0016_vat_areas")


class Migration(migrations.Migration):

    replaces = [
        ('orders', '0001_initial'),
        ('orders', '0002_default_catalogue'),
        ('orders', '0003_documents_stay'),
        ('orders', '0004_order_payer'),
        ('orders', '0005_prices_stay'),
        ('orders', '0006_withdrawn'),
        ('orders', '0007_corrections_and_disputes'),
        ('orders', '0008_featured_lines'),
        ('orders', '0009_payers_and_wishes'),
        ('orders', '0010_products_are_parts'),
        ('orders', '0011_documents_by_column'),
        ('orders', '0012_document_files'),
        ('orders', '0013_proof_of_place'),
        ('orders', '0014_trophy_cabinet'),
        ('orders', '0015_invoices_in_place'),
        ('orders', '0016_vat_areas'),
        ('orders', '0017_vat_registrations'),
        ('orders', '0018_promo_codes_say_their_rule'),
    ]

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('directory', '0031_featured_places'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='InvoiceCounter',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('series', models.CharField(max_length=10)),
                    ('year', models.PositiveSmallIntegerField()),
                    ('last', models.PositiveIntegerField(default=0)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('series', 'year'), name='invoice_counter_once')],
                },
            ),
            migrations.CreateModel(
                name='PromoCode',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('code', models.CharField(max_length=40, unique=True)),
                    ('percent', models.DecimalField(blank=True, decimal_places=2, max_digits=5, null=True)),
                    ('amount_cents', models.PositiveBigIntegerField(blank=True, null=True)),
                    ('is_active', models.BooleanField(default=True)),
                    ('starts_at', models.DateTimeField(blank=True, null=True)),
                    ('ends_at', models.DateTimeField(blank=True, null=True)),
                    ('max_uses', models.PositiveIntegerField(blank=True, help_text='By everybody together.', null=True)),
                    ('max_per_user', models.PositiveIntegerField(blank=True, null=True)),
                    ('products', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, help_text='What it is good for; none chosen means everything.', size=None)),
                    ('min_subtotal_cents', models.PositiveBigIntegerField(blank=True, help_text='Of the products it is good for.', null=True)),
                    ('note', models.CharField(blank=True, help_text='For staff only.', max_length=500)),
                    ('created_at', models.DateTimeField()),
                ],
                options={
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('amount_cents', None), ('percent__gt', 0), ('percent__isnull', False), ('percent__lte', 100)), models.Q(('amount_cents__gt', 0), ('amount_cents__isnull', False), ('amount_cents__lte', 100000000), ('percent', None)), _connector='OR'), name='promo_percent_or_amount', violation_error_message='Give a percentage from 0.01 to 100, or an amount of at least one cent.')],
                },
            ),
            migrations.CreateModel(
                name='ProductPrice',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('product', models.CharField(help_text='The code of one.', max_length=60)),
                    ('amount_cents', models.PositiveBigIntegerField(help_text="Before VAT, in cents of the site's currency.")),
                    ('is_on_sale', models.BooleanField(default=True, help_text='Without it the product cannot be bought.')),
                    ('effective_at', models.DateTimeField(help_text='From then on, UTC.')),
                    ('note', models.CharField(blank=True, max_length=500)),
                    ('set_at', models.DateTimeField()),
                    ('set_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('withdrawn_at', models.DateTimeField(blank=True, help_text='From then on it is as if it had not been set; nobody had bought by it.', null=True)),
                ],
                options={
                    'indexes': [models.Index(fields=['product', '-effective_at', '-id'], name='price_newest')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('amount_cents__lte', 100000000)), name='price_within_bounds')],
                },
            ),
            migrations.CreateModel(
                name='VatRate',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('country', models.CharField(help_text='ISO 3166-1, two letters.', max_length=2)),
                    ('percent', models.DecimalField(decimal_places=2, max_digits=5)),
                    ('valid_from', models.DateField()),
                    ('source', models.CharField(help_text='Where this rate can be read.', max_length=500)),
                    ('entered_at', models.DateTimeField()),
                    ('entered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('withdrawn_at', models.DateTimeField(blank=True, help_text='From then on nothing is taxed by it; what was, stays as it was.', null=True)),
                ],
                options={
                    'verbose_name': 'VAT rate',
                    'constraints': [models.CheckConstraint(condition=models.Q(('percent__gte', 0), ('percent__lte', 100)), name='vat_rate_is_percent'), models.UniqueConstraint(condition=models.Q(('withdrawn_at', None)), fields=('country', 'valid_from'), name='vat_rate_valid_once_a_day')],
                },
            ),
            migrations.CreateModel(
                name='LaunchWeek',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('week', models.DateField(help_text='Its Monday.')),
                    ('capacity', models.PositiveIntegerField(blank=True, help_text="Paid places; empty means as many as the site's settings say.", null=True)),
                    ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='directory.site')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('site', 'week'), name='launch_week_once')],
                },
            ),
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
            migrations.CreateModel(
                name='VatRegistration',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('country', models.CharField(help_text='ISO 3166-1, two letters.', max_length=2)),
                    ('number', models.CharField(blank=True, help_text='Your VAT number there; it stands on the invoices of consumers there.', max_length=32)),
                    ('is_small', models.BooleanField(db_default=False, default=False, help_text='Exempt as a small business, in your own country: no VAT at home and for consumers in the EU.', verbose_name='small business')),
                    ('valid_from', models.DateField()),
                    ('valid_until', models.DateField(blank=True, help_text='The last day; empty while it holds.', null=True)),
                    ('source', models.CharField(help_text='Where this can be read, such as a certificate.', max_length=500)),
                    ('entered_at', models.DateTimeField()),
                    ('withdrawn_at', models.DateTimeField(blank=True, null=True)),
                    ('entered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'verbose_name': 'VAT registration',
                    'constraints': [models.UniqueConstraint(condition=models.Q(('withdrawn_at', None)), fields=('country', 'valid_from'), name='vat_registration_valid_once_a_day'), models.CheckConstraint(condition=models.Q(models.Q(('is_small', True), ('number', '')), models.Q(('is_small', False), models.Q(('number', ''), _negated=True)), _connector='OR'), name='vat_registration_number_or_small')],
                },
            ),
            migrations.CreateModel(
                name='Order',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('number', models.CharField(max_length=11, unique=True)),
                    ('status', models.CharField(choices=[('pending', 'Pending'), ('processing', 'Processing'), ('paid', 'Paid'), ('review', 'Review'), ('expired', 'Expired'), ('canceled', 'Canceled'), ('partially_refunded', 'Partially Refunded'), ('refunded', 'Refunded'), ('disputed', 'Disputed')], default='pending', max_length=20)),
                    ('review_reason', models.CharField(blank=True, help_text='What staff have to look at.', max_length=500)),
                    ('currency', models.CharField(max_length=3)),
                    ('subtotal_cents', models.BigIntegerField()),
                    ('discount_cents', models.BigIntegerField()),
                    ('net_cents', models.BigIntegerField()),
                    ('vat_cents', models.BigIntegerField()),
                    ('total_cents', models.BigIntegerField()),
                    ('vat_country', models.CharField(blank=True, max_length=2)),
                    ('vat_rate', models.DecimalField(decimal_places=2, max_digits=5)),
                    ('vat_treatment', models.CharField(max_length=20)),
                    ('vat_number', models.CharField(blank=True, max_length=32)),
                    ('vat_number_status', models.CharField(max_length=12)),
                    ('vat_reason', models.CharField(max_length=500)),
                    ('vat_checked_at', models.DateTimeField(blank=True, null=True)),
                    ('vat_check_reference', models.CharField(blank=True, help_text="VIES's consultation number, if it gave one.", max_length=120)),
                    ('promo_description', models.CharField(blank=True, max_length=500)),
                    ('billing_email', models.EmailField(blank=True, max_length=254)),
                    ('billing_name', models.CharField(blank=True, max_length=160)),
                    ('billing_company', models.CharField(blank=True, max_length=160)),
                    ('billing_address', models.CharField(blank=True, max_length=200)),
                    ('billing_postcode', models.CharField(blank=True, max_length=20)),
                    ('billing_city', models.CharField(blank=True, max_length=160)),
                    ('billing_country', models.CharField(blank=True, max_length=2)),
                    ('test_money', models.BooleanField(help_text='Paid with test money; null until it is paid.', null=True)),
                    ('created_at', models.DateTimeField()),
                    ('expires_at', models.DateTimeField()),
                    ('paid_at', models.DateTimeField(blank=True, null=True)),
                    ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='orders', to=settings.AUTH_USER_MODEL)),
                    ('site', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='directory.site')),
                    ('promo', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='orders', to='orders.promocode')),
                    ('billing_by_owner', models.BooleanField(db_default=False, default=False, help_text="Filled in by the order's owner, not by somebody with its link.")),
                    ('place_evidence', models.JSONField(blank=True, db_default={}, default=dict, help_text='Countries by where they come from: typed, billing, card, network.')),
                    ('vat_check_address', models.CharField(blank=True, db_default='', default='', max_length=200)),
                    ('vat_check_name', models.CharField(blank=True, db_default='', default='', help_text='Whose VIES says it is.', max_length=160)),
                ],
                options={
                    'indexes': [models.Index(fields=['owner', '-created_at', '-id'], name='order_owner'), models.Index(fields=['-created_at', '-id'], name='order_newest'), models.Index(condition=models.Q(('status__in', ['pending', 'processing'])), fields=['expires_at'], name='order_open'), models.Index(condition=models.Q(('review_reason', ''), _negated=True), fields=['created_at'], name='order_review'), models.Index(django.db.models.functions.text.Lower('billing_email'), name='order_payer'), models.Index(condition=models.Q(('status', 'disputed')), fields=['created_at'], name='order_disputed')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('net_cents', django.db.models.expressions.CombinedExpression(models.F('subtotal_cents'), '-', models.F('discount_cents'))), ('total_cents', django.db.models.expressions.CombinedExpression(models.F('net_cents'), '+', models.F('vat_cents')))), name='order_sums_are_exact'), models.CheckConstraint(condition=models.Q(('discount_cents__gte', 0), ('net_cents__gte', 0), ('vat_cents__gte', 0)), name='order_is_not_negative')],
                },
            ),
            migrations.CreateModel(
                name='OrderInReview',
                fields=[
                ],
                options={
                    'verbose_name_plural': 'orders in review',
                    'proxy': True,
                },
                bases=('orders.order',),
            ),
            migrations.CreateModel(
                name='OrderLine',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('position', models.PositiveSmallIntegerField()),
                    ('product', models.CharField(max_length=60)),
                    ('name', models.CharField(max_length=160)),
                    ('week', models.DateField(blank=True, null=True)),
                    ('quantity', models.PositiveSmallIntegerField()),
                    ('unit_cents', models.BigIntegerField()),
                    ('discount_cents', models.BigIntegerField()),
                    ('net_cents', models.BigIntegerField()),
                    ('vat_rate', models.DecimalField(decimal_places=2, max_digits=5)),
                    ('vat_cents', models.BigIntegerField()),
                    ('gross_cents', models.BigIntegerField()),
                    ('options', models.JSONField(default=dict, help_text='What was chosen; extra categories under `categories`.')),
                    ('fulfilment_status', models.CharField(choices=[('waiting', 'Waiting'), ('in_progress', 'In Progress'), ('done', 'Done'), ('blocked', 'Blocked'), ('reversed', 'Reversed')], default='waiting', max_length=12)),
                    ('fulfilled_at', models.DateTimeField(blank=True, null=True)),
                    ('blocked_reason', models.CharField(blank=True, help_text='week_full, for instance.', max_length=40)),
                    ('blocked_detail', models.CharField(blank=True, max_length=500)),
                    ('parts_done', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, help_text='Products of a bundle whose work is done.', size=None)),
                    ('effect', models.JSONField(blank=True, default=dict, help_text='What the work changed, so that a refund can take it back.')),
                    ('refunded_cents', models.BigIntegerField(default=0, help_text='VAT included.')),
                    ('listing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='order_lines', to='directory.listing')),
                    ('order', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='lines', to='orders.order')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('fulfilment_status', 'blocked')), fields=['fulfilment_status'], name='order_line_blocked')],
                    'constraints': [models.UniqueConstraint(fields=('order', 'position'), name='order_line_position_once'), models.CheckConstraint(condition=models.Q(('net_cents', django.db.models.expressions.CombinedExpression(django.db.models.expressions.CombinedExpression(models.F('quantity'), '*', models.F('unit_cents')), '-', models.F('discount_cents'))), ('gross_cents', django.db.models.expressions.CombinedExpression(models.F('net_cents'), '+', models.F('vat_cents')))), name='order_line_sums_are_exact'), models.CheckConstraint(condition=models.Q(('discount_cents__gte', 0), ('net_cents__gte', 0), ('vat_cents__gte', 0)), name='order_line_is_not_negative')],
                },
            ),
            migrations.CreateModel(
                name='Payment',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('provider', models.CharField(help_text='sandbox, stripe, paypal, btcpay or none.', max_length=20)),
                    ('method', models.CharField(help_text='card, wallet, paypal, crypto, test or none.', max_length=20)),
                    ('provider_reference', models.CharField(blank=True, max_length=120, null=True)),
                    ('charge_reference', models.CharField(blank=True, help_text='What refunds are made of, where that is another.', max_length=120)),
                    ('status', models.CharField(choices=[('started', 'Started'), ('processing', 'Processing'), ('paid', 'Paid'), ('failed', 'Failed'), ('expired', 'Expired'), ('canceled', 'Canceled'), ('flagged', 'Flagged'), ('disputed', 'Disputed')], default='started', max_length=12)),
                    ('amount_cents', models.BigIntegerField()),
                    ('currency', models.CharField(max_length=3)),
                    ('test_money', models.BooleanField(default=False)),
                    ('paid_cents', models.BigIntegerField(blank=True, help_text='What really came.', null=True)),
                    ('paid_currency', models.CharField(blank=True, max_length=3)),
                    ('flag', models.CharField(blank=True, help_text='Why staff should look.', max_length=500)),
                    ('redirect_url', models.TextField(blank=True)),
                    ('created_at', models.DateTimeField()),
                    ('expires_at', models.DateTimeField()),
                    ('settled_at', models.DateTimeField(blank=True, null=True)),
                    ('next_check_at', models.DateTimeField(blank=True, help_text='When to ask the provider itself.', null=True)),
                    ('order', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='orders.order')),
                    ('answer_by', models.DateTimeField(blank=True, help_text='Until when its dispute can be answered at the provider.', null=True)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('status__in', ['started', 'processing'])), fields=['next_check_at'], name='payment_open'), models.Index(fields=['provider_reference'], name='payment_at_provider'), models.Index(condition=models.Q(('charge_reference', ''), _negated=True), fields=['charge_reference'], name='payment_charge')],
                    'constraints': [models.UniqueConstraint(fields=('provider', 'provider_reference'), name='payment_reference_once')],
                },
            ),
            migrations.CreateModel(
                name='PromoUse',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('state', models.CharField(choices=[('held', 'Held'), ('used', 'Used'), ('released', 'Released')], max_length=10)),
                    ('held_until', models.DateTimeField()),
                    ('order', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='promo_use', to='orders.order')),
                    ('promo', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='uses', to='orders.promocode')),
                    ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'indexes': [models.Index(fields=['promo', 'user'], name='promo_use_of_user')],
                },
            ),
            migrations.CreateModel(
                name='OrderEvent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('at', models.DateTimeField()),
                    ('kind', models.CharField(help_text='created, repriced, moved, payment_started, fulfilled, …', max_length=40)),
                    ('text', models.CharField(help_text='For people.', max_length=500)),
                    ('by', models.CharField(help_text='user:<id>, staff:<id>, provider:<code> or system.', max_length=120)),
                    ('data', models.JSONField(blank=True, default=dict)),
                    ('order', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='orders.order')),
                ],
                options={
                    'indexes': [models.Index(fields=['order', 'at', 'id'], name='order_event_in_order')],
                },
            ),
            migrations.CreateModel(
                name='AiReview',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('findings', models.JSONField(help_text='[{title, text, evidence: [Evidence]}]')),
                    ('writer', models.CharField(max_length=80)),
                    ('written_at', models.DateTimeField()),
                    ('listing', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='directory.listing')),
                    ('line', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='review', to='orders.orderline')),
                ],
            ),
            migrations.CreateModel(
                name='SlotHold',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('week', models.DateField()),
                    ('state', models.CharField(choices=[('held', 'Held'), ('taken', 'Taken'), ('placed', 'Placed'), ('released', 'Released')], max_length=10)),
                    ('held_until', models.DateTimeField()),
                    ('line', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='slot', to='orders.orderline')),
                    ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='directory.site')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('state__in', ['held', 'taken'])), fields=['site', 'week'], name='slot_counting')],
                },
            ),
            migrations.CreateModel(
                name='StaffTask',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(help_text='The code of the part whose work it is, or one of WISHES.', max_length=60)),
                    ('detail', models.TextField(blank=True)),
                    ('opened_at', models.DateTimeField()),
                    ('closed_at', models.DateTimeField(blank=True, null=True)),
                    ('result', models.CharField(blank=True, help_text='What was done; the buyer reads it.', max_length=500)),
                    ('closed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('line', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='tasks', to='orders.orderline')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('closed_at', None)), fields=['opened_at'], name='staff_task_open')],
                    'constraints': [models.UniqueConstraint(fields=('line', 'kind'), name='staff_task_once')],
                },
            ),
            migrations.CreateModel(
                name='ProviderEvent',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('provider', models.CharField(max_length=20)),
                    ('event_id', models.CharField(max_length=120)),
                    ('kind', models.CharField(max_length=40)),
                    ('reference', models.CharField(blank=True, help_text='Whatever it named.', max_length=120)),
                    ('amount_cents', models.BigIntegerField(blank=True, null=True)),
                    ('currency', models.CharField(blank=True, max_length=3)),
                    ('happened_at', models.DateTimeField(blank=True, null=True)),
                    ('received_at', models.DateTimeField()),
                    ('outcome', models.CharField(blank=True, help_text='What it changed here.', max_length=500)),
                    ('payment', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='events', to='orders.payment')),
                ],
                options={
                    'indexes': [models.Index(fields=['received_at'], name='provider_event_received'), models.Index(fields=['event_id'], name='provider_event_id'), models.Index(fields=['reference'], name='provider_event_about')],
                    'constraints': [models.UniqueConstraint(fields=('provider', 'event_id'), name='provider_event_once')],
                },
            ),
            migrations.CreateModel(
                name='Refund',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('amount_cents', models.BigIntegerField(help_text='VAT included.')),
                    ('currency', models.CharField(max_length=3)),
                    ('status', models.CharField(choices=[('pending', 'Pending'), ('done', 'Done'), ('failed', 'Failed')], default='pending', max_length=10)),
                    ('provider_reference', models.CharField(blank=True, max_length=120)),
                    ('reason', models.CharField(max_length=500)),
                    ('detail', models.CharField(blank=True, help_text='What the provider said.', max_length=500)),
                    ('created_at', models.DateTimeField()),
                    ('finished_at', models.DateTimeField(blank=True, null=True)),
                    ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('line', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='refunds', to='orders.orderline')),
                    ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='refunds', to='orders.payment')),
                    ('kind', models.CharField(choices=[('refund', 'Refund'), ('vat', 'Vat'), ('reversal', 'reversed by the bank'), ('loss', 'dispute lost')], db_default='refund', default='refund', max_length=10)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('status', 'pending')), fields=['created_at'], name='refund_open')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('amount_cents__gt', 0)), name='refund_gives_something'), models.UniqueConstraint(condition=models.Q(('provider_reference', ''), _negated=True), fields=('payment', 'provider_reference'), name='refund_reference_once')],
                },
            ),
            migrations.CreateModel(
                name='Dispute',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('reference', models.CharField(blank=True, help_text='What the provider calls it.', max_length=120)),
                    ('state', models.CharField(choices=[('inquiry', 'Inquiry'), ('open', 'Open'), ('closed', 'Closed'), ('won', 'Won'), ('lost', 'Lost')], max_length=10)),
                    ('amount_cents', models.BigIntegerField(blank=True, null=True)),
                    ('answer_by', models.DateTimeField(blank=True, help_text='Until when it can be answered there.', null=True)),
                    ('opened_at', models.DateTimeField()),
                    ('closed_at', models.DateTimeField(blank=True, null=True)),
                    ('payment', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='disputes', to='orders.payment')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('state__in', ['inquiry', 'open'])), fields=['opened_at'], name='dispute_undecided')],
                    'constraints': [models.UniqueConstraint(fields=('payment', 'reference'), name='dispute_once')],
                },
            ),
            migrations.CreateModel(
                name='Invoice',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('invoice', 'Invoice'), ('credit_note', 'Credit note'), ('correction', 'Correcting invoice')], max_length=12)),
                    ('series', models.CharField(max_length=10)),
                    ('year', models.PositiveSmallIntegerField()),
                    ('sequence', models.PositiveIntegerField()),
                    ('number', models.CharField(max_length=40, unique=True)),
                    ('currency', models.CharField(max_length=3)),
                    ('net_cents', models.BigIntegerField(help_text='Negative on a credit note.')),
                    ('vat_cents', models.BigIntegerField()),
                    ('total_cents', models.BigIntegerField()),
                    ('test_money', models.BooleanField(default=False)),
                    ('document', models.JSONField(help_text='Seller, buyer, lines, VAT and notes as they were.')),
                    ('issued_at', models.DateTimeField()),
                    ('corrects', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='corrections', to='orders.invoice')),
                    ('order', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='invoices', to='orders.order')),
                    ('refund', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='credit_note', to='orders.refund')),
                    ('buyer_address', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce(django.db.models.functions.comparison.Cast(django.db.models.fields.json.KeyTextTransform('address', django.db.models.fields.json.KeyTextTransform('buyer', models.F('document'))), models.TextField()), models.Value('', output_field=models.TextField())), output_field=models.TextField())),
                    ('buyer_email', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce(django.db.models.functions.comparison.Cast(django.db.models.fields.json.KeyTextTransform('email', django.db.models.fields.json.KeyTextTransform('buyer', models.F('document'))), models.TextField()), models.Value('', output_field=models.TextField())), output_field=models.TextField())),
                    ('buyer_name', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce(django.db.models.functions.comparison.Cast(django.db.models.fields.json.KeyTextTransform('name', django.db.models.fields.json.KeyTextTransform('buyer', models.F('document'))), models.TextField()), models.Value('', output_field=models.TextField())), output_field=models.TextField())),
                    ('buyer_vat_number', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce(django.db.models.functions.comparison.Cast(django.db.models.fields.json.KeyTextTransform('vat_number', django.db.models.fields.json.KeyTextTransform('buyer', models.F('document'))), models.TextField()), models.Value('', output_field=models.TextField())), output_field=models.TextField())),
                    ('issued_on', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce(models.Func(django.db.models.functions.comparison.Cast(django.db.models.functions.text.Substr(django.db.models.fields.json.KeyTextTransform('issued_on', models.F('document')), 1, 4), models.IntegerField()), django.db.models.functions.comparison.Cast(django.db.models.functions.text.Substr(django.db.models.fields.json.KeyTextTransform('issued_on', models.F('document')), 6, 2), models.IntegerField()), django.db.models.functions.comparison.Cast(django.db.models.functions.text.Substr(django.db.models.fields.json.KeyTextTransform('issued_on', models.F('document')), 9, 2), models.IntegerField()), function='make_date', output_field=models.DateField()), models.Func(models.F('issued_at'), output_field=models.DateField(), template="(%(expressions)s AT TIME ZONE 'UTC')::date")), output_field=models.DateField())),
                    ('vat_country', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce(django.db.models.functions.comparison.Cast(django.db.models.fields.json.KeyTextTransform('country', django.db.models.fields.json.KeyTextTransform('vat', models.F('document'))), models.TextField()), models.Value('', output_field=models.TextField())), output_field=models.TextField())),
                    ('vat_rate', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce(django.db.models.functions.comparison.Cast(django.db.models.fields.json.KeyTextTransform('rate', django.db.models.fields.json.KeyTextTransform('vat', models.F('document'))), models.TextField()), models.Value('', output_field=models.TextField())), output_field=models.TextField())),
                    ('vat_treatment', models.GeneratedField(db_persist=True, expression=django.db.models.functions.comparison.Coalesce(django.db.models.functions.comparison.Cast(django.db.models.fields.json.KeyTextTransform('treatment', django.db.models.fields.json.KeyTextTransform('vat', models.F('document'))), models.TextField()), models.Value('', output_field=models.TextField())), output_field=models.TextField())),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('series', 'year', 'sequence'), name='invoice_sequence_once'), models.CheckConstraint(condition=models.Q(('total_cents', django.db.models.expressions.CombinedExpression(models.F('net_cents'), '+', models.F('vat_cents')))), name='invoice_sums_are_exact'), models.UniqueConstraint(condition=models.Q(('corrects', None), ('kind', 'invoice')), fields=('order',), name='invoice_first_once'), models.UniqueConstraint(condition=models.Q(('kind', 'invoice')), fields=('corrects',), name='invoice_replaced_once')],
                    'indexes': [models.Index(fields=['-issued_on', '-id'], name='invoice_newest'), models.Index(fields=['vat_country', '-issued_on', '-id'], name='invoice_of_country'), models.Index(condition=models.Q(('buyer_vat_number', ''), _negated=True), fields=['buyer_vat_number'], name='invoice_vat_number'), models.Index(django.db.models.functions.text.Lower('buyer_email'), name='invoice_to_email'), models.Index(django.db.models.functions.comparison.Collate(django.db.models.functions.text.Lower('buyer_name'), 'C'), name='invoice_buyer_begins'), models.Index(django.db.models.functions.comparison.Collate(django.db.models.functions.text.Lower('buyer_address'), 'C'), name='invoice_address_begins')],
                },
            ),
            migrations.CreateModel(
                name='DocumentFile',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('format', models.CharField(choices=[('pdf', 'PDF with Factur-X'), ('xml', 'UBL for Peppol')], max_length=4)),
                    ('content', models.BinaryField(null=True)),
                    ('made_at', models.DateTimeField(null=True)),
                    ('waits_since', models.DateTimeField(help_text='Since when it waits to be handed to the network; empty for what need not be.', null=True)),
                    ('handed_at', models.DateTimeField(null=True)),
                    ('handed_as', models.CharField(blank=True, db_default='', max_length=120)),
                    ('document', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='files', to='orders.invoice')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('handed_at', None), ('waits_since__isnull', False)), fields=['waits_since'], name='document_file_waits')],
                    'constraints': [models.UniqueConstraint(fields=('document', 'format'), name='document_file_once')],
                },
            ),
        ]),
        migrations.RunSQL(documents.STAY, documents.GO),
        migrations.RunSQL(prices.KEEP, "DROP FUNCTION orders_productprice_stays() CASCADE"),
        migrations.RunSQL(withdrawn.PRICES, migrations.RunSQL.noop),
        migrations.RunSQL(withdrawn.RATES, "DROP FUNCTION orders_vatrate_stays() CASCADE"),
        migrations.RunPython(catalogue.load, migrations.RunPython.noop),
        migrations.RunPython(cabinet.price, migrations.RunPython.noop),
        migrations.RunPython(areas.load, migrations.RunPython.noop),
    ]
