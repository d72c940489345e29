"""The founding year: only where a founding word stands beside it."""

import re

from drafts.crawl.extract_structured import first_text
from drafts.writing.founding import Found, founding_years
from drafts.writing.identity import COMPANY_TYPES
from drafts.writing.port import Evidence, FieldDraft
from drafts.writing.reading import Reading


def draft_founded_year(reading: Reading) -> FieldDraft:
    """One year that all founding sentences agree on; two different years leave the field blank."""
    shown = founding_years(reading)
    firm = [found for found in shown if found.is_firm] or shown
    years = dict.fromkeys(found.year for found in firm)
    if len(years) > 1:
        evidence = tuple(
            e for year in years for e in _evidence(reading, next(f for f in firm if f.year == year))
        )
        return FieldDraft(reason="conflicting", evidence=evidence)
    if firm:
        if len({f.year for f in shown}) > 1:
            weak = next(f for f in shown if f.year != firm[0].year)
            return FieldDraft(
                reason="conflicting", evidence=_evidence(reading, firm[0]) + _evidence(reading, weak)
            )
        return FieldDraft(value=firm[0].year, evidence=_evidence(reading, firm[0]))
    return _marked(reading)


def _evidence(reading: Reading, found: Found) -> tuple[Evidence, ...]:
    return reading.quote(*found.sentence.parts)


def _marked(reading: Reading) -> FieldDraft:
    years: dict[str, Evidence] = {}
    for page in reading.site.pages:
        for node in page.nodes:
            value = first_text(node.data.get("foundingDate")) if node.types & COMPANY_TYPES else ""
            found = re.match(r"(1[89]\d\d|20[0-4]\d)\b", value)
            name = first_text(node.data.get("name"))
            if not found or (name and not reading.own.resembles(name) and not reading.own.named_in(name)):
                continue
            segment = next((s for s in page.marked if s.text == value and "foundingDate" in s.key), None)
            for evidence in reading.quote((segment, None)) if segment else ():
                years.setdefault(found.group(1), evidence)
    if len(years) == 1:
        year, evidence = next(iter(years.items()))
        return FieldDraft(value=year, evidence=(evidence,))
    return FieldDraft(reason="conflicting", evidence=tuple(years.values())) if years else reading.blank
