"""The facts that a draft extracts and a listing shows: one table, in the interface's order, that every list reads.

A fact more is one entry here, its column on Listing with a migration, the rule that finds it in `drafts/writing` with
its check, and the places that show it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from directory import limits


@dataclass(frozen=True, kw_only=True)
class Fact:
    """One fact.

    `bound` is what a draft takes: characters of a text, entries of a list. `listed` is what a listing holds of a text
    where that is less. `help` explains it to who gives it through the interface, `hint` asks for it where it is
    missing, `note` stands beside its input, `blank` there while it is. The weights of all are 100 together. `voice`
    says which text of a website may state it: what states facts about the company, what speaks of the product, what
    is neither a review nor about others, any. Of those kept from rivals no quote may name one; those reworded differ
    when they are written again. Those that update_my_listing does not take are changed through the draft. No listing
    is without what is needed, and beside what is decided other readings are mostly wrong. Words are shown as chips.
    """

    name: str
    label: str
    kind: Literal["text", "link", "year", "list"] = "text"
    bound: int = limits.DRAFT_TEXT
    listed: int | None = None
    is_column: bool = True
    weight: int
    group: str
    is_last_in_group: bool = False
    is_long: bool = False
    is_reported_when_blank: bool = False
    voice: Literal["company", "product", "site", "any"] = "any"
    is_reworded: bool = False
    is_edited_on_listing: bool = True
    is_needed: bool = False
    is_decided: bool = False
    is_words: bool = False
    help: str
    hint: str
    note: str = ""
    blank: str = ""


_BASICS, _COMPANY, _FEATURES, _LINKS = GROUPS = "Basics", "Price and place", "Features", "Links"
_basic = partial(Fact, group=_BASICS)
_company = partial(Fact, group=_COMPANY, is_reported_when_blank=True)
_list = partial(Fact, kind="list", bound=limits.LIST_ITEMS, group=_FEATURES)
_link = partial(Fact, kind="link", group=_LINKS)
_TABLE = (
    _basic(
        name="name",
        label="Name",
        weight=12,
        is_edited_on_listing=False,
        is_needed=True,
        help="The product's name. A listing needs it.",
        hint="Give the product's name.",
    ),
    _basic(
        name="tagline",
        label="Tagline",
        listed=limits.TAGLINE,
        weight=10,
        is_reported_when_blank=True,
        voice="product",
        is_reworded=True,
        is_needed=True,
        help="What it does, in one line.",
        hint="Say in one line what it does, or give a short description.",
        note="Under the name in every list, on your page and on the share card.",
        blank="Left blank, lists show the name alone.",
    ),
    _basic(
        name="short_description",
        label="Short description",
        listed=limits.SHORT_DESCRIPTION,
        weight=10,
        is_long=True,
        is_reported_when_blank=True,
        voice="product",
        is_reworded=True,
        is_needed=True,
        help="What it does and for whom, in a sentence or two; does for the tagline where there is none.",
        hint="Say in a sentence or two what it does and for whom.",
        note="Begins your page’s overview, and goes along when somebody shares the page.",
        blank="Left blank, shared links show the tagline.",
    ),
    _basic(
        name="description",
        label="Description",
        bound=limits.DESCRIPTION,
        weight=10,
        is_long=True,
        voice="site",
        is_reworded=True,
        help="Markdown.",
        hint="Describe what it does, in a few paragraphs.",
        note="What your page says below the short description.",
        blank="Left blank, the overview has the short description alone.",
    ),
    Fact(
        name="stage",
        label="Stage",
        weight=2,
        group=_COMPANY,
        is_last_in_group=True,
        is_reported_when_blank=True,
        voice="product",
        is_edited_on_listing=False,
        help=f"Where it stands. A listing takes one of: {', '.join(limits.STAGES)}.",
        hint="Say where it stands, for example an idea, a beta or launched.",
    ),
    _list(
        name="categories",
        label="Category",
        is_column=False,
        weight=10,
        group=_BASICS,
        is_edited_on_listing=False,
        is_needed=True,
        is_decided=True,
        help="Names or slugs from list_categories; the first is the primary one.",
        hint="Choose a category.",
    ),
    _list(
        name="tags",
        label="Tags",
        weight=2,
        group=_BASICS,
        is_long=True,
        is_edited_on_listing=False,
        help="",
        hint="Add a few tags.",
        note="One per line.",
        is_words=True,
    ),
    _company(
        name="pricing_model",
        label="How it is sold",
        listed=limits.PRICING_MODEL,
        weight=6,
        voice="product",
        help="How it is sold, for example free, freemium or subscription.",
        hint="Say how it is sold, for example free, freemium or subscription.",
    ),
    _company(
        name="pricing_summary",
        label="Price",
        listed=limits.PRICING_SUMMARY,
        is_long=True,
        weight=6,
        voice="product",
        is_decided=True,
        help="What it costs.",
        hint="Say what it costs.",
    ),
    _company(
        name="country",
        label="Country",
        weight=4,
        voice="company",
        help="ISO 3166-1 alpha-2 code in any case, or the country's name, which becomes its code.",
        hint="Give the country as an ISO code.",
        note="Two letters, for example DK.",
    ),
    _company(
        name="city",
        label="City",
        listed=limits.CITY,
        weight=2,
        voice="company",
        help="",
        hint="Give the city it is made in.",
    ),
    _company(
        name="founded_year",
        label="Founding year",
        kind="year",
        weight=2,
        voice="company",
        help="A text: four digits, "
        f"{limits.FOUNDED_YEAR_MIN} to {limits.FOUNDED_YEAR_MAX}. Other words are kept, but no listing takes them.",
        hint="Give the year it was founded.",
        note="Four digits.",
    ),
    _list(
        name="features",
        label="Features",
        weight=8,
        is_long=True,
        is_reported_when_blank=True,
        voice="site",
        help="What it can do.",
        hint="List what it can do.",
        note="One per line.",
    ),
    _list(
        name="usps",
        label="What sets it apart",
        weight=3,
        is_long=True,
        voice="site",
        is_reworded=True,
        help="What sets it apart.",
        hint="Say what sets it apart.",
        note="One per line.",
    ),
    _list(
        name="keywords",
        label="Keywords",
        weight=2,
        is_long=True,
        help="What people would search for.",
        hint="Add the words people would search for.",
        note="One per line.",
        is_words=True,
    ),
    _company(
        name="contact_email",
        label="Contact address",
        weight=4,
        voice="product",
        help="An e-mail address people can write to. Other words are kept, but no listing takes them.",
        hint="Give an address people can write to.",
    ),
    _link(
        name="demo_video_url",
        label="Demo video",
        weight=2,
        is_reported_when_blank=True,
        help="http or https link to a video, on a public host.",
        hint="Give the address of a demo video.",
    ),
    _link(
        name="logo_url",
        label="Logo",
        weight=5,
        is_edited_on_listing=False,
        is_decided=True,
        help="http or https address of the logo, on a public host.",
        hint="Give the address of the logo.",
        note="The address of the image.",
    ),
)
FACTS: dict[str, Fact] = {fact.name: fact for fact in _TABLE}
TEXT_COLUMNS = tuple(fact.name for fact in _TABLE if fact.is_column and fact.kind in {"text", "link"})
LIST_COLUMNS = tuple(fact.name for fact in _TABLE if fact.is_column and fact.kind == "list")


def lacking(facts: Mapping[str, Any]) -> list[str]:
    """What every listing must have and these facts lack: name, tagline (or a short description), categories."""
    rows = []
    if not facts.get("name"):
        rows.append("name")
    if not facts.get("tagline") and not facts.get("short_description"):
        rows.append("tagline")
    if not facts.get("categories"):
        rows.append("categories")
    return rows


NAME_OFFERED = 60  # letters; what is longer is a sentence
BRACKETED = re.compile(r"[(\[（【「].*[)\]）】」]", re.DOTALL)


def is_offered(name: str, value: Any, *, stated: Mapping[str, Any]) -> bool:
    """Whether a reading is worth offering: a text that the field can hold, no aside, and that no other field has."""
    if isinstance(value, str) and BRACKETED.fullmatch(value.strip(" .")):
        return False
    most = NAME_OFFERED if name == "name" else FACTS[name].listed if name in FACTS else None
    elsewhere = (other for field, other in stated.items() if field != name)
    return value not in elsewhere and not (most and len(value) > most)
