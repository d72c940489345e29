-- The listings that one of these queries finds, one query for each part of the index.
CREATE OR REPLACE FUNCTION directory_search_ids(asked tsquery[], most integer)
RETURNS TABLE (listing_id bigint, newest_at timestamptz) LANGUAGE sql STABLE SET enable_seqscan = off AS $$
    SELECT d.listing_id, d.newest_at FROM directory_searchdocument d WHERE d.words @@ ANY(asked) LIMIT most
$$;
