from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('directory', '0023_what_staff_can_undo'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='listing',
            index=models.Index(fields=['site', 'host'], name='listing_host'),
        ),
    ]
