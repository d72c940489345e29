"""What 0001 to 0008 made of an empty database, in one step: `make up` and each run of the tests begin with one.

A database that has a part of them goes on by them; one that has all of them has this, too. What a table is comes from
the models' state, everything else from the migration that brought it.
"""

import django.db.models.deletion
import leaderboards.models
from django.conf import settings
from django.db import migrations, models

from core.squashing import CreateModels


class Migration(migrations.Migration):

    replaces = [
        ('leaderboards', '0001_initial'),
        ('leaderboards', '0002_standing_is_live'),
        ('leaderboards', '0003_test_contributions'),
        ('leaderboards', '0004_currency_of_the_site'),
        ('leaderboards', '0005_ballots'),
        ('leaderboards', '0006_open_data'),
        ('leaderboards', '0007_trophies'),
        ('leaderboards', '0008_corrected_weeks'),
    ]

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('directory', '0035_figures_of_launches'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='DomainRating',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('domain', models.CharField(max_length=253)),
                    ('value', models.PositiveSmallIntegerField()),
                    ('source', models.CharField(max_length=80)),
                    ('date', models.DateField()),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('domain', 'source', 'date'), name='domain_rating_once_a_day'), models.CheckConstraint(condition=models.Q(('value__lte', 100)), name='domain_rating_is_0_to_100')],
                },
            ),
            migrations.CreateModel(
                name='WeekClose',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('week', models.DateField()),
                    ('closed_at', models.DateTimeField()),
                    ('listings', models.PositiveIntegerField()),
                    ('votes', models.PositiveIntegerField()),
                    ('digest', models.CharField(max_length=64)),
                    ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                    ('corrected_at', models.DateTimeField(editable=False, null=True)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('site', 'week'), name='week_closed_once')],
                },
            ),
            migrations.CreateModel(
                name='Programme',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('slug', models.SlugField(max_length=80)),
                    ('title', models.CharField(max_length=120)),
                    ('description', models.TextField(help_text='Plain text.', max_length=4000)),
                    ('entry_from', models.DateTimeField(help_text='From when owners enter (UTC).')),
                    ('entry_until', models.DateTimeField(help_text='Until when; not after voting begins.')),
                    ('votes_from', models.DateTimeField(help_text='Votes cast from here on count (UTC).')),
                    ('votes_until', models.DateTimeField(help_text='Votes cast from here on don’t count any more.')),
                    ('launched_from', models.DateField(blank=True, help_text='Only listings launched on this day or later.', null=True)),
                    ('launched_until', models.DateField(blank=True, help_text='Only those launched by this day.', null=True)),
                    ('places', models.PositiveSmallIntegerField(default=3, help_text='How many win: 1, 2 or 3.')),
                    ('closed_at', models.DateTimeField(editable=False, null=True)),
                    ('corrected_at', models.DateTimeField(editable=False, null=True)),
                    ('categories', models.ManyToManyField(blank=True, help_text='Only listings of these and what is below them.', related_name='+', to='directory.category')),
                    ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='programmes', to='directory.site')),
                ],
                options={
                    'indexes': [models.Index(fields=['site', '-votes_until', 'id'], name='programme_newest')],
                    'constraints': [models.UniqueConstraint(fields=('site', 'slug'), name='programme_slug_once'), models.CheckConstraint(condition=models.Q(('entry_from__lt', models.F('entry_until')), ('entry_until__lte', models.F('votes_from')), ('votes_from__lt', models.F('votes_until'))), name='programme_windows_in_order'), models.CheckConstraint(condition=models.Q(('places__range', (1, 3))), name='programme_places_one_to_three')],
                },
            ),
            migrations.CreateModel(
                name='Contribution',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('reference', models.CharField(max_length=80, unique=True)),
                    ('amount_cents', models.BigIntegerField()),
                    ('currency', models.CharField(default=leaderboards.models.site_currency, max_length=3)),
                    ('paid_at', models.DateTimeField()),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='contributions', to='directory.listing')),
                    ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                    ('is_test', models.BooleanField(db_default=False, default=False, help_text='Test money: nothing was charged.')),
                ],
                options={
                    'indexes': [models.Index(fields=['site', 'listing'], name='contribution_of_listing')],
                },
            ),
            migrations.CreateModel(
                name='RevenueReport',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('amount_cents', models.PositiveBigIntegerField(help_text="A month's revenue.")),
                    ('currency', models.CharField(default=leaderboards.models.site_currency, max_length=3)),
                    ('is_verified', models.BooleanField(default=False)),
                    ('method', models.CharField(blank=True, help_text='How it was verified, or who told it.', max_length=120)),
                    ('as_of', models.DateField()),
                    ('entered_at', models.DateTimeField()),
                    ('entered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='revenue_reports', to='directory.listing')),
                ],
                options={
                    'indexes': [models.Index(fields=['listing', '-as_of', '-id'], name='revenue_newest')],
                },
            ),
            migrations.CreateModel(
                name='Standing',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('board', models.CharField(max_length=20)),
                    ('rank', models.PositiveIntegerField()),
                    ('previous_rank', models.PositiveIntegerField(null=True)),
                    ('value', models.BigIntegerField()),
                    ('unit', models.CharField(blank=True, max_length=8)),
                    ('is_verified', models.BooleanField(null=True)),
                    ('as_of', models.DateField(null=True)),
                    ('refreshed_at', models.DateTimeField(help_text='When it last changed.')),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='directory.listing')),
                    ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                    ('is_live', models.BooleanField(db_default=True, default=True, help_text='Kept by public_data.refresh.')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('is_live', True)), fields=['site', 'board', 'rank'], include=('id',), name='standing_rank')],
                    'constraints': [models.UniqueConstraint(fields=('site', 'board', 'listing'), name='standing_once')],
                },
            ),
            migrations.CreateModel(
                name='BoardRefresh',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('board', models.CharField(max_length=20)),
                    ('refreshed_at', models.DateTimeField()),
                    ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('site', 'board'), name='board_refresh_once')],
                },
            ),
            migrations.CreateModel(
                name='OpenDataFile',
                fields=[
                    ('id', models.BigAutoField(primary_key=True, serialize=False)),
                    ('table', models.CharField(max_length=20)),
                    ('format', models.CharField(max_length=10)),
                    ('file', models.FileField(upload_to='data')),
                    ('sha256', models.CharField(max_length=64)),
                    ('rows', models.PositiveIntegerField()),
                    ('size', models.PositiveBigIntegerField(help_text='Bytes, packed.')),
                    ('made_at', models.DateTimeField()),
                    ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                ],
                options={
                    'indexes': [models.Index(fields=['site', 'table', 'format', '-made_at', '-id'], name='open_data_newest')],
                },
            ),
            migrations.CreateModel(
                name='CabinetLook',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('reference', models.CharField(max_length=80, unique=True)),
                    ('finish', models.CharField(choices=[('paper', 'Paper'), ('oak', 'Oak'), ('steel', 'Steel'), ('glass', 'Glass')], max_length=8)),
                    ('title', models.CharField(blank=True, max_length=60)),
                    ('bought_at', models.DateTimeField()),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='cabinet_looks', to='directory.listing')),
                ],
            ),
            migrations.CreateModel(
                name='WeekResult',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('rank', models.PositiveIntegerField()),
                    ('votes', models.PositiveIntegerField()),
                    ('close', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='leaderboards.weekclose')),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.listing')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('close', 'rank'), name='week_result_rank_once')],
                },
            ),
            migrations.CreateModel(
                name='BallotFile',
                fields=[
                    ('close', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='ballots', serialize=False, to='leaderboards.weekclose')),
                    ('file', models.FileField(blank=True, upload_to='ballots')),
                    ('seed', models.BinaryField(help_text='What the secrets of its ballots follow from.', max_length=32)),
                    ('previous', models.CharField(help_text='The head of the week before, in hexadecimal.', max_length=64)),
                    ('head', models.CharField(blank=True, max_length=64)),
                    ('signature', models.TextField(blank=True, help_text="A JWS by the site's key over the head.")),
                ],
            ),
            migrations.CreateModel(
                name='Award',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('week', models.DateField(help_text='Of a programme: the week in which its voting ended.')),
                    ('rank', models.PositiveSmallIntegerField()),
                    ('votes', models.PositiveIntegerField()),
                    ('given_at', models.DateTimeField()),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='won', to='directory.listing')),
                    ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                    ('credential', models.TextField(db_default='', default='', help_text='As it was signed.')),
                    ('revoked_at', models.DateTimeField(null=True)),
                    ('revoked_for', models.CharField(db_default='', default='', max_length=200)),
                    ('programme', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='awards', to='leaderboards.programme')),
                ],
                options={
                    'indexes': [models.Index(fields=['site', '-week', 'rank'], name='award_newest'), models.Index(condition=models.Q(('credential', '')), fields=['id'], name='award_unsigned')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('rank__range', (1, 3))), name='award_rank_is_one_to_three'), models.UniqueConstraint(condition=models.Q(('programme', None), ('revoked_at', None)), fields=('site', 'week', 'rank'), name='award_of_week_once'), models.UniqueConstraint(condition=models.Q(('revoked_at', None)), fields=('programme', 'rank'), name='award_of_programme_once')],
                },
            ),
            migrations.CreateModel(
                name='ProgrammeEntry',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('entered_at', models.DateTimeField()),
                    ('rank', models.PositiveIntegerField(null=True)),
                    ('votes', models.PositiveIntegerField(null=True)),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='programme_entries', to='directory.listing')),
                    ('programme', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='entries', to='leaderboards.programme')),
                ],
                options={
                    'verbose_name_plural': 'programme entries',
                    'constraints': [models.UniqueConstraint(fields=('programme', 'listing'), name='programme_entry_once')],
                },
            ),
        ]),
    ]
