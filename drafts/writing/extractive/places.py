"""Country and city, by the strongest statements of the site."""

from drafts.writing.conflicts import same_place
from drafts.writing.places import Place, places_in
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import Reading


def draft_places(reading: Reading) -> tuple[FieldDraft, FieldDraft]:
    """Country and city."""
    places = places_in(reading)
    city = _settle(reading, [p for p in places if p.city], "city")
    chosen = city.value if isinstance(city.value, str) else None
    coded = [p for p in places if p.country]
    fitting = [p for p in coded if chosen is None or p.city is None or same_place(p.city, chosen)]
    return _settle(reading, fitting or coded, "country"), city


def _settle(reading: Reading, places: list[Place], key: str) -> FieldDraft:
    if not places:
        return reading.blank
    best = max(place.rank for place in places)
    groups: list[list[Place]] = []
    for place in (p for p in places if p.rank == best):
        group = next((g for g in groups if same_place(getattr(g[0], key), getattr(place, key))), None)
        if group is None:
            groups.append([place])
        else:
            group.append(place)
    groups.sort(key=len, reverse=True)
    if len(groups) > 1 and len(groups[0]) < 2 * len(groups[1]):
        return FieldDraft(reason="conflicting", evidence=_evidence(reading, [g[0] for g in groups[:2]]))
    value = getattr(groups[0][0], key)
    same = [p for p in places if same_place(getattr(p, key), value)]
    chosen = min(same, key=lambda p: (len(getattr(p, key)), -p.rank))
    return FieldDraft(value=getattr(chosen, key), evidence=_evidence(reading, [chosen]))


def _evidence(reading: Reading, places: list[Place]) -> tuple[Evidence, ...]:
    return tuple(e for place in places for e in reading.quote((place.segment, place.quote)))
