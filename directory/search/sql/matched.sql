-- Which of these lexemes a listing has, each with the fields it stands in.
CREATE OR REPLACE FUNCTION directory_search_matched(of_listing bigint, lexemes text[]) RETURNS text[]
LANGUAGE sql STABLE AS $$
    SELECT ARRAY(
        SELECT substr(u.lexeme, length(d.part) + 1) || ' ' || array_to_string(u.weights, '')
        FROM unnest(d.words) AS u WHERE u.lexeme = ANY(ARRAY(SELECT d.part || one FROM unnest(lexemes) AS one))
    )
    FROM directory_searchdocument AS d WHERE d.listing_id = of_listing
$$;
