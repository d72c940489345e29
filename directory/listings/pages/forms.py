"""One form for what a draft and a listing state, made of the bodies of the API and cleaned by them."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from core.api.errors import ApiError, FieldError, InvalidRequestError
from core.api.serializers import Integer, Link, StrictSerializer, body_errors
from directory.facts import FACTS
from directory.listings.differences import as_text
from directory.listings.pages.marks import Mark
from directory.wording import PLATFORMS, STORY_PROMPTS, choices_of, fix_of, not_saved, words_of

LONG = 500
LABELS = {
    **STORY_PROMPTS,
    "title": "Headline",
    "founders-name": "Name",
    "founders-title": "Role",
    "founders-bio": "About them",
    "seo-title": "Title for search engines",
    "seo-meta": "Description for search engines",
    "summary": "Summary",
    "milestones-date": "Date",
    "milestones-title": "What happened",
    "milestones-description": "More about it",
    "milestones-url": "Link",
}
FACTS_ALONE = "fields"
HINTS = {
    "headline": "The heading of your page’s overview, above its text.",
    "summary": "A paragraph that the overview begins with, before the short description.",
}
ROWS = {"description": 8, "tagline": 1, "headline": 1}  # one: a single line, shown whole where it is long
UNCOUNTED = {"city", "contact_email", "founders-name", "founders-title"}  # bounded, but never that long
KEYBOARDS = {"founded_year": "numeric", "contact_email": "email"}  # of phones
CALLED_BY = {"milestones": "title"}  # the member that names an entry, where it is not the first
CLASH = "This changed elsewhere while you were typing. Save again to use your text."
CLASHED = "Not saved yet: something changed elsewhere while you were typing. Both texts are below."


@dataclass(frozen=True, kw_only=True)
class Row:
    """An entry of a list with its inputs; the last one is blank and adds an entry."""

    prefix: str
    title: str
    more: str
    inputs: Sequence[BoundField]
    is_new: bool
    is_open: bool
    mark: Mark = field(default_factory=Mark)


@dataclass(frozen=True, kw_only=True)
class Part:
    """What changes as one: a value, or a list of entries."""

    path: tuple[str, ...]
    shape: Any
    now: Any

    @property
    def name(self) -> str:
        return input_name(self.path)

    @property
    def is_list(self) -> bool:
        return isinstance(self.shape, serializers.ListSerializer)

    def plain(self, value: Any) -> Any:
        """A value as the form has it: texts, lists of texts, entries of texts; None where there is none."""
        if self.is_list:
            return [{key: entry.get(key) or None for key in self.shape.child.fields} for entry in value or ()]
        if isinstance(self.shape, serializers.ListField):
            return list(value or ())
        return as_text(value) or None

    def sent(self, value: Any) -> Any:
        is_number = isinstance(self.shape, Integer) and value and value.isascii() and value.isdigit()
        return int(value) if is_number else value


def input_name(path: Sequence[str]) -> str:
    """The name of an input by where its value stands in a body."""
    return "-".join(path[1:] if path[0] == FACTS_ALONE else path)


def digest(value: Any) -> str:
    return sha256(json.dumps(value).encode()).hexdigest()[:8]


def tidy(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def parts_of(shape: Any, facts: Mapping[str, Any], names: Collection[str]) -> Iterator[Part]:
    """The values and lists of a body, or of those members of it that are named."""
    for name, member in shape.fields.items():
        if names and name not in names:
            continue
        if isinstance(member, serializers.Serializer):
            for key, child in member.fields.items():
                yield Part(path=(name, key), shape=child, now=(facts.get(name) or {}).get(key))
        else:
            yield Part(path=(name,), shape=member, now=facts.get(name))


class Input(forms.CharField):
    """The input of a value, with what stands beside it.

    `clash` is what was written there meanwhile, and `theirs` names the button that takes it: published by somebody,
    or stored by the same person elsewhere.
    """

    mark = Mark()
    most = 0  # letters, where they are counted
    clash = ""
    theirs = "theirs"

    def validate(self, value: Any) -> None:
        """The API's serializer says what is required."""


