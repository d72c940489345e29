"""Lets founders be found by a part of their name, accents and case aside, without reading every row."""

from django.db import migrations

FOLDED = """
CREATE FUNCTION directory_folded(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ SELECT lower(public.unaccent('public.unaccent', $1)) $$
"""
INDEX = "CREATE INDEX founder_name_parts ON directory_founder USING gin (directory_folded(name) gin_trgm_ops)"


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0002_extensions"),
        ("directory", "0006_launch_is_hidden"),
    ]
    operations = [
        migrations.RunSQL(FOLDED, "DROP FUNCTION directory_folded(text)"),
        migrations.RunSQL(INDEX, "DROP INDEX founder_name_parts"),
    ]
