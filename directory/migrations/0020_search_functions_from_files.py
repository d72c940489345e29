"""Search's functions come from directory/search/sql; nothing about them changes but where they stand."""

from django.db import migrations

from directory.search import functions


class Migration(migrations.Migration):
    dependencies = [("directory", "0019_reports")]
    operations = [migrations.RunPython(functions.load, migrations.RunPython.noop)]
