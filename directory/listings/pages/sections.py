"""The groups of the editor, for drafts and listings alike: what is in each, what is filled, and its answer."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain
from textwrap import shorten
from typing import Any, cast

from django.conf import settings
from django.contrib.messages import get_messages
from django.forms.boundfield import BoundField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from directory.facts import FACTS, GROUPS, lacking
from directory.listings.pages.forms import FactsForm, Part, Row
from directory.listings.pages.marks import Mark
from directory.shown.sharing import day
from directory.wording import in_a_row, worded, words_of

LISTS = {"founders": "People", "faqs": "Questions", "milestones": "Milestones"}
ADDED = {"founders": "person", "faqs": "question", "milestones": "milestone"}
HEADING = {"headline", "summary"}
FIRST = {*lacking({}), *HEADING}  # what is needed, in every state of the page
PICTURES, OVERVIEW, STORY, SEARCH = "Pictures", "Overview", "Story", "Search engines"
LOGO = "logo_url"  # stands beside the name, under the logo itself
IDEAS, NAMED, LINE = 6, 3, 110  # categories, checks by name, letters of what is in a folded group
FAINT = "small faint"
ABSENT = {"logo": "logo", "picture": "gallery-title"}
PAID = {"story": STORY, "milestones": LISTS["milestones"], "media": PICTURES}
TITLES = (
    GROUPS[0],
    PICTURES,
    OVERVIEW,
    LISTS["founders"],
    GROUPS[1],
    GROUPS[2],
    LISTS["faqs"],
    GROUPS[3],
    STORY,
    LISTS["milestones"],
    SEARCH,
)
PRESSED = (
    "lock",
    "unlock",
    "restore",
    "regenerate",
    "take",
    "remove",
    "earlier",
    "later",
    "add",
    "theirs",
    "stored",
    "without",
)
LINKS = {"socials": "The product’s links", "company_socials": "The product’s links"}


@dataclass(kw_only=True)
class Section:
    """One group: values, the entries of a list, links."""

    title: str
    inputs: list[BoundField] = field(default_factory=list)
    rows: Sequence[Row] = ()
    adds: str = ""
    collection: str = ""
    links: list[tuple[str, list[BoundField]]] = field(default_factory=list)
    needed: int = 0
    pictures: int = 0
    missing: Sequence[str] = ()
    is_paid: bool = False

    @property
    def key(self) -> str:
        return self.title.lower().replace(" ", "-")

    def everything(self) -> Iterator[BoundField]:
        yield from self.inputs
        yield from (entry for row in self.rows for entry in row.inputs)
        yield from (entry for _, links in self.links for entry in links)

    @property
    def folded(self) -> list[BoundField]:
        """Blank texts that few write: one line offers them."""
        return [
            entry for entry in self.inputs if entry.name in HEADING and not (entry.value() or entry.errors)
        ]

    @property
    def shown(self) -> list[BoundField]:
        return [entry for entry in self.inputs if entry.name != LOGO and entry not in self.folded]

    def asks(self, entry: BoundField) -> bool:
        mark = cast(FactsForm, entry.form).fields[entry.name].mark
        return bool(entry.errors or mark.is_needed or mark.is_awaited or mark.state == "suggested")

    @property
    def marks(self) -> list[Mark]:
        return [cast(FactsForm, entry.form).fields[entry.name].mark for entry in self.inputs]

    @property
    def filled(self) -> int:
        links = sum(bool(entry.value()) for _, rows in self.links for entry in rows)
        if self.title == PICTURES:
            return self.pictures
        return (
            sum(bool(entry.value()) for entry in self.inputs) + links + sum(not r.is_new for r in self.rows)
        )

    @property
    def facts(self) -> list[BoundField]:
        """What it states, without the logo and what few write."""
        return [entry for entry in self.inputs if entry.name not in {LOGO, *HEADING}]

    @property
    def checks(self) -> list[BoundField]:
        """What its reader had better look at: a value that may be wrong, a suggestion to choose."""
        pairs = zip(self.inputs, self.marks, strict=True)
        return [entry for entry, mark in pairs if mark.is_to_check]

    @property
    def lists_blanks(self) -> bool:
        """Whether the page names what is left blank in it."""
        blank = (FACTS.get(entry.name) for entry in self.facts if not entry.value())
        return self.title == GROUPS[1] and any(fact and fact.is_reported_when_blank for fact in blank)

    @property
    def absent(self) -> list[tuple[str, str]]:
        """What is better added before it goes on, though nothing stops it: where, and what."""
        return [(ABSENT[name], f"a {name}") for name in self.missing]

    @cached_property
    def state(self) -> tuple[str, str, str]:
        """What is to do in it, else how much it holds: in few words, with their tone and icon."""
        if wrong := sum(bool(entry.errors) for entry in self.everything()):
            return f"{wrong} to fix", "small wrong", "circle-alert"
        if self.needed:
            return f"{self.needed} needed", "chip warn", "circle-alert"
        if self.checks:
            return f"{len(self.checks)} to check", "chip ai", "info"
        if self.filled and not self.missing:
            return self._amount, FAINT, "check"
        return ("paid plan", FAINT, "lock") if self.is_paid else ("optional", FAINT, "circle-dashed")

    @property
    def count(self) -> str:
        return self.state[0]

    @property
    def tone(self) -> str:
        return self.state[1]

    @property
    def icon(self) -> str:
        return self.state[2]

    @property
    def _amount(self) -> str:
        """Things where it holds things, else how many of its facts, where any is blank."""
        if self.things or self.links:
            return self.things or f"{self.filled} added"
        stated = sum(bool(entry.value()) for entry in self.facts)
        return f"{stated} of {len(self.facts)}" if stated < len(self.facts) else ""

    @property
    def things(self) -> str:
        """How many entries or pictures it holds."""
        number, name = int(self.pictures) or sum(not row.is_new for row in self.rows), self.adds or "picture"
        many = "people" if name == "person" else f"{name}s"
        return f"{number} {name if number == 1 else many}" if number else ""

    @property
    def named(self) -> str:
        """The same in a group's head, with the names of what is to check or missing."""
        names = [str(entry.label) for entry in self.checks] or self.missing
        is_listed = names and not (self.has_errors or self.needed)
        return f"{self.count}: {briefly(names)}" if is_listed else self.count

    @property
    def waits(self) -> bool:
        """Whether something in it is for its reader to do."""
        return bool(self.needed or self.has_errors or any(map(self.asks, self.inputs)))

    @property
    def is_open(self) -> bool:
        return bool(self.filled or self.waits or self.title == PICTURES)

    @property
    def is_settled(self) -> bool:
        """Whether a script may fold it, so that the page is short: a line says what is in it."""
        return self.is_open and not self.waits and self.title not in TITLES[:3]

    @property
    def preview(self) -> str:
        """What is in it, in a line that ends with a whole value or word; of several lists the first."""
        links = [str(entry.label) for _, rows in self.links for entry in rows if entry.value()]
        values = [str(worded(entry.name, entry.value())) for entry in self.shown if entry.value()]
        values = values[:1] if self.title in {GROUPS[2], OVERVIEW} else values
        names = [row.title for row in self.rows if not row.is_new]
        lines = [line for value in (*names, *values, *links) for line in value.split("\n")]
        fitting = sum(total <= LINE for total in accumulate(len(line) + 3 for line in lines)) or 1
        parts = [shorten(line, LINE, placeholder=" …") for line in lines[:fitting]]
        more = f" and {len(lines) - fitting} more" if lines[fitting:] else ""
        return "; ".join(parts) + more

    @property
    def has_errors(self) -> bool:
        return any(entry.errors for entry in self.everything())


