"""What 0001 to 0047 made of an empty database, in one step: `make up` and each run of the tests begin with one.

A database that has a part of them goes on by them; one that has all of them has this, too. What a table is comes from
the models' state, everything else from the migration that brought it.
"""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.text
from importlib import import_module

from django.conf import settings
from django.contrib.postgres.operations import CreateExtension
from django.db import migrations, models

from core.squashing import CreateModels

from directory.search import functions

storage = import_module("directory.migrations.0005_search_functions")
founders = import_module("directory.migrations.0007_founder_names")
search = import_module("directory.migrations.0008_search_by_tier")
votes = import_module("directory.migrations.0010_cast_vote")
held_votes = import_module("directory.migrations.0012_held_votes")
# Columns that the models have no more and former releases read: they go one release after them.
FORMER = """
ALTER TABLE directory_launch ADD COLUMN rank_before integer CHECK (rank_before >= 0), ADD COLUMN ranked_on date;
"""


class Migration(migrations.Migration):

    replaces = [
        ('directory', '0001_initial'),
        ('directory', '0002_domain_rating_detail'),
        ('directory', '0003_alternative'),
        ('directory', '0004_search_rows'),
        ('directory', '0005_search_functions'),
        ('directory', '0006_launch_is_hidden'),
        ('directory', '0007_founder_names'),
        ('directory', '0008_search_by_tier'),
        ('directory', '0009_fewer_indexes'),
        ('directory', '0010_cast_vote'),
        ('directory', '0011_badge_check_was_read'),
        ('directory', '0012_held_votes'),
        ('directory', '0013_claimed_is_proof'),
        ('directory', '0014_followers_mail_and_weeks_shown'),
        ('directory', '0015_edits_with_their_sources'),
        ('directory', '0016_listing_co_owners'),
        ('directory', '0017_bought_categories'),
        ('directory', '0018_site_pages'),
        ('directory', '0019_reports'),
        ('directory', '0020_search_functions_from_files'),
        ('directory', '0021_find_listings'),
        ('directory', '0022_edits_to_look_at_first'),
        ('directory', '0023_what_staff_can_undo'),
        ('directory', '0024_listing_host'),
        ('directory', '0025_join_words_in_search'),
        ('directory', '0026_ranks_of_the_day_before'),
        ('directory', '0027_listing_in_status'),
        ('directory', '0028_paid_listings'),
        ('directory', '0029_report_senders'),
        ('directory', '0030_categories_beyond_the_plan'),
        ('directory', '0031_featured_places'),
        ('directory', '0032_uploads'),
        ('directory', '0033_featured_counts'),
        ('directory', '0034_site_picture'),
        ('directory', '0035_figures_of_launches'),
        ('directory', '0036_reviews_and_questions'),
        ('directory', '0037_mail_about_launches'),
        ('directory', '0038_winners_by_mail'),
        ('directory', '0039_launch_reminders'),
        ('directory', '0040_following_topics'),
        ('directory', '0041_best_reviewed_and_answers'),
        ('directory', '0042_answers_by_mail'),
        ('directory', '0043_estimated_totals'),
        ('directory', '0044_week_reminders'),
        ('directory', '0045_unpublished_edits'),
        ('directory', '0046_removed_pictures'),
        ('directory', '0047_photo_source'),
    ]

    initial = True

    dependencies = [
        ('accounts', '0003_client_registration'),
        ('core', '0005_pause'),
        ('sites', '0002_alter_domain_unique'),
    ]

    operations = [
        CreateExtension("fuzzystrmatch"),
        CreateModels([
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
                    ('merged_into', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='directory.category')),
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
                    ('photo_source', models.CharField(blank=True, db_default='', default='', help_text='The page it was taken from.', max_length=2048)),
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
                name='MailChoice',
                fields=[
                    ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='mail_choice', serialize=False, to=settings.AUTH_USER_MODEL)),
                    ('updates', models.CharField(choices=[('digest', 'Once a day, all together'), ('at_once', 'Each one at once'), ('off', 'Not at all')], default='digest', max_length=8)),
                    ('changed_at', models.DateTimeField()),
                    ('of_products', models.BooleanField(db_default=True, default=True, help_text="Reviews and questions of the person's own products.")),
                    ('of_launches', models.BooleanField(db_default=True, default=True, help_text="What comes of the person's own launches.")),
                    ('of_coming', models.BooleanField(db_default=True, default=True, help_text='Launches that the person asked to be reminded of.')),
                    ('of_topics', models.BooleanField(db_default=True, default=True, help_text='Launches by makers and in categories that the person follows.')),
                    ('of_answers', models.BooleanField(db_default=True, default=True, help_text="What makers answer to the person's questions and reviews.")),
                ],
            ),
            migrations.CreateModel(
                name='CounterFold',
                fields=[
                    ('buffer', models.CharField(max_length=20, primary_key=True, serialize=False)),
                    ('batch', models.CharField(db_default='', default='', max_length=32)),
                ],
            ),
            migrations.CreateModel(
                name='SiteSettings',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('free_queue_weeks', models.PositiveSmallIntegerField(default=2, help_text='How many weeks out the free queue begins.', validators=[django.core.validators.MaxValueValidator(52)])),
                    ('free_slots_per_week', models.PositiveIntegerField(default=200, help_text='How many free launches a week takes. Places that are booked stay.', validators=[django.core.validators.MaxValueValidator(10000)])),
                    ('paid_slots_per_week', models.PositiveIntegerField(default=50, help_text='How many paid launches a week takes. Places that are booked stay.', validators=[django.core.validators.MaxValueValidator(10000)])),
                    ('changed_at', models.DateTimeField()),
                    ('changed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='settings', to='directory.site')),
                    ('launch_grace_hours', models.PositiveSmallIntegerField(db_default=24, default=24, help_text='How long a free launch keeps its week while its homepage cannot be opened.', validators=[django.core.validators.MaxValueValidator(168)])),
                    ('weeks_shown', models.PositiveSmallIntegerField(db_default=12, default=12, help_text='How many coming weeks are shown with their free places and can be bought.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(52)])),
                ],
                options={
                    'verbose_name_plural': 'site settings',
                    'indexes': [models.Index(fields=['site', '-changed_at', '-id'], name='site_settings_newest')],
                },
            ),
            migrations.CreateModel(
                name='SiteCount',
                fields=[
                    ('site', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='count', serialize=False, to='directory.site')),
                    ('live', models.PositiveIntegerField(default=0)),
                    ('upcoming', models.PositiveIntegerField(default=0)),
                ],
            ),
            migrations.CreateModel(
                name='SearchTerm',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('term', models.CharField(db_collation='C', max_length=80)),
                    ('documents', models.PositiveIntegerField(help_text='How many listings have it, when last counted.')),
                    ('in_names', models.BooleanField()),
                    ('deletes', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), null=True, size=None)),
                    ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                ],
                options={
                    'indexes': [django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['deletes'], name='search_term_deletes')],
                    'constraints': [models.UniqueConstraint(fields=('site', 'term'), name='search_term_once')],
                },
            ),
            migrations.CreateModel(
                name='SitePage',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(choices=[('privacy', 'Privacy'), ('terms', 'Terms'), ('contact', 'Contact')], max_length=20)),
                    ('markdown', models.TextField(help_text='Begin with a heading: # Privacy', max_length=100000)),
                    ('updated_at', models.DateTimeField()),
                    ('site', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pages', to='directory.site')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('site', 'name'), name='site_page_once_per_site')],
                },
            ),
            migrations.CreateModel(
                name='WinnersReader',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('email', models.EmailField(db_collation='C', help_text='In its one form.', max_length=254)),
                    ('created_at', models.DateTimeField(help_text='When it was last asked.')),
                    ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                    ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('confirmed_at__isnull', False)), fields=['site', 'id'], name='winners_reader_mailed'), models.Index(condition=models.Q(('confirmed_at', None)), fields=['created_at'], name='winners_reader_asked')],
                    'constraints': [models.UniqueConstraint(fields=('email', 'site'), name='winners_reader_once')],
                },
            ),
            migrations.CreateModel(
                name='WeekReminder',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('week', models.DateField()),
                    ('created_at', models.DateTimeField(db_index=True)),
                    ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('site', 'week', 'user'), name='week_reminder_once')],
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
                    ('domain_rating_detail', models.JSONField(blank=True, help_text='Value, source, date and series.', null=True)),
                    ('co_owners', models.ManyToManyField(blank=True, help_text='Who else may edit it, such as an agency; staff decide that about a contested claim.', related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('badge_waived', models.BooleanField(db_default=False, default=False, help_text='Staff let it launch free without the badge.')),
                    ('beyond_plan', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, db_default=[], default=list, editable=False, help_text='Categories that its draft names and its plan does not hold; those bought by themselves among them.', size=None)),
                    ('site_picture', models.JSONField(blank=True, editable=False, help_text='The picture that its website gives of itself: where from, our copy, why none, or that it is down.', null=True)),
                ],
                options={
                    'indexes': [models.Index(fields=['site', 'domain'], name='listing_domain'), models.Index(fields=['owner', '-created_at', '-id'], name='listing_owner'), models.Index(condition=models.Q(('status', 'live')), fields=['site', '-launched_at', '-id'], name='listing_newest'), models.Index(condition=models.Q(('status__in', ['awaiting_badge', 'scheduled'])), fields=['status', 'launch_week'], name='listing_queue'), django.contrib.postgres.indexes.GinIndex(fields=['tags'], name='listing_tags'), models.Index(condition=models.Q(('awards', []), _negated=True), fields=['id'], name='listing_awarded'), models.Index(django.db.models.functions.comparison.Collate(django.db.models.functions.text.Lower('name'), 'C'), name='listing_name_begins'), models.Index(fields=['site', 'host'], name='listing_host'), models.Index(fields=['status', '-id'], name='listing_in_status'), models.Index(condition=models.Q(('plan', 'paid')), fields=['-id'], name='listing_paid')],
                    'constraints': [models.UniqueConstraint(fields=('site', 'slug'), name='listing_slug_once_per_site'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'live'), _negated=True), ('launched_at__isnull', False), _connector='OR'), name='listing_live_has_launched'), models.CheckConstraint(condition=models.Q(models.Q(('status__in', ['awaiting_badge', 'scheduled']), _negated=True), ('launch_week__isnull', False), _connector='OR'), name='listing_queued_has_week')],
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
                name='TopicFollow',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('created_at', models.DateTimeField()),
                    ('category', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.category')),
                    ('founder', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='follow_rows', to='directory.founder')),
                    ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                    ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='topics', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('user', 'site', 'founder'), name='topic_founder_once'), models.UniqueConstraint(fields=('user', 'site', 'category'), name='topic_category_once'), models.CheckConstraint(condition=models.Q(models.Q(('category__isnull', False), ('founder', None)), models.Q(('category', None), ('founder__isnull', False)), _connector='OR'), name='topic_is_one')],
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
                    ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                    ('reviews', models.PositiveIntegerField(db_default=0, default=0, help_text='Those that count.')),
                    ('stars', models.PositiveIntegerField(db_default=0, default=0, help_text='Of these reviews together.')),
                ],
                options={
                    'verbose_name_plural': 'listing stats',
                    'indexes': [models.Index(condition=models.Q(('is_live', True)), fields=['site', '-votes', 'listing'], name='stats_by_votes'), models.Index(condition=models.Q(('is_live', True)), fields=['site', '-followers', 'listing'], name='stats_by_followers'), models.Index(condition=models.Q(('is_live', True)), fields=['site', '-views', 'listing'], name='stats_by_views'), models.Index(condition=models.Q(('is_live', True)), fields=['site', '-hot', 'listing'], name='stats_by_hot'), models.Index(condition=models.Q(('is_live', True), ('reviews__gte', 10)), fields=['site', 'listing'], name='stats_reviewed')],
                },
            ),
            migrations.CreateModel(
                name='Follow',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('created_at', models.DateTimeField()),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follows', to=settings.AUTH_USER_MODEL)),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='follow_rows', to='directory.listing')),
                    ('merged_from', models.ForeignKey(db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='directory.listing')),
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
                    ('was_read', models.BooleanField(db_default=True, default=True)),
                ],
                options={
                    'indexes': [models.Index(fields=['listing', '-at', '-id'], name='badge_check_newest'), models.Index(fields=['at'], name='badge_check_at')],
                },
            ),
            migrations.CreateModel(
                name='ListingCategory',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('position', models.PositiveSmallIntegerField(default=0)),
                    ('category', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='filed', to='directory.category')),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='filed', to='directory.listing')),
                    ('is_bought', models.BooleanField(db_default=False, default=False, help_text="Paid for by itself: a draft's own choice does not take it away.")),
                    ('merged_from', models.ForeignKey(db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='directory.category')),
                ],
                options={
                    'indexes': [models.Index(fields=['category', 'listing'], name='listing_category_filed')],
                    'constraints': [models.UniqueConstraint(fields=('listing', 'category'), name='listing_category_once'), models.UniqueConstraint(fields=('listing', 'position'), name='listing_category_position_once')],
                },
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
                    ('review_note', models.CharField(blank=True, db_default='', default='', help_text='The owner reads it.', max_length=300)),
                    ('sources_before', models.JSONField(editable=False, help_text='The quotes and blanks of the changed facts before the edit.', null=True)),
                    ('flags', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), db_default=[], default=list, editable=False, help_text='Why staff look at it first.', size=None)),
                    ('look_first', models.BooleanField(db_default=False, default=False, editable=False)),
                    ('put_back', models.JSONField(editable=False, help_text='The facts of it that staff put back, with what stands again.', null=True)),
                ],
                options={
                    'indexes': [models.Index(fields=['listing', '-at', '-id'], name='revision_newest'), models.Index(condition=models.Q(('review', 'pending')), fields=['at'], name='revision_pending'), models.Index(condition=models.Q(('review', 'pending')), fields=['-look_first', 'at', 'id'], name='revision_queue'), models.Index(fields=['by', '-at'], name='revision_author'), models.Index(condition=models.Q(('reviewed_at__isnull', False)), fields=['reviewed_by', '-reviewed_at'], name='revision_reviewer')],
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
                    ('listing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='launches', to='directory.listing')),
                    ('site', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                    ('is_hidden', models.BooleanField(db_default=False, default=False, help_text='Its listing is not public; kept by public_data.refresh.')),
                ],
                options={
                    'verbose_name_plural': 'launches',
                    'indexes': [models.Index(condition=models.Q(('is_hidden', False)), fields=['site', 'week', '-votes', 'launched_at', 'listing'], name='launch_week_rank'), models.Index(fields=['site', 'week', 'kind'], name='launch_week'), models.Index(condition=models.Q(('is_hidden', False), ('launched_at', None)), fields=['site', 'week', 'booked_at', 'id'], include=('listing',), name='launch_upcoming')],
                    'constraints': [models.UniqueConstraint(fields=('listing', 'week'), name='launch_once_a_week')],
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
                name='Vote',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('week', models.DateField()),
                    ('created_at', models.DateTimeField()),
                    ('voided_at', models.DateTimeField(blank=True, null=True)),
                    ('void_reason', models.CharField(blank=True, max_length=200)),
                    ('listing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='vote_rows', to='directory.listing')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='votes', to=settings.AUTH_USER_MODEL)),
                    ('held_at', models.DateTimeField(blank=True, null=True)),
                    ('held_for', models.CharField(blank=True, db_default='', default='', max_length=200)),
                    ('network', models.CharField(blank=True, db_default='', default='', editable=False, max_length=32)),
                    ('released_at', models.DateTimeField(blank=True, null=True)),
                    ('merged_from', models.ForeignKey(db_index=False, editable=False, help_text='The duplicate that it was cast for.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='directory.listing')),
                ],
                options={
                    'indexes': [models.Index(fields=['created_at', 'listing'], name='vote_recent'), models.Index(fields=['week', 'listing'], name='vote_week'), models.Index(condition=models.Q(('held_at__isnull', False)), fields=['held_at'], name='vote_held')],
                    'constraints': [models.UniqueConstraint(fields=('listing', 'user'), name='vote_once')],
                },
            ),
            migrations.CreateModel(
                name='Alternative',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('approved', models.BooleanField(default=False)),
                    ('reason', models.CharField(blank=True, max_length=300)),
                    ('at', models.DateTimeField()),
                    ('alternative', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.listing')),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='alternatives', to='directory.listing')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('listing', 'alternative'), name='alternative_once'), models.CheckConstraint(condition=models.Q(('listing', models.F('alternative')), _negated=True), name='alternative_is_another')],
                },
            ),
            migrations.CreateModel(
                name='ListingCard',
                fields=[
                    ('listing', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='card', serialize=False, to='directory.listing')),
                    ('body', models.TextField()),
                    ('featured_until', models.DateTimeField(blank=True, null=True)),
                    ('counted_as', models.CharField(blank=True, help_text='live, upcoming or nothing.', max_length=8)),
                    ('counted_in', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, help_text='Categories it is filed in.', size=None)),
                    ('counted_below', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, help_text='Those and all above them.', size=None)),
                ],
            ),
            migrations.CreateModel(
                name='SearchDocument',
                fields=[
                    ('listing', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='search_document', serialize=False, to='directory.listing')),
                    ('part', models.CharField(db_collation='C', max_length=12)),
                    ('name', models.CharField(db_collation='C', help_text='The words of the name.', max_length=500)),
                    ('newest_at', models.DateTimeField(help_text='When it launched; when it came in, for an upcoming one.')),
                    ('tier', models.PositiveSmallIntegerField(help_text='0 for the most voted, see indexing.TIERS.')),
                    ('popularity', models.FloatField(help_text='ln(votes + 1) when last looked at.')),
                    ('filters', django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                    ('short', django.contrib.postgres.search.SearchVectorField()),
                    ('words', django.contrib.postgres.search.SearchVectorField()),
                ],
                options={
                    'indexes': [django.contrib.postgres.indexes.GinIndex(fastupdate=False, fields=['words'], name='search_words'), models.Index(fields=['part', 'name'], name='search_name')],
                },
            ),
            migrations.CreateModel(
                name='Undo',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('kind', models.CharField(choices=[('ban', 'Ban'), ('merge', 'Merge'), ('category', 'Category'), ('void', 'Void'), ('picture', 'Picture')], max_length=10)),
                    ('details', models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                    ('at', models.DateTimeField()),
                    ('undone_at', models.DateTimeField(null=True)),
                    ('listing', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.listing')),
                    ('user', models.ForeignKey(help_text='Who was banned.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
            ),
            migrations.CreateModel(
                name='FormerSlug',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('slug', models.SlugField(db_index=False, max_length=220)),
                    ('category', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.category')),
                    ('listing', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.listing')),
                    ('site', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='directory.site')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(condition=models.Q(('listing__isnull', False)), fields=('slug', 'site'), name='former_slug_of_listing'), models.UniqueConstraint(condition=models.Q(('category__isnull', False)), fields=('slug',), name='former_slug_of_category'), models.CheckConstraint(condition=models.Q(models.Q(('category', None), ('listing__isnull', False), ('site__isnull', False)), models.Q(('category__isnull', False), ('listing', None), ('site', None)), _connector='OR'), name='former_slug_leads_somewhere')],
                },
            ),
            migrations.CreateModel(
                name='FeaturedPlace',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('order_line', models.BigIntegerField(blank=True, help_text='The line of an order that it was bought with; empty when staff gave it.', null=True)),
                    ('begins_at', models.DateTimeField()),
                    ('ends_at', models.DateTimeField()),
                    ('with_launch', models.BooleanField(db_default=False, default=False, help_text='It begins when its listing goes live, whenever that is.')),
                    ('listing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='featured_places', to='directory.listing')),
                ],
                options={
                    'indexes': [models.Index(fields=['listing', 'begins_at'], name='featured_place_of_listing'), models.Index(fields=['order_line'], name='featured_place_of_line'), models.Index(fields=['ends_at'], name='featured_place_running')],
                    'constraints': [models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('begins_at'))), name='featured_place_ends_after_it_begins')],
                },
            ),
            migrations.CreateModel(
                name='Upload',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('use', models.CharField(choices=[('gallery', 'Gallery'), ('logo', 'Logo'), ('draft_logo', 'Draft Logo'), ('photo', 'Photo')], max_length=12)),
                    ('status', models.CharField(choices=[('preparing', 'Preparing'), ('refused', 'Refused'), ('shown', 'Shown')], default='preparing', max_length=10)),
                    ('problem', models.CharField(blank=True, db_default='', default='', max_length=300)),
                    ('draft_id', models.UUIDField(blank=True, help_text='The draft whose logo it is to be.', null=True)),
                    ('alt', models.CharField(blank=True, db_default='', default='', max_length=200)),
                    ('original', models.FileField(blank=True, help_text='As it was sent; never public.', upload_to='originals')),
                    ('file', models.FileField(blank=True, help_text='Ours.', upload_to='logos')),
                    ('created_at', models.DateTimeField()),
                    ('by', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('listing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='uploads', to='directory.listing')),
                ],
                options={
                    'indexes': [models.Index(fields=['by', 'status', 'id'], name='upload_of_person'), models.Index(fields=['created_at'], name='upload_created'), models.Index(condition=models.Q(('draft_id__isnull', False)), fields=['draft_id'], name='upload_of_draft')],
                },
            ),
            migrations.CreateModel(
                name='VisitCount',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('at', models.DateTimeField(help_text='When the hour, or the day, began.')),
                    ('is_day', models.BooleanField(db_default=False, default=False)),
                    ('visits', models.PositiveIntegerField(db_default=0, default=0)),
                    ('clicks', models.PositiveIntegerField(db_default=0, default=0)),
                    ('listing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='visit_counts', to='directory.listing')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('is_day', False)), fields=['at'], name='visit_count_hours')],
                    'constraints': [models.UniqueConstraint(fields=('listing', 'at', 'is_day'), name='visit_count_once')],
                },
            ),
            migrations.CreateModel(
                name='VisitSource',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('week', models.DateField()),
                    ('host', models.CharField(max_length=253)),
                    ('visits', models.PositiveIntegerField(db_default=0, default=0)),
                    ('listing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='visit_sources', to='directory.listing')),
                ],
                options={
                    'indexes': [models.Index(fields=['week', 'visits'], name='visit_source_week')],
                    'constraints': [models.UniqueConstraint(fields=('listing', 'week', 'host'), name='visit_source_once')],
                },
            ),
            migrations.CreateModel(
                name='Question',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('text', models.CharField(max_length=500)),
                    ('created_at', models.DateTimeField()),
                    ('status', models.CharField(choices=[('open', 'Open'), ('answered', 'Answered'), ('dismissed', 'Dismissed'), ('removed', 'Removed')], default='open', max_length=10)),
                    ('answer', models.TextField(blank=True, db_default='', default='', max_length=1500)),
                    ('answered_at', models.DateTimeField(blank=True, null=True)),
                    ('network', models.CharField(blank=True, db_default='', default='', editable=False, max_length=32)),
                    ('reason', models.CharField(blank=True, db_default='', default='', help_text='Why staff took it off.', max_length=300)),
                    ('answered_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('author', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='questions', to=settings.AUTH_USER_MODEL)),
                    ('listing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='directory.listing')),
                    ('merged_from', models.ForeignKey(db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='directory.listing')),
                ],
                options={
                    'indexes': [models.Index(fields=['listing', 'status', '-created_at', '-id'], name='question_newest'), models.Index(fields=['author', 'created_at'], name='question_of_person'), models.Index(fields=['answered_by', '-answered_at'], name='question_answers'), models.Index(condition=models.Q(('status', 'answered')), fields=['-answered_at'], name='question_answered_newest')],
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('status', 'answered'), _negated=True), models.Q(models.Q(('answer', ''), _negated=True), ('answered_at__isnull', False)), _connector='OR'), name='question_answered')],
                },
            ),
            migrations.CreateModel(
                name='Review',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('stars', models.PositiveSmallIntegerField()),
                    ('how', models.CharField(choices=[('uses', 'I use it'), ('tried', 'I tried it'), ('works_with', 'I work with them')], max_length=10)),
                    ('text', models.TextField(max_length=1500)),
                    ('created_at', models.DateTimeField()),
                    ('edited_at', models.DateTimeField(blank=True, null=True)),
                    ('status', models.CharField(choices=[('waiting', 'Waiting'), ('published', 'Published'), ('refused', 'Refused')], default='waiting', max_length=10)),
                    ('waits_for', models.CharField(blank=True, db_default='', default='', help_text='Why staff look at it.', max_length=200)),
                    ('waits_since', models.DateTimeField(blank=True, null=True)),
                    ('network', models.CharField(blank=True, db_default='', default='', editable=False, max_length=32)),
                    ('decided_at', models.DateTimeField(blank=True, null=True)),
                    ('reason', models.CharField(blank=True, db_default='', default='', max_length=300)),
                    ('reply', models.TextField(blank=True, db_default='', default='', max_length=1500)),
                    ('replied_at', models.DateTimeField(blank=True, null=True)),
                    ('author', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reviews', to=settings.AUTH_USER_MODEL)),
                    ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('listing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='reviews', to='directory.listing')),
                    ('merged_from', models.ForeignKey(db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='directory.listing')),
                    ('replied_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('status', 'published')), fields=['listing', '-created_at', '-id'], name='review_newest'), models.Index(condition=models.Q(('status', 'waiting')), fields=['waits_since'], name='review_waiting'), models.Index(condition=models.Q(('network', ''), _negated=True), fields=['network', 'created_at'], name='review_network')],
                    'constraints': [models.UniqueConstraint(fields=('listing', 'author'), name='review_once'), models.CheckConstraint(condition=models.Q(('stars__gte', 1), ('stars__lte', 5)), name='review_stars'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'waiting'), ('waits_since__isnull', False)), models.Q(models.Q(('status', 'waiting'), _negated=True), ('waits_since', None)), _connector='OR'), name='review_waits_since'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'refused'), _negated=True), models.Q(('reason', ''), _negated=True), _connector='OR'), name='review_refused_says_why')],
                },
            ),
            migrations.CreateModel(
                name='LaunchReminder',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('created_at', models.DateTimeField(db_index=True)),
                    ('listing', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='reminders', to='directory.listing')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reminders', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('listing', 'user'), name='launch_reminder_once')],
                },
            ),
            migrations.CreateModel(
                name='UnpublishedEdit',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('typed', models.JSONField(default=dict)),
                    ('former', models.JSONField(default=dict, help_text='What Undo brings back.')),
                    ('revision', models.PositiveIntegerField(default=0)),
                    ('at', models.DateTimeField()),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='unpublished', to='directory.listing')),
                    ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'indexes': [models.Index(fields=['at'], name='unpublished_edit_at')],
                    'constraints': [models.UniqueConstraint(fields=('listing', 'user'), name='unpublished_edit_of_a_person')],
                },
            ),
            migrations.CreateModel(
                name='UpdateNotice',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('created_at', models.DateTimeField()),
                    ('closed_at', models.DateTimeField(blank=True, help_text='Mailed, or no longer wanted.', null=True)),
                    ('is_mailed', models.BooleanField(db_default=False, default=False)),
                    ('update', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='directory.listingupdate')),
                    ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('closed_at', None)), fields=['user'], name='update_notice_open')],
                    'constraints': [models.UniqueConstraint(fields=('user', 'update'), name='update_notice_once')],
                },
            ),
            migrations.CreateModel(
                name='LaunchHour',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('at', models.DateTimeField()),
                    ('rank', models.PositiveIntegerField()),
                    ('votes', models.PositiveIntegerField()),
                    ('launch', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='hours', to='directory.launch')),
                ],
                options={
                    'indexes': [models.Index(fields=['at'], name='launch_hour_at')],
                    'constraints': [models.UniqueConstraint(fields=('launch', 'at'), include=('rank', 'votes'), name='launch_hour_once')],
                },
            ),
            migrations.CreateModel(
                name='FeaturedCount',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('day', models.DateField()),
                    ('kind', models.CharField(choices=[('home', 'Home page'), ('week', 'Launch week'), ('category', 'Category'), ('visit', 'Visits to its page'), ('click', 'Visits to its website')], max_length=10)),
                    ('number', models.PositiveBigIntegerField()),
                    ('place', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='counts', to='directory.featuredplace')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('place', 'day', 'kind'), name='featured_count_once_a_day')],
                },
            ),
            migrations.CreateModel(
                name='Report',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('reason', models.CharField(choices=[('wrong', 'Something stated here is wrong'), ('outdated', 'It was right once and has changed'), ('gone', 'The product or its website is gone'), ('not_theirs', 'Somebody else’s product, name or picture'), ('spam', 'Spam, or nothing that belongs here'), ('illegal', 'It breaks the law'), ('not_genuine', 'Not genuine: paid for, traded, or by the makers'), ('rude', 'Insulting, hateful, or about a person')], max_length=12)),
                    ('fact', models.CharField(blank=True, help_text='The fact it is about, if one was named.', max_length=40)),
                    ('text', models.CharField(blank=True, max_length=1000)),
                    ('status', models.CharField(choices=[('open', 'Open'), ('closed', 'Closed')], default='open', max_length=8)),
                    ('resolution', models.CharField(blank=True, max_length=300)),
                    ('created_at', models.DateTimeField()),
                    ('closed_at', models.DateTimeField(blank=True, null=True)),
                    ('closed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                    ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='directory.listing')),
                    ('reporter', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to=settings.AUTH_USER_MODEL)),
                    ('email', models.EmailField(blank=True, db_default='', default='', help_text='Where its sender hears of it.', max_length=254)),
                    ('name', models.CharField(blank=True, db_default='', default='', help_text='As its sender signed it.', max_length=100)),
                    ('question', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to='directory.question')),
                    ('review', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reports', to='directory.review')),
                ],
                options={
                    'indexes': [models.Index(condition=models.Q(('status', 'open')), fields=['created_at', 'id'], name='report_open')],
                    'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('closed_at', None), ('status', 'open')), models.Q(('closed_at__isnull', False), ('status', 'closed'), models.Q(('resolution', ''), _negated=True)), _connector='OR'), name='report_closed_says_why')],
                },
            ),
            migrations.CreateModel(
                name='ReviewVersion',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('stars', models.PositiveSmallIntegerField()),
                    ('how', models.CharField(max_length=10)),
                    ('text', models.TextField(max_length=1500)),
                    ('until', models.DateTimeField()),
                    ('review', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='versions', to='directory.review')),
                ],
            ),
        ]),
        migrations.AddField(
            model_name='Listing',
            name='categories',
            field=models.ManyToManyField(related_name='listings', through='directory.ListingCategory', through_fields=('listing', 'category'), to='directory.category'),
        ),
        migrations.RunSQL(FORMER, migrations.RunSQL.noop),
        migrations.RunSQL(storage.STORAGE, migrations.RunSQL.noop),
        migrations.RunSQL(founders.FOLDED, "DROP FUNCTION directory_folded(text)"),
        migrations.RunSQL(founders.INDEX, "DROP INDEX founder_name_parts"),
        migrations.RunSQL(search.HIT, "DROP TYPE directory_search_hit CASCADE"),
        migrations.RunPython(functions.load, migrations.RunPython.noop),
        migrations.RunSQL(votes.CAST, "DROP FUNCTION directory_cast_vote(bigint, bigint, date, timestamptz)"),
        migrations.RunSQL(held_votes.CAST, held_votes.DROP),
    ]
