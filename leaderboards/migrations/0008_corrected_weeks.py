from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leaderboards', '0007_trophies'),
    ]

    operations = [
        migrations.AddField(
            model_name='weekclose',
            name='corrected_at',
            field=models.DateTimeField(editable=False, null=True),
        ),
    ]
