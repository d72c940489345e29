"""Each tier of popularity is a part of the index of its own, and one function ranks a page.

A query that finds very much asks the most popular part first, whose lists of listings are short; a sample of all
is kept beside them, to estimate from. The function plans its statements once on each connection.
"""

from django.db import migrations

DROPPED = """
DROP FUNCTION directory_search_ranked(tsquery, tsquery, real[], text, text, text, text[], text[], integer);
DROP FUNCTION directory_search_ids(tsquery, integer);
"""

# as the periodic job places them, but without the index, which each row would be written to anew
SAMPLE_OF = 64
MOVED = f"""
WITH placed AS MATERIALIZED (
    SELECT listing_id, row_number() OVER (PARTITION BY site_id ORDER BY votes DESC, listing_id) AS place,
        count(*) OVER (PARTITION BY site_id) AS live
    FROM directory_listingstats WHERE is_live
), moved AS MATERIALIZED (
    SELECT d.listing_id, d.part AS before, d.part LIKE '%l' AS is_live, CASE
        WHEN d.part NOT LIKE '%l' OR p.place IS NULL THEN 3
        WHEN p.place <= 1000 AND p.live >= 3000 THEN 0
        WHEN p.place <= 10000 AND p.live >= 30000 THEN 1
        WHEN p.place <= 100000 AND p.live >= 300000 THEN 2
        ELSE 3
    END AS tier
    FROM directory_searchdocument AS d LEFT JOIN placed AS p USING (listing_id)
)
UPDATE directory_searchdocument AS d SET part = f.part, tier = m.tier, words = (
    f.words || CASE WHEN m.is_live AND d.listing_id % {SAMPLE_OF} = 0
        THEN ' ' || replace(f.words, '''' || f.part, '''' || rtrim(m.before, 'l') || 'b0') ELSE '' END
)::tsvector
FROM moved AS m,
    LATERAL (SELECT m.before || CASE WHEN m.is_live THEN m.tier::text ELSE '0' END AS part) AS p,
    LATERAL (
        SELECT p.part, replace(
            ts_delete(o.words, ARRAY[m.before || '#t0', m.before || '#t1', m.before || '#b'])::text,
            '''' || m.before, '''' || p.part
        ) AS words
        FROM directory_searchdocument AS o WHERE o.listing_id = m.listing_id
    ) AS f
WHERE m.listing_id = d.listing_id
"""

IDS = """
CREATE FUNCTION directory_search_ids(asked tsquery[], most integer)
RETURNS TABLE (listing_id bigint, newest_at timestamptz) LANGUAGE sql STABLE SET enable_seqscan = off AS $$
    SELECT d.listing_id, d.newest_at FROM directory_searchdocument d WHERE d.words @@ ANY(asked) LIMIT most
$$
"""

# which of these lexemes a listing has, each with the fields it stands in
MATCHED = """
CREATE FUNCTION directory_search_matched(of_listing bigint, lexemes text[]) RETURNS text[]
LANGUAGE sql STABLE AS $$
    SELECT ARRAY(
        SELECT substr(u.lexeme, length(d.part) + 1) || ' ' || array_to_string(u.weights, '')
        FROM unnest(d.words) AS u WHERE u.lexeme = ANY(ARRAY(SELECT d.part || one FROM unnest(lexemes) AS one))
    )
    FROM directory_searchdocument AS d WHERE d.listing_id = of_listing
$$
"""

# What is known of typed words and filters, and what the last word begins. A range is written out, so that no plan can lose
# the index that a LIKE would need.
LOOK_UP = """
CREATE FUNCTION directory_search_look_up(
    in_site bigint, asked_words text[], asked_filters text[], asked_category text, prefix text, prefix_end text,
    prefix_terms integer, rare integer
) RETURNS TABLE (
    kind text, word text, stem text, documents integer, in_names boolean, stem_documents integer
) LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH asked AS MATERIALIZED (
        SELECT word, coalesce((ts_lexize('english_stem', word))[1], '') AS stem
        FROM unnest(asked_words) AS word
    )
    SELECT 'word', a.word, a.stem, coalesce(w.documents, 0), coalesce(w.in_names, false),
        coalesce(p.documents, 0) + coalesce(s.documents, 0)
    FROM asked AS a
    LEFT JOIN directory_searchterm AS w ON w.site_id = in_site AND w.term = a.word
    LEFT JOIN directory_searchterm AS p ON p.site_id = in_site AND p.term = a.stem AND a.stem <> a.word
    LEFT JOIN directory_searchterm AS s ON s.site_id = in_site AND s.term = '~' || a.stem
    UNION ALL
    SELECT 'filter', term::text, '', documents, false, 0 FROM directory_searchterm
    WHERE site_id = in_site AND term = ANY(asked_filters)
    UNION ALL
    SELECT 'category', '#c' || c.id, c.id::text, coalesce(t.documents, 0), false, 0 FROM directory_category AS c
    LEFT JOIN directory_searchterm AS t ON t.site_id = in_site AND t.term = '#c' || c.id
    WHERE c.slug = asked_category
    UNION ALL
    (
        SELECT 'prefix', term::text, '', documents, in_names, 0 FROM directory_searchterm
        WHERE site_id = in_site AND term > prefix AND term < prefix_end AND prefix <> ''
        AND NOT EXISTS (
            SELECT FROM directory_searchterm AS w
            WHERE w.site_id = in_site AND w.term = prefix AND w.documents > rare
        )
        ORDER BY documents DESC, term LIMIT prefix_terms
    )
    UNION ALL
    SELECT 'site', '', '', greatest(live + upcoming, 1), false, 0 FROM directory_sitecount
    WHERE site_id = in_site;
END
$$
"""

