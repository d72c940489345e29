"""Casts a vote in the order that makes those who vote for the same listing wait the least.

All who vote for a listing at one moment wait for its two counters, each until the one before has committed. So what can
be done before is: the vote's row comes first, and that its listing and person exist is checked there and then, not at
the commit. The counters move last, in the order in which a vote is taken back, so that no two wait for each other.
"""

from django.db import migrations

CAST = """
CREATE FUNCTION directory_cast_vote(listing bigint, person bigint, in_week date, at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    SET CONSTRAINTS ALL IMMEDIATE;
    INSERT INTO directory_vote (listing_id, user_id, week, created_at, void_reason)
    VALUES (listing, person, in_week, at, '') ON CONFLICT (listing_id, user_id) DO NOTHING;
    SET CONSTRAINTS ALL DEFERRED;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    UPDATE directory_listingstats SET votes = votes + 1 WHERE listing_id = listing;
    UPDATE directory_launch SET votes = votes + 1
    WHERE listing_id = listing AND week = in_week AND launched_at IS NOT NULL;
    RETURN true;
END
$$
"""


class Migration(migrations.Migration):
    dependencies = [
        ("directory", "0009_fewer_indexes"),
    ]
    operations = [
        migrations.RunSQL(CAST, "DROP FUNCTION directory_cast_vote(bigint, bigint, date, timestamptz)"),
    ]
