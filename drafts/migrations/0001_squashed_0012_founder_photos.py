"""What 0001 to 0012 made of an empty database, in one step: `make up` and each run of the tests begin with one.

A database that has a part of them goes on by them; one that has all of them has this, too. What a table is comes from
the models' state, everything else from the migration that brought it.
"""

import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models

from core.squashing import CreateModels


class Migration(migrations.Migration):

    replaces = [
        ('drafts', '0001_initial'),
        ('drafts', '0002_model_use'),
        ('drafts', '0003_redrafts_and_originals'),
        ('drafts', '0004_category_ideas'),
        ('drafts', '0005_logo'),
        ('drafts', '0006_failed_drafts'),
        ('drafts', '0007_newest_ready'),
        ('drafts', '0008_staff_lists'),
        ('drafts', '0009_site_picture_url'),
        ('drafts', '0010_suggestions'),
        ('drafts', '0011_undo'),
        ('drafts', '0012_founder_photos'),
    ]

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('directory', '0024_listing_host'),
    ]

    operations = [
        CreateModels([
            migrations.CreateModel(
                name='Draft',
                fields=[
                    ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                    ('url', models.CharField(help_text='The address that was submitted.', max_length=2048)),
                    ('home_url', models.CharField(blank=True, help_text='Where the crawl arrived.', max_length=2048)),
                    ('site_key', models.CharField(max_length=300)),
                    ('domain', models.CharField(max_length=253)),
                    ('status', models.CharField(choices=[('crawling', 'Crawling'), ('drafting', 'Drafting'), ('ready', 'Ready'), ('failed', 'Failed')], default='crawling', max_length=10)),
                    ('stage', models.CharField(default='queued', max_length=40)),
                    ('pages_read', models.PositiveSmallIntegerField(default=0)),
                    ('percent', models.PositiveSmallIntegerField(default=0)),
                    ('robots', models.CharField(blank=True, help_text='Empty until robots.txt was asked for.', max_length=8)),
                    ('warnings', models.JSONField(blank=True, default=list)),
                    ('error', models.JSONField(blank=True, null=True)),
                    ('tries', models.PositiveSmallIntegerField(default=1)),
                    ('revision', models.PositiveIntegerField(default=0)),
                    ('faqs', models.JSONField(blank=True, default=list)),
                    ('founders', models.JSONField(blank=True, default=list)),
                    ('story', models.JSONField(blank=True, default=dict)),
                    ('milestones', models.JSONField(blank=True, default=list)),
                    ('seo', models.JSONField(blank=True, default=dict)),
                    ('competitor', models.JSONField(blank=True, default=dict)),
                    ('completeness', models.PositiveSmallIntegerField(default=0)),
                    ('writer_name', models.CharField(blank=True, max_length=40)),
                    ('writer_model', models.CharField(blank=True, max_length=80)),
                    ('writer_note', models.CharField(blank=True, max_length=500)),
                    ('tokens_in', models.PositiveIntegerField(default=0)),
                    ('tokens_out', models.PositiveIntegerField(default=0)),
                    ('cost_micros', models.PositiveBigIntegerField(default=0, help_text='Millionths of the currency unit.')),
                    ('created_at', models.DateTimeField()),
                    ('updated_at', models.DateTimeField()),
                    ('duplicate_of', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='directory.listing')),
                    ('listing', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='drafts', to='directory.listing')),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to=settings.AUTH_USER_MODEL)),
                    ('site', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='drafts', to='directory.site')),
                    ('redrafts', models.PositiveSmallIntegerField(default=0, help_text='Redrafts on the day of `redrafts_on`.')),
                    ('redrafts_on', models.DateField(blank=True, null=True)),
                    ('ai_faqs', models.JSONField(blank=True, help_text='What restore brings back.', null=True)),
                    ('ai_founders', models.JSONField(blank=True, help_text='What restore brings back.', null=True)),
                    ('redrafting', models.JSONField(blank=True, help_text='Names of the fields that are being written again.', null=True)),
                    ('request_id', models.CharField(blank=True, db_default='', default='', help_text='Of the request that asked for the draft.', max_length=64)),
                    ('category_ideas', models.JSONField(blank=True, help_text='Names of the categories that the website is likest, the likest first.', null=True)),
                    ('logo', models.JSONField(blank=True, help_text='The address it was fetched from, our file, or why there is none.', null=True)),
                    ('site_picture_url', models.CharField(blank=True, db_default='', default='', help_text='What its home page names as og:image.', max_length=2048)),
                    ('writer_refused', models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list, help_text='What a model proposed and the check refused: field, value and why.')),
                    ('undo', models.JSONField(blank=True, help_text='What takes its last change back, and which revision that made.', null=True)),
                ],
                options={
                    'indexes': [models.Index(fields=['owner', '-created_at', '-id'], name='draft_newest'), models.Index(fields=['listing'], name='draft_of_listing'), models.Index(condition=models.Q(('status__in', ['crawling', 'drafting'])), fields=['created_at'], name='draft_unfinished'), models.Index(condition=models.Q(('status', 'failed')), fields=['created_at'], name='draft_failed'), models.Index(condition=models.Q(('status', 'ready')), fields=['-created_at'], name='draft_ready'), models.Index(fields=['-created_at', '-id'], name='draft_newest_of_all'), models.Index(fields=['status', '-created_at', '-id'], name='draft_newest_in_status'), models.Index(fields=['domain'], name='draft_domain')],
                    'constraints': [models.UniqueConstraint(condition=models.Q(('listing', None), models.Q(('status', 'failed'), _negated=True)), fields=('site', 'owner', 'site_key'), name='draft_one_open_per_site')],
                },
            ),
            migrations.CreateModel(
                name='ModelAnswer',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('key', models.CharField(max_length=64, unique=True)),
                    ('model', models.CharField(max_length=80)),
                    ('text', models.TextField()),
                    ('created_at', models.DateTimeField(db_index=True)),
                ],
            ),
            migrations.CreateModel(
                name='ModelUse',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('day', models.DateField(db_index=True)),
                    ('calls', models.PositiveIntegerField(default=0)),
                    ('tokens', models.PositiveBigIntegerField(default=0)),
                    ('cost_micros', models.PositiveBigIntegerField(default=0)),
                    ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('owner', 'day'), name='model_use_once_a_day')],
                },
            ),
            migrations.CreateModel(
                name='DraftField',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('group', models.CharField(choices=[('fields', 'Fields'), ('company_socials', 'Company Socials'), ('founder_socials', 'Founder Socials')], default='fields', max_length=16)),
                    ('name', models.CharField(max_length=40)),
                    ('value', models.JSONField(null=True)),
                    ('state', models.CharField(choices=[('ai', 'Ai'), ('not_found', 'Not Found'), ('edited', 'Edited'), ('manual', 'Manual'), ('override', 'Override'), ('deleted', 'Deleted')], default='not_found', max_length=10)),
                    ('evidence', models.JSONField(default=list)),
                    ('is_locked', models.BooleanField(default=False)),
                    ('ai_value', models.JSONField(null=True)),
                    ('ai_evidence', models.JSONField(default=list)),
                    ('reason', models.CharField(blank=True, max_length=300)),
                    ('updated_at', models.DateTimeField()),
                    ('updated_by', models.CharField(default='ai', max_length=8)),
                    ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='field_rows', to='drafts.draft')),
                    ('confidence', models.FloatField(blank=True, help_text='How sure the writer is of `ai_value`, from 0 to 1.', null=True)),
                    ('suggestions', models.JSONField(blank=True, db_default=models.Value([], models.JSONField()), default=list, help_text='What the writer thinks possible beside its value, or in its place: the likeliest first.')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('draft', 'group', 'name'), name='draft_field_once')],
                },
            ),
            migrations.CreateModel(
                name='DraftPage',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('position', models.PositiveSmallIntegerField()),
                    ('url', models.CharField(max_length=2048)),
                    ('status', models.PositiveSmallIntegerField(null=True)),
                    ('size', models.PositiveIntegerField(default=0)),
                    ('kind', models.CharField(default='other', max_length=12)),
                    ('title', models.CharField(blank=True, max_length=500)),
                    ('html', models.TextField(blank=True)),
                    ('text', models.TextField(blank=True)),
                    ('sha256', models.CharField(blank=True, max_length=64)),
                    ('skipped', models.CharField(blank=True, max_length=8)),
                    ('detail', models.CharField(blank=True, max_length=500)),
                    ('fetched_at', models.DateTimeField(null=True)),
                    ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pages', to='drafts.draft')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('draft', 'position'), name='draft_page_once')],
                },
            ),
            migrations.CreateModel(
                name='Invite',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('email', models.EmailField(max_length=254)),
                    ('status', models.CharField(choices=[('sent', 'Sent'), ('accepted', 'Accepted'), ('expired', 'Expired')], default='sent', max_length=10)),
                    ('digest', models.CharField(max_length=64, unique=True)),
                    ('sent_at', models.DateTimeField()),
                    ('expires_at', models.DateTimeField()),
                    ('accepted_at', models.DateTimeField(blank=True, null=True)),
                    ('profile', models.JSONField(blank=True, null=True)),
                    ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invites', to='drafts.draft')),
                ],
                options={
                    'indexes': [models.Index(fields=['draft', '-sent_at', '-id'], name='invite_newest')],
                },
            ),
            migrations.CreateModel(
                name='FounderPhoto',
                fields=[
                    ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                    ('name', models.CharField(max_length=160)),
                    ('url', models.CharField(max_length=2048)),
                    ('page_url', models.CharField(help_text='Where it stands.', max_length=2048)),
                    ('taken_at', models.DateTimeField(blank=True, null=True)),
                    ('file', models.FileField(blank=True, help_text='Ours.', upload_to='founders')),
                    ('problem', models.CharField(blank=True, max_length=300)),
                    ('draft', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='photos', to='drafts.draft')),
                ],
                options={
                    'constraints': [models.UniqueConstraint(fields=('draft', 'name'), name='founder_photo_once')],
                },
            ),
        ]),
    ]
