"""Indexes that carry the order of what is upcoming and find awarded listings; those that others cover go."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("directory", "0008_search_by_tier"),
    ]
    operations = [
        migrations.RunSQL("SET LOCAL statement_timeout = 0", migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="launch",
            name="listing",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="launches",
                to="directory.listing",
            ),
        ),
        migrations.AlterField(
            model_name="launch",
            name="site",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="directory.site",
            ),
        ),
        migrations.AlterField(
            model_name="listingstats",
            name="site",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="directory.site",
            ),
        ),
        migrations.AlterField(
            model_name="vote",
            name="listing",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="vote_rows",
                to="directory.listing",
            ),
        ),
        migrations.AddIndex(
            model_name="launch",
            index=models.Index(
                condition=models.Q(("is_hidden", False), ("launched_at", None)),
                fields=["site", "week", "booked_at", "id"],
                include=["listing"],
                name="launch_upcoming",
            ),
        ),
        migrations.AddIndex(
            model_name="listing",
            index=models.Index(
                condition=models.Q(("awards", []), _negated=True), fields=["id"], name="listing_awarded"
            ),
        ),
    ]
