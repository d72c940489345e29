from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('directory', '0025_join_words_in_search'),
    ]

    operations = [
        migrations.AddField(
            model_name='launch',
            name='rank_before',
            field=models.PositiveIntegerField(editable=False, help_text='When that day began.', null=True),
        ),
        migrations.AddField(
            model_name='launch',
            name='ranked_on',
            field=models.DateField(editable=False, null=True),
        ),
    ]
