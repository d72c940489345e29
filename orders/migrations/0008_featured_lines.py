from datetime import timedelta

from django.db import migrations

WEEK = timedelta(days=7)


def give_places_their_lines(apps, _schema_editor):
    """The newest line has the end of what was carried over, the one before it what comes before, and so on."""
    place_rows = apps.get_model("directory", "FeaturedPlace").objects
    lines = apps.get_model("orders", "OrderLine").objects.filter(parts_done__contains=["featured"])
    for place in place_rows.filter(order_line=None):
        for line in lines.filter(listing=place.listing_id).order_by("-fulfilled_at", "-pk"):
            begins_at = max(place.begins_at, place.ends_at - WEEK * line.quantity)
            if begins_at == place.begins_at:
                place.order_line = line.pk
                place.save()
                break
            place_rows.create(
                listing_id=place.listing_id,
                order_line=line.pk,
                begins_at=begins_at,
                ends_at=place.ends_at,
            )
            place.ends_at = begins_at
            place.save()


class Migration(migrations.Migration):

    dependencies = [
        ("directory", "0031_featured_places"),
        ("orders", "0007_corrections_and_disputes"),
    ]

    operations = [migrations.RunPython(give_places_their_lines, migrations.RunPython.noop)]
