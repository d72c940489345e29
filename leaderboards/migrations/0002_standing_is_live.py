"""Keeps with each place whether its listing is live, so that a page of a board is read from an index alone."""

import django.db.models.deletion
from django.db import migrations, models

KEPT = """
UPDATE leaderboards_standing AS standing SET is_live = false FROM directory_listing AS listing
WHERE listing.id = standing.listing_id AND listing.status <> 'live'
"""
REFRESHED = """
INSERT INTO leaderboards_boardrefresh (site_id, board, refreshed_at)
SELECT site_id, board, max(refreshed_at) FROM leaderboards_standing GROUP BY site_id, board
"""


class Migration(migrations.Migration):
    dependencies = [
        ("directory", "0009_fewer_indexes"),
        ("leaderboards", "0001_initial"),
    ]
    operations = [
        migrations.RunSQL("SET LOCAL statement_timeout = 0", migrations.RunSQL.noop),
        migrations.RemoveIndex(model_name="standing", name="standing_rank"),
        migrations.AddField(
            model_name="standing",
            name="is_live",
            field=models.BooleanField(
                db_default=True, default=True, help_text="Kept by public_data.refresh."
            ),
        ),
        migrations.RunSQL(KEPT, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="standing",
            name="site",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="directory.site",
            ),
        ),
        migrations.AlterField(
            model_name="standing",
            name="refreshed_at",
            field=models.DateTimeField(help_text="When it last changed."),
        ),
        migrations.AddIndex(
            model_name="standing",
            index=models.Index(
                condition=models.Q(("is_live", True)),
                fields=["site", "board", "rank"],
                include=["id"],
                name="standing_rank",
            ),
        ),
        migrations.CreateModel(
            name="BoardRefresh",
            fields=[
                (
                    "id",
                    models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"),
                ),
                ("board", models.CharField(max_length=20)),
                ("refreshed_at", models.DateTimeField()),
                (
                    "site",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="directory.site",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("site", "board"), name="board_refresh_once")
                ],
            },
        ),
        migrations.RunSQL(REFRESHED, migrations.RunSQL.noop),
    ]
