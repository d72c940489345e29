"""The function of a search's page estimates how many hits there are where they are thousands."""

from django.db import migrations

from directory.search.functions import load


class Migration(migrations.Migration):
    """Makes the functions of search anew."""

    dependencies = [("directory", "0042_answers_by_mail")]
    operations = [migrations.RunPython(load, migrations.RunPython.noop)]
