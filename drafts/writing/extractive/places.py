"""Country and city, by the strongest statements of the site."""

from drafts.writing.conflicts import same_place
from drafts.writing.places import Place, places_in
from drafts.writing.port import FieldDraft
from drafts.writing.reading import Reading

_MOST = 60  # each is compared with each


def draft_places(reading: Reading) -> tuple[FieldDraft, FieldDraft]:
    places = places_in(reading)
    city = _settle(reading, [p for p in places if p.city], "city")
    coded = [p for p in places if p.country]
    fitting = [
        p for p in coded if city.value is None or p.city is None or same_place(p.city, str(city.value))
    ]
    return _settle(reading, fitting or coded, "country"), city


def _settle(reading: Reading, places: list[Place], key: str) -> FieldDraft:
    """What most of the strongest statements say, in the shortest way; the verifier sees what contradicts it."""
    best = max((place.rank for place in places), default=0)
    said = [getattr(place, key) for place in places if place.rank == best][:_MOST]
    most = max(said, key=lambda one: sum(same_place(one, other) for other in said), default="")
    same = [place for place in places if same_place(getattr(place, key), most)]
    if not most or not same:
        return reading.blank
    chosen = min(same, key=lambda p: (len(getattr(p, key)), -p.rank))
    return FieldDraft(value=getattr(chosen, key), evidence=reading.quote((chosen.segment, chosen.quote)))
