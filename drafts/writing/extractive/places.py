"""Country and city, by the strongest statements of the site."""

from collections.abc import Iterable, Iterator
from itertools import islice

from drafts.writing.conflicts import same_place
from drafts.writing.places import Place, mentioned_in, places_in
from drafts.writing.port import FieldDraft
from drafts.writing.reading import OPTIONS, Reading, ranked

_MOST = 60  # each is compared with each


def draft_places(reading: Reading) -> tuple[FieldDraft, FieldDraft]:
    places = places_in(reading)
    mentioned = list(islice(mentioned_in(reading), _MOST))
    city = _settle(reading, [p for p in places if p.city], mentioned, "city")
    coded = [p for p in places if p.country]
    fitting = [
        p for p in coded if city.value is None or p.city is None or same_place(p.city, str(city.value))
    ]
    return _settle(reading, fitting or coded, mentioned, "country"), city


def _settle(reading: Reading, places: list[Place], mentioned: list[Place], key: str) -> FieldDraft:
    """What most of the strongest statements say, in the shortest way; the verifier sees what contradicts it.

    Other places are alternatives, the strongest statements first.
    """
    rows: list[tuple[float, FieldDraft]] = []
    left = places
    while left and len(rows) < OPTIONS:
        best = max(place.rank for place in left)
        stated = [getattr(place, key) for place in left if place.rank == best][:_MOST]
        most = max(stated, key=lambda each: sum(same_place(each, other) for other in stated))
        same = [place for place in left if same_place(getattr(place, key), most)]
        chosen = min(same, key=lambda p: (len(getattr(p, key)), -p.rank))
        quote = reading.quote((chosen.segment, chosen.quote))
        rows.append((1.0 + best, FieldDraft(value=getattr(chosen, key), evidence=quote)))
        left = [place for place in left if place not in same]
    weaker = (
        FieldDraft(value=getattr(place, key), evidence=reading.quote((place.segment, place.quote)))
        for place in mentioned
        if getattr(place, key)
    )
    return ranked(rows, otherwise=reading.blank, weaker=_once(weaker))


def _once(drafts: Iterable[FieldDraft]) -> Iterator[FieldDraft]:
    """Each value once, as it is first mentioned."""
    values: set[object] = set()
    for draft in drafts:
        if draft.value not in values:
            values.add(draft.value)
            yield draft
