-- Few hits are all ranked, stage by stage. Of very many, which the words, the sample or the first stage tell of, the
-- first stage runs tier by tier, and the sample tells how many there are about, but for pages far behind, which no
-- estimate may end; `total` is null when they are wanted in another order, which this cannot give.
CREATE OR REPLACE FUNCTION directory_search_page(
    stages jsonb, parts text[], wanted_filters text[], lexemes text[], sort text, skip integer, take integer,
    is_many boolean, known_total bigint, sampled tsquery
) RETURNS TABLE (total bigint, has_named boolean, listing_id bigint, matched text[])
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    one record;
    one_stage record;
    hits directory_search_hit[] := '{}';
    seen bigint[] := '{}';
    so_far bigint := 0;
    in_sample bigint := 0;
BEGIN
    IF sampled IS NOT NULL THEN
        SELECT count(*) INTO in_sample
        FROM (SELECT FROM directory_searchdocument AS d WHERE d.words @@ sampled LIMIT {SAMPLE_ENOUGH}) AS few;
        is_many := is_many OR in_sample > {SAMPLE_IS_MANY};
    END IF;
    IF NOT is_many THEN
        FOR one IN SELECT * FROM jsonb_to_recordset(stages) AS s (
            number integer, asked tsquery[], ranked tsquery, scale real, names text[], name_from text, name_to text,
            below integer, most integer, only_if_none boolean
        ) LOOP
            EXIT WHEN one.only_if_none AND so_far > 0;
            CONTINUE WHEN so_far >= one.below;
            SELECT * INTO one_stage FROM directory_search_stage(
                one.number, one.asked, one.ranked, one.scale, one.names, one.name_from, one.name_to, one.most + 1,
                parts, wanted_filters, seen, sort, greatest(skip + take, {FEW})
            );
            is_many := one.number = 0 AND one_stage.asked_hits > one.most;
            EXIT WHEN is_many;
            so_far := so_far + least(one_stage.all_hits, one.most);
            hits := hits || one_stage.best;
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
            SELECT * INTO one_stage FROM directory_search_stage(
                tier, one.asked[tier:tier], one.ranked, one.scale, one.names, one.names[1],
                CASE tier WHEN 1 THEN one.names[1] ELSE '' END, {TOTAL_EXACT_UP_TO},
                parts, wanted_filters, seen, sort, greatest(skip + take, {SEEN_UP_TO})
            );
            so_far := so_far + one_stage.all_hits;
            hits := hits || one_stage.best;
            seen := ARRAY(SELECT h.listing_id FROM unnest(hits) AS h WHERE h.is_named);
        END LOOP;
        total := coalesce(known_total, CASE WHEN in_sample >= {SAMPLE_ENOUGH} THEN {TOTAL_EXACT_UP_TO} + 1
            WHEN in_sample > {SAMPLE_IS_MANY} AND skip + take <= {ESTIMATED_WITHIN}
            THEN in_sample * {SAMPLE_OF}
            ELSE (SELECT count(*) FROM (
                SELECT FROM directory_searchdocument AS d WHERE d.words @@ ANY(one.asked) LIMIT {TOTAL_EXACT_UP_TO} + 1
            ) AS counted) END);
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
$$;
