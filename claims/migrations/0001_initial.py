import claims.models
import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('directory', '0016_listing_co_owners'),
    ]

    operations = [
        migrations.CreateModel(
            name='Claim',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('method', models.CharField(choices=[('dns', 'DNS record'), ('meta', 'meta tag'), ('file', 'file'), ('email', 'e-mail')], max_length=8)),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('verified', 'Verified'), ('expired', 'Expired'), ('failed', 'Failed'), ('contested', 'Contested'), ('superseded', 'Superseded'), ('lapsed', 'Lapsed'), ('revoked', 'Revoked')], default='pending', max_length=12)),
                ('token', models.CharField(default=claims.models.new_token, max_length=32, unique=True)),
                ('created_at', models.DateTimeField()),
                ('expires_at', models.DateTimeField(help_text='When it ends, unless it is verified before.')),
                ('verified_at', models.DateTimeField(blank=True, null=True)),
                ('proved_at', models.DateTimeField(blank=True, help_text='When the proof was last found.', null=True)),
                ('email', models.EmailField(blank=True, max_length=254)),
                ('link', models.CharField(blank=True, help_text='The newest link that was mailed and not used.', max_length=32)),
                ('link_expires_at', models.DateTimeField(blank=True, null=True)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('next_check_allowed_at', models.DateTimeField(blank=True, null=True)),
                ('checking_until', models.DateTimeField(blank=True, help_text='A check is under way until then.', null=True)),
                ('next_proof_at', models.DateTimeField(blank=True, null=True)),
                ('failures', models.PositiveSmallIntegerField(default=0)),
                ('failing_since', models.DateTimeField(blank=True, null=True)),
                ('contested_at', models.DateTimeField(blank=True, null=True)),
                ('contest_ends_at', models.DateTimeField(blank=True, help_text='Until then the owner may prove it again.', null=True)),
                ('for_staff_since', models.DateTimeField(blank=True, help_text='Both have proved it; staff decide.', null=True)),
                ('decided_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, help_text='What staff said to both.', max_length=500)),
                ('decided_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('listing', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='directory.listing')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['user', '-created_at', '-id'], name='claim_newest'), models.Index(condition=models.Q(('status', 'pending')), fields=['expires_at'], name='claim_expiry'), models.Index(condition=models.Q(('status', 'verified')), fields=['next_proof_at'], name='claim_proof'), models.Index(condition=models.Q(('status', 'contested')), fields=['contest_ends_at'], name='claim_contest')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'pending')), fields=('listing', 'user', 'method'), name='claim_pending_once'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'verified'), _negated=True), models.Q(('proved_at__isnull', False), ('verified_at__isnull', False)), _connector='OR'), name='claim_verified_has_proof')],
            },
        ),
        migrations.CreateModel(
            name='ClaimCheck',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField()),
                ('result', models.CharField(max_length=20)),
                ('detail', models.CharField(max_length=500)),
                ('seen', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), blank=True, default=list, size=None)),
                ('raw', models.TextField(blank=True)),
                ('claim', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='checks', to='claims.claim')),
            ],
            options={
                'indexes': [models.Index(fields=['claim', '-at', '-id'], name='claim_check_newest')],
            },
        ),
        migrations.AddField(
            model_name='claim',
            name='last_check',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='claims.claimcheck'),
        ),
    ]
