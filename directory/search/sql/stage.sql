-- One stage: what its queries find, and names in its range, ranked; the best `keep` of them.
CREATE OR REPLACE FUNCTION directory_search_stage(
    stage integer, asked tsquery[], ranked tsquery, scale real, names text[], name_from text, name_to text,
    most integer, parts text[], wanted_filters text[], seen bigint[], sort text, keep integer,
    OUT asked_hits bigint, OUT all_hits bigint, OUT best directory_search_hit[]
) LANGUAGE plpgsql STABLE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    WITH found AS MATERIALIZED (
        SELECT d.* FROM unnest(asked) AS of_part (query), LATERAL (
            SELECT d.listing_id, d.name, ts_rank('{FIELD_WEIGHTS}', d.short, ranked) AS rank, d.popularity, d.newest_at
            FROM directory_searchdocument AS d WHERE d.words @@ of_part.query AND d.listing_id <> ALL(seen)
        ) AS d LIMIT most
    ), hits AS MATERIALIZED (
        TABLE found
        UNION ALL (
            SELECT d.listing_id, d.name, ts_rank('{FIELD_WEIGHTS}', d.short, ranked), d.popularity, d.newest_at
            FROM directory_searchdocument AS d
            WHERE d.part = ANY(parts) AND d.name BETWEEN name_from AND name_to AND d.filters @> wanted_filters
            AND d.listing_id <> ALL(seen) AND d.listing_id NOT IN (SELECT f.listing_id FROM found AS f)
            LIMIT {NAMES_UP_TO}
        )
    ), sorted AS (
        SELECT CASE sort
            WHEN 'relevance' THEN h.rank * scale + {OF_POPULARITY} * h.popularity + CASE
                WHEN h.name = ANY(names) THEN {OF_EXACT_NAME} WHEN starts_with(h.name, names[1]) THEN {OF_NAME_BEGINNING} ELSE 0 END
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
$$;
