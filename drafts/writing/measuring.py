"""What can be told of a text of a site in any language: place, shape, company, and what else says the same.

Headings that only name a part of a page are no features, plans or taglines.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from drafts.crawl.extract_parts import Segment, SiteText, words
from drafts.crawl.extract_roles import heading_roles
from drafts.languages import Shape
from drafts.writing.currencies import CODES, LETTERS, SIGNS
from drafts.writing.identity import Identity
from drafts.writing.support import stems
from drafts.writing.text import CJK

_OWN = Shape(r"^\W*(?:{own}\s+)?")
_PRICE_HEAD = Shape(r"{start}{title_price}\W*$", start=_OWN)
_PART_HEAD = Shape(r"{start}{title_part}\W*$", start=_OWN)
_CHAPTER_HEAD = Shape(r"{start}{title_chapter}\W*$", start=_OWN)
_CHAPTERS = words("review comparison job blog donation faq steps feature why others contact")


def names_prices(text: str) -> bool:
    """Whether a heading says no more than that prices follow."""
    return bool(_PRICE_HEAD.match(text))


def names_part(text: str) -> bool:
    """Whether a heading says no more than what part of a page follows, wherever it stands."""
    return names_prices(text) or bool(_PART_HEAD.match(text))


def opens_chapter(text: str) -> bool:
    """Whether a heading of the second level announces what is listed or told below it."""
    return names_part(text) or bool(_CHAPTER_HEAD.match(text)) or bool(heading_roles(text) & _CHAPTERS)


_MARK = re.compile(r"(?:og:|twitter:)?(title|description)")
_LENGTHS = ((12, "tiny"), (28, "label"), (60, "line"), (110, "sentence"), (200, "long"), (360, "paragraph"))
_MONEY = Shape(rf"[{SIGNS}]\s?\d|\d\s?(?:[{SIGNS}]|{CODES}|{LETTERS}|{{currency}})")
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d\b")
_FIGURE = re.compile(r"^\W*\d[\d.,]*\s?[%+kKmM×x/]?(?:\W|$)")
_REACHED = re.compile(r"https?:|www\.|\+?\d[\d ()/-]{7,}\d|@\w|\w\.(?:exe|dmg|zip|apk|deb|rpm)\b")
_RELEASE = re.compile(r"\bv?\d+\.\d+(?:\.\d+)*\b")
_CODE = re.compile(r"\w[._=\\@]\w|://|^-{1,2}\w|^\.{0,2}/\w")
_STOPS = (".", "。", "!", "！", "…")
_NEAR, _MANY, _TELLING, _FEW = 3, 8, 12, 2


def length_of(text: str) -> int:
    """How much a text says; a sign of a script without spaces says as much as two letters."""
    return len(text) * (2 if CJK.search(text) else 1)


def states_figures(text: str) -> bool:
    """Whether a text states a price or a release, which a description that lasts does not."""
    return bool(_MONEY.search(text) or _RELEASE.search(text))


def is_passing(text: str) -> bool:
    """Whether a text states what changes or stands elsewhere: sums, releases, years, addresses and numbers to call."""
    return states_figures(text) or bool(_YEAR.search(text) or _REACHED.search(text))


def is_code(text: str) -> bool:
    """Whether a text is one for a program: most of its words are names of files, addresses or options."""
    words = text.split()
    return sum(bool(_CODE.search(word)) for word in words) * 2 > len(words)


def _form(segment: Segment) -> tuple[object, ...]:
    return segment.page, segment.level, segment.tag, segment.outline


@dataclass(frozen=True)
class SiteMeasures:
    """What a site says of itself in its most telling places, and how often it says a thing."""

    site: SiteText
    own: Identity

    @cached_property
    def name(self) -> set[str]:
        return stems(" ".join(self.own.names))

    @cached_property
    def marked(self) -> dict[str, set[str]]:
        """The words of the home page's title and description, without the name."""
        result: dict[str, set[str]] = {"title": set(), "description": set()}
        for segment in self.site.pages[0].marked:
            if mark := _MARK.fullmatch(segment.key):
                result[mark[1]] |= stems(segment.text) - self.name
        return result

    @cached_property
    def head(self) -> set[str]:
        return stems(" ".join(s.text for s in self.site.pages[0].texts if s.level == 1)) - self.name

    @cached_property
    def spread(self) -> Counter[str]:
        """In how many texts of the home page each word stands."""
        return Counter(stem for s in self.site.pages[0].texts[:400] for stem in stems(s.text))

    @cached_property
    def forms(self) -> Counter[tuple[object, ...]]:
        """How many texts of one form stand under the same headings of a page."""
        return Counter(_form(s) for page in self.site.pages for s in page.texts)

    @cached_property
    def tops(self) -> dict[int, int]:
        return {
            page.index: next((s.index for s in page.texts if s.level == 1), -1) for page in self.site.pages
        }

    def measures(self, segment: Segment, text: str) -> dict[str, float]:
        """All that can be told of a text that stands in a segment."""
        result = self._place(segment) | self._shape(text) | self._company(segment, text)
        return {name: value for name, value in result.items() if value}

    def _place(self, segment: Segment) -> dict[str, float]:
        if segment.kind != "text":
            return {f"in {segment.key.split('.')[-1].lower()}": 1.0, "markup": 1.0}
        page = self.site.pages[segment.page - 1]
        top = self.tops[segment.page]
        result = dict.fromkeys((f"role {role}" for role in segment.roles), 1.0)
        result |= dict.fromkeys((f"under {role}" for role in segment.under), 1.0)
        result[f"tag {segment.tag}" if not segment.level else f"level {min(segment.level, 4)}"] = 1.0
        if page.kind != "home":
            result[f"page {page.kind}"] = 1.0
        result["far"] = segment.index / max(1, len(page.segments))
        result["below top"] = float(0 < segment.index - top <= _NEAR and top >= 0)
        result["alike"] = min(self.forms[_form(segment)] - 1, _MANY) / _MANY
        result["under nothing"] = float(not segment.outline)
        result["link"] = float(bool(segment.link))
        return result

    def _shape(self, text: str) -> dict[str, float]:
        size, words, end = length_of(text), text.split(), text.rstrip()
        return {
            f"length {next((name for most, name in _LENGTHS if size < most), 'chapter')}": 1.0,
            "stop": float(end.endswith(_STOPS)),
            "commas": min(text.count(",") * 4 / max(4, len(words)), 1.5),
            "digits": min(sum(map(str.isdigit, text)) * 8 / max(1, len(text)), 1.5),
            "broken": float("\n" in text),
            "year": float(bool(_YEAR.search(text))),
            "figure": float(bool(_FIGURE.match(text))),
            "chapter": float(opens_chapter(text)),
        }

    def _company(self, segment: Segment, text: str) -> dict[str, float]:
        existing = stems(text) - self.name
        most = max(1, len(existing))
        return {
            "named": float(self.own.named_in(text)),
            "named first": float(any(text.casefold().startswith(n.casefold()) for n in self.own.names)),
            "like title": len(existing & self.marked["title"]) / most,
            "like description": len(existing & self.marked["description"]) / most,
            "like head": len(existing & self.head) / most,
            "of title": len(existing & self.marked["title"]) / max(1, len(self.marked["title"])),
            "of description": len(existing & self.marked["description"])
            / max(1, len(self.marked["description"])),
            "kept up": sum(self.spread[stem] > 2 for stem in existing) / most,
            "only here": sum(self.spread[stem] <= 1 for stem in existing) / most,
            "telling": min(len(existing), _TELLING) / _TELLING,
            "few words": float(len(existing) <= _FEW),
        }
