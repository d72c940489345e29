"""Country and city, by the strongest statements of the site."""

from drafts.writing.places import Place, places_in
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import Reading


def draft_places(reading: Reading) -> tuple[FieldDraft, FieldDraft]:
    """Country and city."""
    places = places_in(reading)
    city = _settle(reading, [p for p in places if p.city], "city")
    chosen = city.value if isinstance(city.value, str) else None
    coded = [p for p in places if p.country and (chosen is None or p.city is None or p.city == chosen)]
    return _settle(reading, coded or [p for p in places if p.country], "country"), city


def _settle(reading: Reading, places: list[Place], key: str) -> FieldDraft:
    if not places:
        return reading.blank
    best = max(place.rank for place in places)
    top = [place for place in places if place.rank == best]
    values = dict.fromkeys(_same(getattr(place, key)) for place in top)
    if len(values) > 1:
        counted = sorted(values, key=lambda v: -sum(_same(getattr(p, key)) == v for p in top))
        first, second = (sum(_same(getattr(p, key)) == v for p in top) for v in counted[:2])
        if first < 2 * second:
            quotes = [next(p for p in top if _same(getattr(p, key)) == v) for v in counted[:2]]
            return FieldDraft(reason="conflicting", evidence=_evidence(reading, quotes))
        top = [p for p in top if _same(getattr(p, key)) == counted[0]]
    return FieldDraft(value=getattr(top[0], key), evidence=_evidence(reading, top[:1]))


def _same(value: str) -> str:
    return value.casefold().replace("-", " ")


def _evidence(reading: Reading, places: list[Place]) -> tuple[Evidence, ...]:
    return tuple(e for place in places for e in reading.quote((place.segment, place.quote)))
