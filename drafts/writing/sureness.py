"""How likely a value is right, whatever its field: set when it is sure, suggested when it may be, else left out."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from drafts.crawl.extract_parts import PageText, Segment
from drafts.limits import SUGGESTIONS
from drafts.writing.choosing import Candidate, Judge, likelihood
from drafts.writing.cues.money import MONEY
from drafts.writing.port import Evidence, FieldDraft, Suggestion, Value, Written
from drafts.writing.reading import Reading
from drafts.writing.support import stems
from drafts.writing.text import CJK, asks, folded, sentences, squashed

SURE = "sureness"
UNSURE = Judge(weights={"always": 0.0}, threshold=0.0)
"""Before weights are learned, everything is set."""
JUDGED = (
    *("name", "tagline", "short_description", "description", "features", "pricing_model", "pricing_summary"),
    *("country", "city", "founded_year", "contact_email", "logo_url", "demo_video_url", "categories"),
)
"""Fields of which labels say what is right; the others are set as the rules leave them."""
STATED = 0.95
"""How often a value of another field is right, by hand."""
WEIGHED = frozenset({"tagline", "short_description", "features", "categories"})
_BEYOND_DOUBT = 0.845
_MANY, _FEW, _LINE, _NEVER = 8, 3, 160, 1e-4
Options = tuple[Suggestion, ...]


def options_of(draft: FieldDraft) -> Options:
    """All values of a field, the rules' choice first, each with what the rules make of it."""
    others = tuple(other for other in draft.suggestions if other.value != draft.value)[:SUGGESTIONS]
    if not draft.value:
        return others
    first = Suggestion(value=draft.value, evidence=draft.evidence, confidence=draft.confidence or 0.0)
    return (first, *others)


def _weight(name: str, confidence: float) -> dict[str, float]:
    """What the rules make of a value: where they weigh candidates, its odds, which tell near one what shares do not."""
    if name not in WEIGHED:
        return {"weight": confidence}
    odds = math.log((confidence + _NEVER) / (1 - confidence + _NEVER))
    return {f"weight of {name}": max(-2.0, min(2.0, odds / 3))}


def _priced(option: Suggestion) -> dict[str, float]:
    """Which word it is for the price, and whether a sum is quoted for it."""
    is_counted = any(MONEY.search(quote.quote) for quote in option.evidence)
    return {f"word {option.value}": 1.0, "sum quoted": float(is_counted)}


def _fitting(tags: FieldDraft, category: FieldDraft) -> FieldDraft:
    """The tags of a category that is set: of one that may be another, those of several words, which say more."""
    listed = tags.value if category.value and isinstance(tags.value, tuple) else ()
    is_beyond = (category.confidence or 0.0) >= _BEYOND_DOUBT
    chosen = tuple(tag for tag in listed if is_beyond or len(tag.split()) > 1)
    quotes = tuple(
        quote for quote in tags.evidence if any(folded(tag) in folded(quote.quote) for tag in chosen)
    )
    return (
        replace(tags, value=chosen, evidence=quotes)
        if quotes
        else FieldDraft(reason=tags.reason or "not_on_site")
    )


def _introduced(tagline: FieldDraft, short: FieldDraft) -> FieldDraft:
    """A tagline of which none is sure: the sentence that begins what is set below it goes before the others."""
    line = sentences(str(short.value))[0]
    sure = max((other.confidence for other in tagline.suggestions), default=short.confidence or 0.0)
    first = Suggestion(value=line, evidence=short.evidence, confidence=sure)
    rest = (other for other in tagline.suggestions if other.value != line)
    return replace(tagline, suggestions=(first, *rest)[:SUGGESTIONS]) if len(line) <= _LINE else tagline


def _offered(draft: FieldDraft, *, suggestions: Options) -> FieldDraft:
    evidence = () if draft.value else draft.evidence
    return FieldDraft(reason=draft.reason or "not_on_site", evidence=evidence, suggestions=suggestions)


