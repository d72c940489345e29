"""Counters are vacuumed after few changes: until then, reads of their indexes look at each row of a changed page."""

from django.db import migrations

OFTEN = "ALTER TABLE directory_listingstats SET (autovacuum_vacuum_scale_factor = 0.002)"
AS_EVER = "ALTER TABLE directory_listingstats RESET (autovacuum_vacuum_scale_factor)"


class Migration(migrations.Migration):
    dependencies = [("directory", "0048_pictures_of_drafts")]
    operations = [migrations.RunSQL(OFTEN, AS_EVER)]
