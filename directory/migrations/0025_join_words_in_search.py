"""Search rows hold hyphenated words as single ones too: a worker of the new release builds them anew.

A worker of the former release does not know this kind of job; the new one takes it up once it runs.
"""

from typing import Any

from django.db import migrations
from django.utils import timezone


def add_job(apps: Any, _schema_editor: Any) -> None:
    if not apps.get_model("directory", "SearchDocument").objects.exists():
        return
    now = timezone.now()
    apps.get_model("core", "Job").objects.get_or_create(
        kind="directory.rebuild_search",
        key="0025",
        defaults={"queue": "default", "run_after": now, "created_at": now},
    )


class Migration(migrations.Migration):
    dependencies = [("directory", "0024_listing_host"), ("core", "0005_pause")]
    operations = [migrations.RunPython(add_job, migrations.RunPython.noop)]