def briefly(names: Sequence[str]) -> str:
    """The first of many names, and how many more there are."""
    first, more = names[:NAMED], len(names) - NAMED
    return in_a_row([*first, f"{more} more"] if more > 0 else first) if names else ""


def sections_of(
    form: FactsForm,
    *,
    needed: Collection[str],
    pictures: Section,
    has_logo: bool,
    paid: Collection[str] = (),
    titles: Mapping[str, str] | None = None,
) -> list[Section]:
    """The groups of a form that have anything to fill in, and that of the pictures; some come with a paid launch."""
    sections = {title: Section(title=title, is_paid=title in paid) for title in TITLES} | {PICTURES: pictures}
    sections[GROUPS[0]].missing = [] if has_logo else ["logo"]
    links: dict[str, list[BoundField]] = {}
    for part in sorted(form.parts.values(), key=_place):
        group = part.path[0]
        if part.is_list:
            section = sections[LISTS[group]]
            section.rows, section.adds, section.collection = form.rows(group), ADDED[group], group
        elif group.endswith("socials"):
            links.setdefault(group, []).append(form[part.name])
        else:
            sections[_title(part)].inputs.append(form[part.name])
            sections[_title(part)].needed += part.name in needed
    names = {**LINKS, **(titles or {})}
    sections[GROUPS[3]].links = [(names[group], rows) for group, rows in links.items()]
    return [
        section for section in sections.values() if section.title == PICTURES or any(section.everything())
    ]


def locked(unlocked: Collection[str]) -> list[str]:
    """The groups that nobody sees yet, since they come with a paid launch."""
    return [title for name, title in PAID.items() if name not in unlocked]


