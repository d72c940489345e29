"""The draft of a listing follows what its owner or staff change on the listing itself (decision 0039)."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any

from django.db import connection

from directory.categories.naming import follows_names
from directory.facts import FACTS
from directory.limits import EXTRA_CATEGORIES, STORY_SECTIONS
from directory.listings.editing import EditListener, listens_to_edits
from directory.models import Category
from drafts.editing.updating import Editor
from drafts.models import Draft, DraftField
from drafts.pictures import logos

LINKS = DraftField.Group.COMPANY_SOCIALS
SEO = {"seo_title": "title", "seo_description": "meta"}
COLLECTIONS = ("faqs", "founders")
RENAMED = """COALESCE((
  SELECT jsonb_agg(name ORDER BY first) FROM (
    SELECT COALESCE(%(names)s::jsonb ->> word, word) AS name, min(place) AS first
    FROM jsonb_array_elements_text({words}) WITH ORDINALITY AS old (word, place) GROUP BY 1) AS new
), {words})"""
LIST_OR_NONE = "CASE jsonb_typeof({words}) WHEN 'array' THEN " + RENAMED + " ELSE {words} END"
RENAME = f"""
UPDATE drafts_draftfield SET
  value = {LIST_OR_NONE.format(words="value")},
  ai_value = {LIST_OR_NONE.format(words="ai_value")},
  suggestions = COALESCE((
    SELECT jsonb_agg(CASE jsonb_typeof(entry -> 'value')
        WHEN 'array' THEN jsonb_set(entry, '{{value}}', {RENAMED.format(words="(entry -> 'value')")})
        ELSE entry END ORDER BY place)
    FROM jsonb_array_elements(suggestions) WITH ORDINALITY AS offered (entry, place)
  ), suggestions)
WHERE "group" = 'fields' AND name = 'categories' AND (
  value ?| %(former)s OR ai_value ?| %(former)s
  OR jsonb_path_query_array(suggestions, '$[*].value[*]') ?| %(former)s)
"""  # noqa: S608 constants


@listens_to_edits
def drafts_of(listing_ids: Sequence[int]) -> dict[int, EditListener]:
    """The newest draft of each listing that is its owner's, locked."""
    rows = Draft.objects.select_for_update(of=("self",)).whose_listing_is_theirs()
    rows = rows.filter(listing__in=listing_ids, status=Draft.Status.READY)
    newest = {draft.listing_id: draft for draft in rows.order_by("listing", "created_at", "pk")}
    return {listing_id: partial(_follow, draft) for listing_id, draft in newest.items() if listing_id}


def _follow(draft: Draft, *, values: Mapping[str, Any], by: str, at: datetime) -> None:
    """Take over what a draft has of these values, as its owner's or as put back by staff."""
    editor = Editor(draft, at=at)
    typed = {name: _as_typed(name, value) for name, value in values.items() if name in FACTS}
    if by == "staff":
        editor.put_back(typed)
    else:
        editor.type(typed)
    if "socials" in values:
        existing = {name for group, name in editor.rows if group == LINKS}
        links = values["socials"] or {}
        editor.link(LINKS, {platform: links.get(platform) for platform in sorted(existing | links.keys())})
    editor.collect(_collections(values))
    editor.write()
    if "logo_url" in values:
        logos.hand_over(draft)


@follows_names
def rename_categories(names: Mapping[str, str]) -> None:
    """What drafts hold and are offered of categories has their new names; a draft could not be submitted else.

    One statement, since the request that renames waits for it, and a draft must not be read between two names.
    """
    with connection.cursor() as cursor:
        cursor.execute(RENAME, {"names": json.dumps(dict(names)), "former": list(names)})


def _as_typed(name: str, value: Any) -> Any:
    if name == "founded_year":
        return str(value) if value else None
    if name == "categories":
        value = list(value or ())[: 1 + EXTRA_CATEGORIES]
        existing = dict(Category.objects.filter(slug__in=value or ()).values_list("slug", "name"))
        return [existing[slug] for slug in value or () if slug in existing]
    return value


def _collections(values: Mapping[str, Any]) -> dict[str, Any]:
    """Questions, people, steps, story and texts for search engines, as update_draft takes them."""
    result: dict[str, Any] = {name: values[name] or [] for name in COLLECTIONS if name in values}
    if "milestones" in values:
        steps = values["milestones"] or []
        result["milestones"] = [{**step, "date": date.fromisoformat(step["date"])} for step in steps]
    if "story" in values:
        story = values["story"] or {}
        result["story"] = {name: story.get(name) for name in ("title", *STORY_SECTIONS)}
    if seo := {name: values[column] for column, name in SEO.items() if column in values}:
        result["seo"] = seo
    return result
