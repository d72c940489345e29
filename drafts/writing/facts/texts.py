"""What a site says of its product: lines, paragraphs and lists, judged by their sentences or words."""

from drafts import limits
from drafts.writing.extractive.categories import draft_categories, draft_keywords, draft_stage
from drafts.writing.extractive.features import draft_features, draft_usps, ordered_groups
from drafts.writing.extractive.texts import draft_description, draft_short_description, draft_tagline
from drafts.writing.facts.base import DraftedFact
from drafts.writing.port import FieldDraft
from drafts.writing.reading import Reading


class Tagline(DraftedFact):
    code, position = "tagline", 2
    request = "the site's own slogan that says what it does, else one line of yours, at most 120 characters"
    judged_by, least = "sentences", 8
    draft = staticmethod(draft_tagline)


class ShortDescription(DraftedFact):
    code, position = "short_description", 3
    request = f"one or two sentences, at most {limits.SHORT_DESCRIPTION_DRAFTED} characters"
    judged_by, least = "sentences", 25
    draft = staticmethod(draft_short_description)


class Stage(DraftedFact):
    code = "stage"
    draft = staticmethod(draft_stage)


def _described(reading: Reading) -> tuple[FieldDraft, FieldDraft, FieldDraft]:
    groups = ordered_groups(reading)
    features = draft_features(reading, groups)
    texts = features.value if isinstance(features.value, tuple) else ()
    return features, draft_usps(reading, groups, texts), draft_description(reading)


class Described(DraftedFact):
    """Features, what sets it apart, and the description: read together, so that none says the other's again."""

    judged_by = "sentences"
    together = ("features", "usps", "description"), _described


class Description(Described):
    code, position = "description", 4
    request = "two to four short paragraphs of plain sentences, at most 2000 characters"
    least, is_worded_anew = 60, True


class Features(Described):
    code, position = "features", 5
    request = f"what the product does, at most {limits.DRAFTED_FEATURES} items in the site's own words"
    least, most = 2, limits.DRAFTED_FEATURES


class Usps(Described):
    code, position = "usps", 6
    request = f"what the site says sets it apart, at most {limits.DRAFTED_USPS} short items"
    least, most, is_worded_anew = 4, limits.DRAFTED_USPS, True


class Categories(DraftedFact):
    code, position = "categories", 7
    request = f"names out of the categories below, the best first, at most {limits.DRAFTED_CATEGORIES}"
    most = limits.DRAFTED_CATEGORIES
    together = ("categories", "tags"), draft_categories


class Tags(Categories):
    code, position = "tags", 8
    request = f"words of the site itself, at most {limits.DRAFTED_TAGS}"
    judged_by, most, is_worded_anew = "words", limits.DRAFTED_TAGS, True


class Keywords(DraftedFact):
    code, position = "keywords", 9
    request = f"words of the site itself that people would search for, at most {limits.DRAFTED_KEYWORDS}"
    judged_by, most, is_worded_anew = "words", limits.DRAFTED_KEYWORDS, True
    draft = staticmethod(draft_keywords)