# A swap of neighbours counts as two edits here and as one in `distance`, so words with more edits than are allowed are
# looked at as well, if they have the letters for it: the same ones, or all but one when a second edit is allowed.
NEAR = """
CREATE FUNCTION directory_search_near(in_site bigint, asked_words text[], asked_keys text[], two_from integer)
RETURNS TABLE (word text, term text, stem text, documents integer, in_names boolean, edits integer)
LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT a.word, t.term::text, coalesce((ts_lexize('english_stem', t.term))[1], t.term)::text, t.documents, t.in_names, e.edits
    FROM unnest(asked_words, asked_keys) AS a (word, keys)
    JOIN directory_searchterm AS t ON t.deletes && a.keys::integer[],
    LATERAL (
        SELECT CASE WHEN greatest(length(t.term), length(a.word)) < two_from THEN 1 ELSE 2 END AS most
    ) AS allowed,
    LATERAL (SELECT levenshtein_less_equal(t.term, a.word, 2 * allowed.most) AS edits) AS e
    WHERE t.site_id = in_site AND t.documents > 0 AND t.term <> a.word
    AND abs(length(t.term) - length(a.word)) <= allowed.most AND (
        e.edits <= allowed.most
        OR e.edits <= 2 * allowed.most AND length(translate(t.term, a.word, '')) < allowed.most
        AND length(translate(a.word, t.term, '')) < allowed.most
    );
END
$$
"""

HIT = """
CREATE TYPE directory_search_hit AS (
    stage integer, key double precision, tie bigint, listing_id bigint, is_named boolean
)
"""

# the weights are the shares of a word in the description, keywords, tagline and name
STAGE = """
CREATE FUNCTION directory_search_stage(
    stage integer, asked tsquery[], ranked tsquery, scale real, names text[], name_from text, name_to text,
    most integer, parts text[], wanted_filters text[], seen bigint[], sort text, keep integer,
    OUT asked_hits bigint, OUT all_hits bigint, OUT best directory_search_hit[]
) LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    WITH found AS MATERIALIZED (
        SELECT d.* FROM unnest(asked) AS of_part (query), LATERAL (
            SELECT d.listing_id, d.name, ts_rank('{0,0.2,0.4,1}', d.short, ranked) AS rank, d.popularity, d.newest_at
            FROM directory_searchdocument AS d WHERE d.words @@ of_part.query AND d.listing_id <> ALL(seen)
        ) AS d LIMIT most
    ), hits AS MATERIALIZED (
        TABLE found
        UNION ALL (
            SELECT d.listing_id, d.name, ts_rank('{0,0.2,0.4,1}', d.short, ranked), d.popularity, d.newest_at
            FROM directory_searchdocument AS d
            WHERE d.part = ANY(parts) AND d.name BETWEEN name_from AND name_to AND d.filters @> wanted_filters
            AND d.listing_id <> ALL(seen) AND d.listing_id NOT IN (SELECT f.listing_id FROM found AS f)
            LIMIT 500
        )
    ), sorted AS (
        SELECT CASE sort
            WHEN 'relevance' THEN h.rank * scale + 0.02 * h.popularity + CASE
                WHEN h.name = ANY(names) THEN 1000 WHEN starts_with(h.name, names[1]) THEN 0.5 ELSE 0 END
            WHEN 'newest' THEN extract(epoch FROM h.newest_at)::double precision
            ELSE (
                SELECT CASE sort WHEN 'votes' THEN s.votes WHEN 'trending' THEN s.hot
                    WHEN 'most_viewed' THEN s.views ELSE s.followers END
                FROM directory_listingstats AS s WHERE s.listing_id = h.listing_id
            ) END AS key,
            CASE sort WHEN 'newest' THEN -h.listing_id ELSE h.listing_id END AS tie, h.listing_id,
            h.name = ANY(names) AS is_named
        FROM hits AS h
    )
    SELECT (SELECT count(*) FROM found), (SELECT count(*) FROM hits), ARRAY(
        SELECT ROW(stage, s.key, s.tie, s.listing_id, s.is_named)::directory_search_hit FROM sorted AS s
        ORDER BY s.key DESC, s.tie LIMIT keep
    ) INTO asked_hits, all_hits, best;
END
$$
"""

