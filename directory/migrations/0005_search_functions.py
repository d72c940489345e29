"""How search reads its rows.

The functions switch sequential scans off, because the planner cannot know that reading `words` of every row means
fetching it from outside the row: an index scan is right however many rows match, and a LIMIT ends it early.
"""

from django.contrib.postgres.operations import CreateExtension
from django.db import migrations

STORAGE = """
ALTER TABLE directory_searchdocument SET (toast_tuple_target = 128, fillfactor = 90);
ALTER TABLE directory_searchdocument ALTER COLUMN short SET STORAGE MAIN;
ALTER TABLE directory_searchdocument ALTER COLUMN filters SET STORAGE MAIN;
ALTER TABLE directory_searchdocument ALTER COLUMN words SET STATISTICS 0;
ALTER TABLE directory_searchdocument ALTER COLUMN short SET STATISTICS 0;
ALTER TABLE directory_searchterm ALTER COLUMN deletes SET STATISTICS 0;
"""

RANKED = """
CREATE FUNCTION directory_search_ranked(
    asked tsquery, ranked tsquery, weights real[], in_part text, name_from text, name_to text,
    wanted_filters text[], names text[], most integer
) RETURNS TABLE (
    listing_id bigint, is_named boolean, begins boolean, rank real, popularity double precision, newest_at timestamptz
) LANGUAGE sql STABLE SET enable_seqscan = off AS $$
    (
        SELECT d.listing_id, d.name = ANY(names), starts_with(d.name, names[1]), ts_rank(weights, d.short, ranked),
            d.popularity, d.newest_at
        FROM directory_searchdocument d WHERE d.words @@ asked LIMIT most
    ) UNION (
        SELECT d.listing_id, d.name = ANY(names), starts_with(d.name, names[1]), ts_rank(weights, d.short, ranked),
            d.popularity, d.newest_at
        FROM directory_searchdocument d
        WHERE d.part = in_part AND d.name BETWEEN name_from AND name_to AND d.filters @> wanted_filters
        LIMIT least(most, 500)
    )
$$
"""

IDS = """
CREATE FUNCTION directory_search_ids(asked tsquery, most integer)
RETURNS TABLE (listing_id bigint, newest_at timestamptz) LANGUAGE sql STABLE SET enable_seqscan = off AS $$
    SELECT d.listing_id, d.newest_at FROM directory_searchdocument d WHERE d.words @@ asked LIMIT most
$$
"""


class Migration(migrations.Migration):
    dependencies = [("directory", "0004_search_rows")]
    operations = [
        CreateExtension("fuzzystrmatch"),
        migrations.RunSQL(STORAGE, migrations.RunSQL.noop),
        migrations.RunSQL(
            RANKED,
            "DROP FUNCTION directory_search_ranked(tsquery, tsquery, real[], text, text, text, text[], text[], integer)",
        ),
        migrations.RunSQL(IDS, "DROP FUNCTION directory_search_ids(tsquery, integer)"),
    ]