def _title(part: Part) -> str:
    fact = FACTS.get(part.name)
    if part.name == LOGO:
        return GROUPS[0]
    if part.name in HEADING or (fact and fact.group == GROUPS[0] and part.name not in FIRST):
        return OVERVIEW
    return fact.group if fact else STORY if part.path[0] == "story" else SEARCH


def _place(part: Part) -> tuple[bool, bool]:
    fact = FACTS.get(part.name)
    return bool(fact and fact.is_last_in_group), part.name not in FIRST


def left(values: Mapping[str, Any], form: FactsForm) -> list[tuple[str, str]]:
    """What is left to do before it can go on: where, and what to do there."""
    wrong = {anchor: f"{label} needs a fix." for anchor, label, _ in form.faults}
    places = {name: "field" if name == "categories" else "input" for name in lacking(values)}
    blank = {f"{place}-{name}": FACTS[name].hint for name, place in places.items()}  # of several inputs: all
    return [*(blank | wrong).items()]


def ideas_of(form: FactsForm, names: Sequence[str], categories: Mapping[str, str]) -> list[tuple[str, str]]:
    """The categories to choose from at once, each with the one above it: these, then what a refusal suggests."""
    meant = form.refusal.extras.get("suggestions", {}) if form.refusal else {}
    ordered = dict.fromkeys([*names, *chain.from_iterable(meant.values())])
    return [(name, categories[name]) for name in ordered if name in categories][:IDEAS]


def labels_of(form: FactsForm, names: Iterable[str]) -> str:
    """What these inputs are called, in few words; an entry by its list."""
    fields = form.fields
    labels = {
        LISTS.get(n.partition("-")[0]) or (str(fields[n].label) if n in fields else words_of(n))
        for n in names
    }
    first, *others = sorted(labels) or [""]
    return f"{first} and {len(others)} more" if others else first


def is_part(request: HttpRequest) -> bool:
    """Whether a script asks for the parts of the page that change when it saves."""
    return "X-Part" in request.headers


def place_of(form: FactsForm, posted: Mapping[str, str], *, undone: Iterable[str] = ()) -> str:
    """Where the page goes on after a press: at what was pressed or changed first; a script stays where it is."""
    if "stays" in posted:
        return ""
    pressed = [posted[tool].partition(".")[0] for tool in PRESSED if tool in posted]
    names = (
        part
        for name in (*pressed, *undone, *form.typed)
        for part in form.parts
        if name == part or name.startswith(f"{part}-") or part.startswith(f"{name}-")
    )
    return next((f"#field-{name}" for name in names), "")


def _by_group(
    faults: Iterable[tuple[str, str, str]], sections: Iterable[Section]
) -> dict[str, list[tuple[str, str, str]]]:
    """What is to fix, by the title of the group that has it."""
    titles = {f"input-{entry.name}": section.title for section in sections for entry in section.everything()}
    groups: dict[str, list[tuple[str, str, str]]] = {}
    for fault in faults:
        groups.setdefault(titles[fault[0]], []).append(fault)
    return groups


def _card(form: FactsForm, context: Mapping[str, Any]) -> dict[str, str]:
    """What the row in the lists and the card of a link would say of what is typed."""
    typed, card, file = form.data, context["card"], context["box"].file
    category, week = typed["categories"].partition("\n")[0], card.get("launch_week")
    tagline = typed["tagline"] or typed["short_description"]
    offered = "" if tagline else next((option.words for option in form.fields["tagline"].mark.options), "")
    words = {"name": typed["name"] or card["name"], "tagline": tagline or offered, "is_offered": offered}
    logo, foot = (
        settings.MEDIA_URL + file if file else "",
        f"Launch week of {day(week)}" if week else category,
    )
    return {**words, "logo_url": logo, "foot": foot}


def _loud(sections: Iterable[Section]) -> str:
    """The field whose first suggestion is the button to press: the first that is needed and has one."""
    fields = (
        (entry.name, mark)
        for section in sections
        for entry, mark in zip(section.inputs, section.marks, strict=True)
    )
    return next((name for name, mark in fields if mark.is_needed and mark.options), "")


def answered(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """The editor's page, or its parts; what was refused or clashed is told by the status."""
    form, pictures = context["form"], context.get("picture_form")
    context["card"] = {**context["card"], **_card(form, context)}
    context["refusal"] = form.refusal
    context["wrong"] = _by_group(form.stopping if form.refusal else form.later, context["sections"])
    context["undoes"] = labels_of(form, context.get("undoes", ()))
    context["loud"] = _loud(context["sections"])
    context["is_undone"] = any("bar" in message.tags for message in get_messages(request))
    status = 409 if form.clashes else 400 if form.refusal or (pictures and pictures.errors) else 200
    status = status if request.method == "POST" else 200
    template = "directory/editor/saved.html" if is_part(request) else template
    return render(request, template, context, status=status)