# Few hits are all ranked, stage by stage. Of very many, which the words, the sample or the first stage tell of, the
# first stage is asked tier by tier; `total` is null when they are wanted in another order, which this cannot give.
PAGE = """
CREATE FUNCTION directory_search_page(
    stages jsonb, parts text[], wanted_filters text[], lexemes text[], sort text, skip integer, take integer,
    is_many boolean, known_total bigint, sampled tsquery
) RETURNS TABLE (total bigint, has_named boolean, listing_id bigint, matched text[])
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    one record;
    told record;
    hits directory_search_hit[] := '{}';
    seen bigint[] := '{}';
    so_far bigint := 0;
    in_sample bigint := 0;
BEGIN
    IF sampled IS NOT NULL THEN
        SELECT count(*) INTO in_sample
        FROM (SELECT FROM directory_searchdocument AS d WHERE d.words @@ sampled LIMIT 250) AS few;
        is_many := is_many OR in_sample >= 47;
    END IF;
    IF NOT is_many THEN
        FOR one IN SELECT * FROM jsonb_to_recordset(stages) AS s (
            number integer, asked tsquery[], ranked tsquery, scale real, names text[], name_from text, name_to text,
            below integer, most integer, only_if_none boolean
        ) LOOP
            EXIT WHEN one.only_if_none AND so_far > 0;
            CONTINUE WHEN so_far >= one.below;
            SELECT * INTO told FROM directory_search_stage(
                one.number, one.asked, one.ranked, one.scale, one.names, one.name_from, one.name_to, one.most + 1,
                parts, wanted_filters, seen, sort, greatest(skip + take, 10)
            );
            is_many := one.number = 0 AND told.asked_hits > one.most;
            EXIT WHEN is_many;
            so_far := so_far + least(told.all_hits, one.most);
            hits := hits || told.best;
            seen := ARRAY(SELECT h.listing_id FROM unnest(hits) AS h);
        END LOOP;
    END IF;
    total := so_far;
    IF is_many AND sort = 'relevance' THEN
        hits := '{}';
        so_far := 0;
        seen := '{}';
        SELECT * INTO one FROM jsonb_to_record(stages->0) AS s (
            asked tsquery[], ranked tsquery, scale real, names text[], typed text
        );
        FOR tier IN 1 .. cardinality(one.asked) LOOP
            EXIT WHEN so_far >= skip + take;
            SELECT * INTO told FROM directory_search_stage(
                tier, one.asked[tier:tier], one.ranked, one.scale, one.names, one.names[1],
                CASE tier WHEN 1 THEN one.names[1] ELSE '' END, 10000,
                parts, wanted_filters, seen, sort, greatest(skip + take, 500)
            );
            so_far := so_far + told.all_hits;
            hits := hits || told.best;
            seen := ARRAY(SELECT h.listing_id FROM unnest(hits) AS h WHERE h.is_named);
        END LOOP;
        total := coalesce(known_total, CASE WHEN in_sample >= 250 THEN 10001 ELSE (
            SELECT count(*) FROM (
                SELECT FROM directory_searchdocument AS d WHERE d.words @@ ANY(one.asked) LIMIT 10001
            ) AS counted
        ) END);
    ELSIF is_many THEN
        total := NULL;
    END IF;
    has_named := coalesce((SELECT bool_or(h.is_named) FROM unnest(hits) AS h), false);
    RETURN QUERY
        SELECT total, has_named, page.listing_id, directory_search_matched(page.listing_id, lexemes)
        FROM (SELECT) AS always LEFT JOIN LATERAL (
            SELECT h.listing_id, row_number() OVER () AS place FROM (
                SELECT h.listing_id FROM unnest(hits) AS h
                ORDER BY CASE sort WHEN 'relevance' THEN h.stage ELSE 0 END, h.key DESC, h.tie
                OFFSET skip LIMIT take
            ) AS h
        ) AS page ON true
        ORDER BY page.place;
END
$$
"""


class Migration(migrations.Migration):
    dependencies = [("directory", "0007_founder_names")]
    operations = [
        migrations.RunSQL(DROPPED),
        migrations.RunSQL("SET LOCAL statement_timeout = 0"),
        migrations.RunSQL("SET LOCAL maintenance_work_mem = '512MB'"),
        migrations.RunSQL("DROP INDEX search_words"),
        migrations.RunSQL(MOVED),
        migrations.RunSQL(
            "CREATE INDEX search_words ON directory_searchdocument USING gin (words) WITH (fastupdate = off)"
        ),
        migrations.RunSQL(LOOK_UP),
        migrations.RunSQL(NEAR),
        migrations.RunSQL(IDS),
        migrations.RunSQL(MATCHED),
        migrations.RunSQL(HIT),
        migrations.RunSQL(STAGE),
        migrations.RunSQL(PAGE),
    ]
