import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('directory', '0001_initial'),
    ]

    operations = [
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
                ('robots', models.CharField(default='allowed', max_length=8)),
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
            ],
            options={
                'indexes': [models.Index(fields=['owner', '-created_at', '-id'], name='draft_newest'), models.Index(fields=['listing'], name='draft_of_listing'), models.Index(condition=models.Q(('status__in', ['crawling', 'drafting'])), fields=['created_at'], name='draft_unfinished')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('listing', None), models.Q(('status', 'failed'), _negated=True)), fields=('site', 'owner', 'site_key'), name='draft_one_open_per_site')],
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
    ]
