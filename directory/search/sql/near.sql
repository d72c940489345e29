-- A swap of neighbours counts as two edits here and as one in `distance`, so words with more edits than are allowed are
-- compared as well, if they have the letters for it: the same ones, or all but one when a second edit is allowed.
CREATE OR REPLACE FUNCTION directory_search_near(in_site bigint, asked_words text[], asked_keys text[], two_from integer)
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
$$;