class Sureness:
    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.judge = reading.judges.get(SURE, UNSURE)
        self.pages = {page.url: page for page in reading.site.pages}

    def settled(self, written: Written) -> Written:
        """The draft in which only sure values are set, and those that may be right are suggested."""
        fields = {name: self._settled(name, draft) for name, draft in written.fields.items()}
        if "tags" in fields and (category := fields.get("categories")):
            fields["tags"] = _fitting(fields["tags"], category)
        short, long = fields.get("short_description"), fields.get("description")
        if short and short.value and (line := fields.get("tagline")) and not line.value:
            fields["tagline"] = _introduced(line, short)
        if short and long and not short.value and (long.value,) == short.offered[:1]:
            fields["description"] = _offered(long, suggestions=options_of(long))  # the same text
        return replace(written, fields=fields)

    def _settled(self, name: str, draft: FieldDraft) -> FieldDraft:
        if name not in JUDGED or draft.reason == "conflicting":
            stated = STATED if draft.value else None
            return replace(draft, confidence=stated, suggestions=())
        weighed = [
            replace(entry.value, confidence=likelihood(self.judge.score(entry.measures)))
            for entry in self.candidates(name, draft)
        ]
        first = weighed[:1] if draft.value else []
        is_sure = bool(first) and first[0].confidence >= self.judge.bound(name) and self._is_borne_out(draft)
        rest = sorted(weighed[is_sure:], key=lambda each: -each.confidence)
        if name == "tagline":
            rest.sort(key=lambda each: not self.reading.own.introduced_in(str(each.value)))
        least = self.judge.bound("possible") if name != "categories" else 0.0
        others = tuple(each for each in rest if each.confidence >= least)[:SUGGESTIONS]
        if is_sure:
            return replace(draft, confidence=first[0].confidence, suggestions=others)
        return _offered(draft, suggestions=others)

    def _is_borne_out(self, draft: FieldDraft) -> bool:
        """Whether what nobody pays for is said on the home page or beside the prices: elsewhere half is told of."""
        kinds = {self.pages[quote.url].kind for quote in draft.evidence if quote.url in self.pages}
        return draft.value != "free" or not kinds.isdisjoint({"home", "pricing"})

    def candidates(self, name: str, draft: FieldDraft) -> Iterator[Candidate[Suggestion]]:
        """Every value of a field with all that can be told of it, in the same words for all fields."""
        options = options_of(draft)
        for place, option in enumerate(options):
            others = [other.confidence for other in options if other is not option]
            measures = {
                f"is {name}": 1.0,
                "is chosen": float(place == 0 and draft.value is not None),
                **_weight(name, option.confidence),
                "lead": max(-1.0, min(1.0, option.confidence - max(others, default=0.0))),
                "alone": float(not others),
                "later": min(place, _FEW) / _FEW,
                **self._quoted(option.evidence),
                **self._stated(name, option.value),
                **(_priced(option) if name == "pricing_model" else {}),
            }
            yield Candidate(option, {key: value for key, value in measures.items() if value})

    def _quoted(self, evidence: tuple[Evidence, ...]) -> dict[str, float]:
        count = max(1, len(evidence))
        shares: dict[str, float] = {"quotes": min(count, _MANY) / _MANY}
        for quote in evidence:
            page = self.pages.get(quote.url)
            segment = self._segment(page, quote) if page else None
            names = [f"from {quote.source}", *([f"page {page.kind}"] if page else ())]
            if segment is not None:
                names += [f"under {role}" for role in segment.under]
                names += ["heading"] if segment.level else []
                names += ["link"] if segment.link else []
            for name in names:
                shares[name] = shares.get(name, 0.0) + 1 / count
            if page is not None:
                shares["own page"] = shares.get("own page", 0.0) + self._ownness[page.url] / count
        shares["named"] = float(any(self.reading.own.named_in(quote.quote) for quote in evidence))
        return shares

    def _segment(self, page: PageText, quote: Evidence) -> Segment | None:
        if quote.start is None:
            return next((s for s in page.marked if quote.quote in s.text), None)
        return next((s for s in page.texts if 0 <= quote.start - s.start < len(s.text)), None)

    def _stated(self, name: str, value: Value) -> dict[str, float]:
        """How the site agrees on it, and what kind of text it is."""
        items = (value,) if isinstance(value, str) else value
        keys = [key for item in items if (key := squashed(item))]
        spread = [sum(key in text for text in self._texts.values()) for key in keys]
        marked = [any(key in text for text in self._markup) for key in keys]
        text = " ".join(items)
        return {
            "said on pages": min(sum(spread) / max(1, len(spread)), _FEW) / _FEW,
            "said in markup": sum(marked) / max(1, len(marked)),
            "items": min(len(items), _MANY) / _MANY if len(items) > 1 else 0.0,
            "short items": sum(len(item) < 12 for item in items) / len(items) if len(items) > 1 else 0.0,
            "long items": sum(len(item) > 60 for item in items) / len(items) if len(items) > 1 else 0.0,
            "length": min(len(text), 400) / 400,
            "digits": min(sum(map(str.isdigit, text)) * 8 / max(1, len(text)), 1.5),
            "asks": float(asks(text)),
            "asian": float(bool(CJK.search(self.reading.home.text[:2000]))),
            "one page": float(len(self.pages) == 1),
        }

    @cached_property
    def _texts(self) -> dict[str, str]:
        return {url: squashed(page.text) for url, page in self.pages.items()}

    @cached_property
    def _markup(self) -> list[str]:
        return [squashed(s.text) for page in self.pages.values() for s in page.marked]

    @cached_property
    def _ownness(self) -> dict[str, float]:
        """How much of what a page says most, the home page says too: what a theme left behind shares little."""
        home = stems(" ".join(s.text for s in self.reading.home.texts[:200]))
        shares = {
            url: stems(" ".join(s.text for s in page.texts[:60] if not s.roles & {"nav", "footer", "header"}))
            for url, page in self.pages.items()
        }
        return {url: len(words & home) / len(words) if words else 0.0 for url, words in shares.items()}
