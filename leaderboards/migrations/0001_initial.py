import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('directory', '0002_domain_rating_detail'),
    ]

    operations = [
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
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('site', 'week'), name='week_closed_once')],
            },
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
            name='Award',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('week', models.DateField()),
                ('rank', models.PositiveSmallIntegerField()),
                ('votes', models.PositiveIntegerField()),
                ('given_at', models.DateTimeField()),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='won', to='directory.listing')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
            ],
            options={
                'indexes': [models.Index(fields=['site', '-week', 'rank'], name='award_newest')],
                'constraints': [models.UniqueConstraint(fields=('site', 'week', 'rank'), name='award_once'), models.CheckConstraint(condition=models.Q(('rank__range', (1, 3))), name='award_rank_is_one_to_three')],
            },
        ),
        migrations.CreateModel(
            name='Contribution',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reference', models.CharField(max_length=80, unique=True)),
                ('amount_cents', models.BigIntegerField()),
                ('currency', models.CharField(default='EUR', max_length=3)),
                ('paid_at', models.DateTimeField()),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='contributions', to='directory.listing')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
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
                ('currency', models.CharField(default='EUR', max_length=3)),
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
                ('refreshed_at', models.DateTimeField()),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='standings', to='directory.listing')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
            ],
            options={
                'indexes': [models.Index(fields=['site', 'board', 'rank'], name='standing_rank')],
                'constraints': [models.UniqueConstraint(fields=('site', 'board', 'listing'), name='standing_once')],
            },
        ),
    ]
