-- What is known of typed words and filters, and what the last word begins. A range is written out, so that no plan
-- can lose the index that a LIKE would need.
CREATE OR REPLACE FUNCTION directory_search_look_up(
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
$$;
