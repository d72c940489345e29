from django.db import migrations


class Migration(migrations.Migration):
    """Cards said `claimed` of every listing with an owner; it means that a proof stands."""

    dependencies = [("directory", "0012_held_votes")]
    operations = [
        migrations.RunSQL(
            """
            UPDATE directory_listingcard AS c
            SET body = replace(c.body, '"claimed":true', '"claimed":false')
            FROM directory_listing AS l
            WHERE l.id = c.listing_id AND l.owner_id IS NOT NULL AND l.claimed_by_method = ''
            """,
            migrations.RunSQL.noop,
        )
    ]
