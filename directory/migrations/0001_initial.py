import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('sites', '0002_alter_domain_unique'),
    ]

    operations = [
        migrations.CreateModel(
            name='Site',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.SlugField(max_length=40, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('purpose', models.CharField(max_length=300)),
                ('is_default', models.BooleanField(default=False)),
                ('django_site', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='launch_site', to='sites.site')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('is_default', True)), fields=('is_default',), name='site_one_default')],
            },
        ),
        migrations.CreateModel(
            name='Listing',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=220)),
                ('status', models.CharField(choices=[('draft', 'Draft'), ('awaiting_badge', 'Awaiting Badge'), ('scheduled', 'Scheduled'), ('live', 'Live'), ('rejected', 'Rejected'), ('suspended', 'Suspended'), ('archived', 'Archived')], default='draft', max_length=16)),
                ('status_reason', models.CharField(blank=True, max_length=300)),
                ('plan', models.CharField(choices=[('free', 'Free'), ('paid', 'Paid')], default='free', max_length=8)),
                ('name', models.CharField(max_length=500)),
                ('tagline', models.CharField(blank=True, max_length=500)),
                ('short_description', models.CharField(blank=True, max_length=500)),
                ('description', models.TextField(blank=True)),
                ('url', models.URLField(max_length=2048)),
                ('domain', models.CharField(max_length=253)),
                ('host', models.CharField(max_length=253)),
                ('logo_url', models.URLField(blank=True, help_text='Where the website has its logo.', max_length=500)),
                ('logo', models.ImageField(blank=True, help_text='Our own copy of it.', upload_to='logos')),
                ('stage', models.CharField(blank=True, max_length=500)),
                ('pricing_model', models.CharField(blank=True, max_length=500)),
                ('pricing_summary', models.CharField(blank=True, max_length=500)),
                ('country', models.CharField(blank=True, max_length=2)),
                ('city', models.CharField(blank=True, max_length=500)),
                ('founded_year', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('contact_email', models.EmailField(blank=True, max_length=254)),
                ('demo_video_url', models.URLField(blank=True, max_length=500)),
                ('features', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), blank=True, default=list, size=None)),
                ('usps', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), blank=True, default=list, size=None)),
                ('keywords', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), blank=True, default=list, size=None)),
                ('tags', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), blank=True, default=list, size=None)),
                ('faqs', models.JSONField(blank=True, default=list)),
                ('socials', models.JSONField(blank=True, default=dict)),
                ('headline', models.CharField(blank=True, max_length=200)),
                ('summary', models.TextField(blank=True)),
                ('seo_title', models.CharField(blank=True, max_length=200)),
                ('seo_description', models.CharField(blank=True, max_length=320)),
                ('story', models.JSONField(blank=True, default=dict)),
                ('media', models.JSONField(blank=True, default=list)),
                ('evidence', models.JSONField(blank=True, default=dict, help_text='Quotes from the website, by field.')),
                ('not_found', models.JSONField(blank=True, default=list, help_text='Facts the website does not state, with reasons.')),
                ('unlocked_sections', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), blank=True, default=list, size=None)),
                ('featured_until', models.DateTimeField(blank=True, null=True)),
                ('awards', models.JSONField(blank=True, default=list, help_text='Awards won, newest first, as lists show them.')),
                ('domain_rating', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('launch_week', models.DateField(blank=True, null=True)),
                ('missed_weeks', models.PositiveSmallIntegerField(default=0)),
                ('launched_at', models.DateTimeField(blank=True, null=True)),
                ('claimed_by_method', models.CharField(blank=True, max_length=10)),
                ('claim_checked_at', models.DateTimeField(blank=True, null=True)),
                ('last_crawled_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField()),
                ('updated_at', models.DateTimeField()),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='listings', to=settings.AUTH_USER_MODEL)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='listings', to='directory.site')),
            ],
            options={
                'indexes': [models.Index(fields=['site', 'domain'], name='listing_domain'), models.Index(fields=['owner', '-created_at', '-id'], name='listing_owner'), models.Index(condition=models.Q(('status', 'live')), fields=['site', '-launched_at', '-id'], name='listing_newest'), models.Index(condition=models.Q(('status__in', ['awaiting_badge', 'scheduled'])), fields=['status', 'launch_week'], name='listing_queue'), django.contrib.postgres.indexes.GinIndex(fields=['tags'], name='listing_tags')],
                'constraints': [models.UniqueConstraint(fields=('site', 'slug'), name='listing_slug_once_per_site'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'live'), _negated=True), ('launched_at__isnull', False), _connector='OR'), name='listing_live_has_launched'), models.CheckConstraint(condition=models.Q(models.Q(('status__in', ['awaiting_badge', 'scheduled']), _negated=True), ('launch_week__isnull', False), _connector='OR'), name='listing_queued_has_week')],
            },
        ),
        migrations.CreateModel(
            name='Category',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=220, unique=True)),
                ('name', models.CharField(max_length=120)),
                ('description', models.TextField(blank=True)),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('faqs', models.JSONField(blank=True, default=list)),
                ('terms', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=80), blank=True, default=list, size=None)),
                ('attributes', models.JSONField(blank=True, default=list)),
                ('parent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='children', to='directory.category')),
            ],
            options={
                'verbose_name_plural': 'categories',
                'indexes': [models.Index(fields=['parent', 'position', 'id'], name='category_tree')],
            },
        ),
        migrations.CreateModel(
            name='Founder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=220, unique=True)),
                ('name', models.CharField(max_length=160)),
                ('title', models.CharField(blank=True, max_length=160)),
                ('bio', models.TextField(blank=True, max_length=3000)),
                ('country', models.CharField(blank=True, max_length=2)),
                ('photo', models.ImageField(blank=True, upload_to='founders')),
                ('socials', models.JSONField(blank=True, default=dict)),
                ('created_at', models.DateTimeField()),
                ('user', models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='founder', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['name', 'id'], name='founder_name')],
            },
        ),
        migrations.CreateModel(
            name='InterviewQuestion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('question', models.CharField(max_length=300)),
                ('help', models.CharField(blank=True, max_length=500)),
                ('order', models.PositiveSmallIntegerField(default=0)),
                ('is_active', models.BooleanField(default=True)),
            ],
            options={
                'indexes': [models.Index(fields=['order', 'id'], name='question_order')],
            },
        ),
        migrations.CreateModel(
            name='InterviewAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('answer', models.TextField(max_length=4000)),
                ('updated_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='interview_answers', to=settings.AUTH_USER_MODEL)),
                ('question', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='directory.interviewquestion')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'question'), name='interview_answer_once')],
            },
        ),
        migrations.CreateModel(
            name='ListingStats',
            fields=[
                ('listing', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='stats', serialize=False, to='directory.listing')),
                ('is_live', models.BooleanField(default=False)),
                ('votes', models.PositiveIntegerField(default=0)),
                ('followers', models.PositiveIntegerField(default=0)),
                ('views', models.PositiveBigIntegerField(default=0)),
                ('hot', models.FloatField(default=0, help_text='Votes of the last days, decayed; refreshed by a periodic job.')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
            ],
            options={
                'verbose_name_plural': 'listing stats',
                'indexes': [models.Index(condition=models.Q(('is_live', True)), fields=['site', '-votes', 'listing'], name='stats_by_votes'), models.Index(condition=models.Q(('is_live', True)), fields=['site', '-followers', 'listing'], name='stats_by_followers'), models.Index(condition=models.Q(('is_live', True)), fields=['site', '-views', 'listing'], name='stats_by_views'), models.Index(condition=models.Q(('is_live', True)), fields=['site', '-hot', 'listing'], name='stats_by_hot')],
            },
        ),
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follow_rows', to='directory.listing')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('listing', 'user'), name='follow_once')],
            },
        ),
        migrations.CreateModel(
            name='BadgeCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('found', models.BooleanField()),
                ('result', models.CharField(max_length=20)),
                ('detail', models.CharField(blank=True, max_length=500)),
                ('snippet', models.CharField(blank=True, max_length=500)),
                ('next_at', models.DateTimeField(blank=True, null=True)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='badge_checks', to='directory.listing')),
            ],
            options={
                'indexes': [models.Index(fields=['listing', '-at', '-id'], name='badge_check_newest')],
            },
        ),
        migrations.CreateModel(
            name='ListingCategory',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('category', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='filed', to='directory.category')),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='filed', to='directory.listing')),
            ],
            options={
                'indexes': [models.Index(fields=['category', 'listing'], name='listing_category_filed')],
                'constraints': [models.UniqueConstraint(fields=('listing', 'category'), name='listing_category_once'), models.UniqueConstraint(fields=('listing', 'position'), name='listing_category_position_once')],
            },
        ),
        migrations.AddField(
            model_name='listing',
            name='categories',
            field=models.ManyToManyField(related_name='listings', through='directory.ListingCategory', to='directory.category'),
        ),
        migrations.CreateModel(
            name='ListingFounder',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(blank=True, max_length=160)),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('founder', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='founded', to='directory.founder')),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='founded_by', to='directory.listing')),
            ],
            options={
                'indexes': [models.Index(fields=['founder', 'listing'], name='listing_founder_listings')],
                'constraints': [models.UniqueConstraint(fields=('listing', 'founder'), name='listing_founder_once')],
            },
        ),
        migrations.CreateModel(
            name='ListingMove',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('from_status', models.CharField(max_length=16)),
                ('to_status', models.CharField(max_length=16)),
                ('by', models.CharField(help_text='user:<id>, staff:<id>, order:<number> or system.', max_length=120)),
                ('reason', models.CharField(max_length=300)),
                ('at', models.DateTimeField()),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='directory.listing')),
            ],
            options={
                'indexes': [models.Index(fields=['listing', '-at', '-id'], name='listing_move_newest')],
            },
        ),
        migrations.CreateModel(
            name='ListingRevision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('changed', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), size=None)),
                ('before', models.JSONField()),
                ('after', models.JSONField()),
                ('at', models.DateTimeField()),
                ('review', models.CharField(choices=[('pending', 'Pending'), ('accepted', 'Accepted'), ('reverted', 'Reverted')], default='pending', max_length=10)),
                ('reviewed_at', models.DateTimeField(blank=True, null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='directory.listing')),
                ('reviewed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['listing', '-at', '-id'], name='revision_newest'), models.Index(condition=models.Q(('review', 'pending')), fields=['at'], name='revision_pending')],
            },
        ),
        migrations.CreateModel(
            name='ListingUpdate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=200)),
                ('body', models.TextField(max_length=5000)),
                ('posted_at', models.DateTimeField()),
                ('followers_notified', models.PositiveIntegerField(default=0)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='updates', to='directory.listing')),
            ],
            options={
                'indexes': [models.Index(fields=['listing', '-posted_at', '-id'], name='update_newest'), models.Index(fields=['-posted_at', '-id'], name='update_feed')],
            },
        ),
        migrations.CreateModel(
            name='Milestone',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('date', models.DateField()),
                ('title', models.CharField(max_length=200)),
                ('description', models.TextField(blank=True, max_length=2000)),
                ('url', models.URLField(blank=True, max_length=500)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='milestones', to='directory.listing')),
            ],
            options={
                'indexes': [models.Index(fields=['listing', '-date', '-id'], name='milestone_newest')],
            },
        ),
        migrations.CreateModel(
            name='Launch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('week', models.DateField()),
                ('kind', models.CharField(choices=[('free', 'Free'), ('paid', 'Paid'), ('relaunch', 'Relaunch')], max_length=10)),
                ('votes', models.PositiveIntegerField(default=0)),
                ('booked_at', models.DateTimeField()),
                ('launched_at', models.DateTimeField(blank=True, null=True)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='launches', to='directory.listing')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
            ],
            options={
                'verbose_name_plural': 'launches',
                'indexes': [models.Index(fields=['site', 'week', '-votes', 'launched_at', 'listing'], name='launch_week_rank')],
                'constraints': [models.UniqueConstraint(fields=('listing', 'week'), name='launch_once_a_week')],
            },
        ),
        migrations.CreateModel(
            name='CategoryCount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('listings', models.PositiveIntegerField(default=0, help_text='Live listings filed here.')),
                ('total_listings', models.PositiveIntegerField(default=0, help_text='Live listings here and below, each once.')),
                ('category', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='counts', to='directory.category')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('site', 'category'), name='category_count_once')],
            },
        ),
        migrations.CreateModel(
            name='BlogPost',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=220)),
                ('title', models.CharField(max_length=200)),
                ('excerpt', models.CharField(blank=True, max_length=400)),
                ('author', models.CharField(blank=True, max_length=160)),
                ('markdown', models.TextField()),
                ('cover', models.ImageField(blank=True, upload_to='blog')),
                ('faqs', models.JSONField(blank=True, default=list)),
                ('published_at', models.DateTimeField(blank=True, null=True)),
                ('updated_at', models.DateTimeField()),
                ('listings', models.ManyToManyField(blank=True, related_name='posts', to='directory.listing')),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='posts', to='directory.site')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('published_at__isnull', False)), fields=['site', '-published_at', '-id'], name='post_newest')],
                'constraints': [models.UniqueConstraint(fields=('site', 'slug'), name='post_slug_once_per_site')],
            },
        ),
        migrations.CreateModel(
            name='SiteSettings',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('free_queue_weeks', models.PositiveSmallIntegerField(default=2, help_text='How many weeks out the free queue begins.')),
                ('free_slots_per_week', models.PositiveIntegerField(default=200)),
                ('paid_slots_per_week', models.PositiveIntegerField(default=50)),
                ('changed_at', models.DateTimeField()),
                ('changed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='settings', to='directory.site')),
            ],
            options={
                'verbose_name_plural': 'site settings',
                'indexes': [models.Index(fields=['site', '-changed_at', '-id'], name='site_settings_newest')],
            },
        ),
        migrations.CreateModel(
            name='Vote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('week', models.DateField()),
                ('created_at', models.DateTimeField()),
                ('voided_at', models.DateTimeField(blank=True, null=True)),
                ('void_reason', models.CharField(blank=True, max_length=200)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vote_rows', to='directory.listing')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='votes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['created_at', 'listing'], name='vote_recent'), models.Index(fields=['week', 'listing'], name='vote_week')],
                'constraints': [models.UniqueConstraint(fields=('listing', 'user'), name='vote_once')],
            },
        ),
    ]
