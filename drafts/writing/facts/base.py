"""What drafting asks of a fact: the rule that finds it, the question for a model, and how its answer is judged."""

from collections.abc import Callable, Sequence
from typing import Literal

from directory.limits import LIST_ITEMS
from drafts.crawl.extract_parts import Segment, SiteText
from drafts.limits import TEXT_FIELDS
from drafts.writing.port import FieldDraft
from drafts.writing.reading import Reading
from drafts.writing.roles import is_placeholder

Lines = Sequence[Segment]
Rule = tuple[tuple[str, ...], Callable[[Reading], tuple[FieldDraft, ...]]]
"""The facts that are read together, and what reads them."""


class DraftedFact:
    """One fact; what it leaves out is the safe answer: no model is asked, and nothing that one says is believed.

    `position` is its place in the question, and `request` what a model is asked for; for what `is_worded_anew` it does
    not see what the rules found. Of its answer, texts are judged by their sentences, `stated` values by `follows` and
    `stands`, entries of a list by their `words`; `least` are the characters of a text or entry, `most` the entries.
    What has a rule `together` with others is read with them.
    """

    code: str
    position = 100
    request = ""
    is_worded_anew = False
    together: Rule | None = None
    judged_by: Literal["stated", "sentences", "words"] = "stated"
    least = 1
    most = LIST_ITEMS

    @staticmethod
    def draft(reading: Reading) -> FieldDraft:
        """What the site says of it by rules."""
        return reading.blank

    def rule(self) -> Rule | None:
        """By which it is drafted; none for what is known before the rest is read."""
        return self.together or ((self.code,), lambda reading: (self.draft(reading),))

    def follows(self, value: str, text: str) -> bool:
        """Whether a text states a value: asked what it is, not how it is found."""
        return False

    def stands(self, site: SiteText, value: str, lines: Lines, *, product: str) -> bool:
        """Whether a value stands where such a value belongs."""
        return True

    def is_stated(self, value: str, quotes: list[str]) -> bool:
        fits = 0 < len(value) <= TEXT_FIELDS[self.code] and not is_placeholder(value)
        return fits and self.follows(value, "\n".join(quotes))
