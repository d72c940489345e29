import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ('core', '0005_pause'),
    ]

    operations = [
        migrations.CreateModel(
            name='Mail',
            fields=[
                ('id', models.BigAutoField(primary_key=True, serialize=False)),
                ('key', models.CharField(help_text='That of its job.', max_length=200, unique=True)),
                ('address', models.EmailField(db_collation='C', help_text='In small letters.', max_length=254)),
                ('about', models.CharField(blank=True, help_text='The thing, as app.model:key.', max_length=100)),
                ('template', models.CharField(blank=True, max_length=80)),
                ('subject', models.CharField(blank=True, help_text='Empty where it may hold a code.', max_length=200)),
                ('is_repeatable', models.BooleanField(default=True, help_text='Holds nothing that works once.')),
                ('state', models.CharField(choices=[('queued', 'Waiting'), ('sent', 'Sent'), ('bounced', 'Bounced'), ('failed', 'Failed')], default='queued', max_length=10)),
                ('tries', models.PositiveSmallIntegerField(default=0)),
                ('answer', models.CharField(blank=True, help_text='What the mail server said.', max_length=300)),
                ('queued_at', models.DateTimeField()),
                ('settled_at', models.DateTimeField(help_text='When it was sent, bounced or failed.', null=True)),
                ('closed_at', models.DateTimeField(help_text='When staff let it rest.', null=True)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(fields=['-queued_at', '-id'], name='mail_newest'), models.Index(fields=['address', '-queued_at', '-id'], name='mail_to_address'), models.Index(condition=models.Q(('user__isnull', False)), fields=['user', '-queued_at', '-id'], name='mail_of_person'), models.Index(condition=models.Q(('about__gt', '')), fields=['about', '-queued_at', '-id'], name='mail_about'), models.Index(condition=models.Q(('state__in', ['queued', 'bounced', 'failed'])), fields=['state', '-queued_at', '-id'], name='mail_not_sent')],
            },
        ),
    ]