def input_of(name: str, shape: Any, text: str) -> Input:
    fact, last = FACTS.get(name), name.rpartition("-")[2]
    kind = f"{name.partition('-')[0]}-{last}"
    is_link = fact.kind == "link" if fact else isinstance(shape, Link)
    most = (fact and fact.listed) or getattr(shape, "max_length", None) or 0
    attributes: dict[str, Any] = {"class": "input", "dir": "auto"}
    attributes["data-words"] = bool(fact and fact.is_words)
    if name in KEYBOARDS:
        attributes["inputmode"] = KEYBOARDS[name]
    if most and not isinstance(shape, serializers.ListField):
        attributes["maxlength"] = max(most, len(text))
    widget: forms.Widget = forms.TextInput(attrs=attributes)
    choices = choices_of(name, text)
    if choices:
        widget = forms.Select(choices=[("", "Not stated"), *choices], attrs={"class": "input"})
    elif isinstance(shape, serializers.DateField):
        widget = forms.DateInput(attrs={"class": "input", "type": "date"})
    elif is_link:
        widget = forms.URLInput(attrs=attributes)
    elif name in ROWS or (fact.is_long if fact else most >= LONG):
        widget = forms.Textarea(attrs={**attributes, "rows": ROWS.get(name, 3)})
    label = (
        LABELS.get(kind) or (fact and fact.label) or LABELS.get(last) or PLATFORMS.get(last) or words_of(last)
    )
    hint = "" if choices else fact.note if fact else HINTS.get(name, "")
    made = Input(label=label, help_text=hint, required=shape.required, strip=False, widget=widget)
    is_prose = fact.kind == "text" if fact else not is_link
    if "maxlength" in widget.attrs and is_prose and not {kind, last} & UNCOUNTED:
        made.most = most
    return made


class FactsForm(forms.Form):
    """A form over a body of the API. What nobody touched is not sent, and what changed meanwhile is not lost.

    `facts` are what stands, in the shape of the body; `names` are the members of the body that it shows. Members in
    `whole` take the place of all that was there. `seen` comes back with what was typed: by it the form tells what
    somebody else has changed since. `elsewhere` is what the same person typed on another page, by part.
    """

    use_required_attribute = False
    fields: dict[str, Input]  # type: ignore[assignment]

    def __init__(  # noqa: PLR0913  (a body, what stands, what was typed, and how it is shown)
        self,
        shape: type[StrictSerializer],
        facts: Mapping[str, Any],
        posted: Mapping[str, str] | None = None,
        *,
        names: Collection[str] = (),
        whole: Collection[str] = (),
        labels: Mapping[str, str] | None = None,
        elsewhere: Mapping[str, Any] | None = None,
    ) -> None:
        self.data: dict[str, Any] = {}
        super().__init__(self.data, auto_id="input-%s")
        self.shape, self.whole, self.labels = shape, whole, labels or {}
        self.elsewhere = elsewhere or {}
        self.posted = {name: tidy(text) for name, text in (posted or {}).items()}
        self.parts = {part.name: part for part in parts_of(shape(), facts, names)}
        self.marks: dict[str, Mark] = {}
        self.changes: dict[str, Any] = {}
        self.refusal: ApiError | None = None
        self.refused: set[str | None] = set()
        self.typed: dict[str, Any] = {}
        self.clashes: list[str] = []
        self.counts: dict[str, int] = {}
        for part in self.parts.values():
            self._read(part)

    def _read(self, part: Part) -> None:
        """Take over what was typed for a part, and make its inputs."""
        now = part.plain(part.now)
        typed, there = self._typed(part, now), self.elsewhere.get(part.name, now)
        was = self._was().get(part.name, digest(part.plain(None))) if self.posted.get("seen") else digest(now)
        if (
            typed == now
            or digest(typed) == was
            or part.name in (self.posted.get("theirs"), self.posted.get("stored"))
        ):
            typed = there
        if typed != now:
            self.typed[part.name] = typed
        if part.is_list:
            self.counts[part.name] = len(typed)
            for number, entry in enumerate([*typed, {}][: part.shape.max_length]):
                for key, child in part.shape.child.fields.items():
                    self._add(f"{part.name}-{number}-{key}", child, entry.get(key) or "")
        else:
            self._add(part.name, part.shape, as_text(typed))
        if typed != there and (there != now or was != digest(now)):
            self.clashes.append(part.name)
            first = self._first(part.name)
            first.clash, first.theirs = as_text(there) or "Nothing", "theirs" if there == now else "stored"

    def _was(self) -> dict[str, str]:
        """What stood there when the form was shown, as digests by name; what was blank is left out."""
        pairs = (entry.partition(":") for entry in self.posted["seen"].split())
        return {name: value for name, _, value in pairs}

    def _typed(self, part: Part, now: Any) -> Any:
        if part.is_list:
            return self._entries(part) if any(k.startswith(f"{part.name}-") for k in self.posted) else now
        if part.name == "categories" and self.posted.get("category_typed") and "take" not in self.posted:
            return [self.posted["category_typed"], *self._also(now)]
        text = self.posted.get(part.name)
        if text is None:
            return now
        if self.posted.get("remove") == part.name:
            return part.plain(None)
        if not isinstance(part.shape, serializers.ListField):
            is_broken = ROWS.get(part.name) == 1 and text != now
            return (text.replace("\n", " ") if is_broken else text) or None
        lines = [line.strip() for line in text.split("\n") if line.strip()]
        if part.name == "categories" and lines and "take" not in self.posted:
            lines += [name for name in self._also(now) if name not in lines]
        return lines

    def _also(self, now: Sequence[str]) -> list[str]:
        """The categories beside the main one, but that whose Remove was pressed."""
        named = self.posted["category_also"].split("\n") if "category_also" in self.posted else now[1:]
        without = self.posted.get("without", "").removeprefix("categories.")
        return [name for name in named if name and name != without]

    def _entries(self, part: Part) -> list[dict[str, str | None]]:
        """The entries that were left, in the order that was asked for; one without any text is none."""
        entries: list[dict[str, str | None]] = []
        last = "none"
        for number in range(part.shape.max_length):
            prefix = f"{part.name}-{number}"
            values = {key: self.posted.get(f"{prefix}-{key}") or None for key in part.shape.child.fields}
            if any(values.values()) and self.posted.get("remove") != prefix:
                is_moved = self.posted.get("earlier") == prefix or self.posted.get("later") == last
                entries.insert(max(len(entries) - is_moved, 0), values)
                last = prefix
        return entries

    def _add(self, name: str, shape: Any, text: str) -> None:
        self.fields[name] = input_of(name, shape, text)
        if name in self.labels:
            self.fields[name].label = self.labels[name]
        self.data[name] = text

    @property
    def seen(self) -> str:
        """What stands there now, as digests by name; what is blank is left out."""
        rows = ((part, part.plain(part.now)) for part in self.parts.values())
        return " ".join(f"{part.name}:{digest(now)}" for part, now in rows if now != part.plain(None))

    def left_over(self) -> dict[str, str]:
        """What was typed and is not what stands there, to make the same form of it later."""
        mine = {
            name for name in self.fields for part in self.typed if name == part or name.startswith(f"{part}-")
        }
        texts = {name: self.data[name] for name in self.fields if name in mine}
        if "categories" in texts:
            texts["category_also"] = texts["categories"].partition("\n")[2]
        return {**texts, "seen": self.posted.get("seen", self.seen)} if texts else {}

    @property
    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {}
        touched = {self.parts[name].path[0] for name in self.typed}
        for name, part in self.parts.items():
            is_whole = part.path[0] in self.whole
            if name not in self.typed and not (is_whole and part.path[0] in touched):
                continue
            value = part.sent(self.typed.get(name, part.plain(part.now)))
            if is_whole and value is None:
                body.setdefault(part.path[0], {})
            elif len(part.path) == 2:
                body.setdefault(part.path[0], {})[part.path[1]] = value
            else:
                body[part.path[0]] = value
        return body

    def clean(self) -> None:
        """By the API's own rules, unless somebody else changed the same meanwhile."""
        try:
            self.changes = validated(self.shape, self.body)
        except InvalidRequestError as error:
            self.refuse(error)
        if self.clashes:
            errors = [FieldError(code="changed", pointer=f"/{name}", message=CLASH) for name in self.clashes]
            self.refuse(InvalidRequestError(CLASHED, errors=errors))

    def refuse(self, refusal: ApiError) -> None:
        self.refusal = refusal
        for entry in refusal.errors:
            name = self.input_at(entry)
            self.add_error(name, fix_of(name or "", entry))
            self.refused.add(name)

    def input_at(self, error: FieldError) -> str | None:
        pieces = (error.pointer or "").strip("/").split("/")
        for length in range(len(pieces), 0, -1):
            name = input_name(pieces[:length])
            if name in self.fields:
                return name
        return next((name for name in self.fields if name.startswith(f"{pieces[0]}-")), None)

    def _first(self, name: str) -> Input:
        """The input of a value, or the first one of a list."""
        return self.fields.get(name) or self.fields[next(n for n in self.fields if n.startswith(f"{name}-"))]

    @property
    def faults(self) -> list[tuple[str, str, str]]:
        """Where something is wrong, what it is called, and what is wrong with it: what stops a save first."""
        return [*self.stopping, *self.later]

    @property
    def stopping(self) -> list[tuple[str, str, str]]:
        return self._faults(name for name in self.errors if name in self.refused)

    @property
    def later(self) -> list[tuple[str, str, str]]:
        """The faults that stop no save."""
        return self._faults(name for name in self.errors if name not in self.refused)

    def _faults(self, names: Iterable[str]) -> list[tuple[str, str, str]]:
        texts = {name: " ".join(map(str, self.errors[name])) for name in names if name in self.fields}
        return [(f"input-{name}", str(self.fields[name].label), text) for name, text in texts.items()]

    def rows(self, name: str) -> list[Row]:
        part, number = self.parts[name], self.counts[name]
        keys = list(part.shape.child.fields)
        called_by = CALLED_BY.get(name, keys[0])
        second = keys[0] if called_by != keys[0] else keys[1]
        return [
            Row(
                prefix=(prefix := f"{name}-{place}"),
                title=self.data[f"{prefix}-{called_by}"],
                more=self.data[f"{prefix}-{second}"],
                inputs=(inputs := [self[f"{prefix}-{key}"] for key in keys]),
                is_new=place == number,
                is_open=any(entry.errors or self.fields[entry.name].clash for entry in inputs),
                mark=self.marks.get(prefix, Mark()),
            )
            for place in range(min(number + 1, part.shape.max_length))
        ]


class WholeForm(FactsForm):
    """A form whose body takes the place of what was there: a piece of news, a milestone, the story."""

    @property
    def body(self) -> dict[str, Any]:
        return {name: text for name, text in self.data.items() if text}


def validated(shape: type[StrictSerializer], body: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a body. Raises InvalidRequestError naming every failing one."""
    serializer = shape(data=body)
    try:
        serializer.is_valid(raise_exception=True)
    except ValidationError as error:
        errors = body_errors(error, serializer=serializer)
        raise InvalidRequestError(not_saved(errors), errors=errors) from error
    return dict(serializer.validated_data)
