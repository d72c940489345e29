"""What staff type has to be what readers are promised, in fields that the database takes anything in."""

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator, URLValidator
from django.db import models
from django.db.models import QuerySet
from django.forms import Field
from django.http import HttpRequest

from accounts.staff.lists import StaffAdmin
from core.api.serializers import HIDDEN
from core.cache import changed
from directory import limits
from directory.back_office.widgets import HELP, PartsField, PictureField, RowsWidget, check_text
from directory.countries import country_names
from directory.facts import FACTS
from directory.listings.compare import READERS
from directory.models import Listing

IS_LINK = URLValidator(schemes=("http", "https"))
IS_SLUG = RegexValidator(
    limits.SLUG_PATTERN.replace("$", r"\Z"),
    "Use small letters, digits and hyphens; begin with a letter or digit.",
)
STORY = {"title": limits.STORY_TITLE, **dict.fromkeys(limits.STORY_SECTIONS, limits.STORY_SECTION)}
SAYS = {"stated", "lines"}


def _is_text(value: Any, *, limit: int = limits.LIST_ITEM) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= limit


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and bool(values) and all(map(_is_text, values))


def _has_only(values: Any, names: Iterable[str]) -> bool:
    return isinstance(values, dict) and values.keys() <= set(names)


def check_faqs(value: Any) -> None:
    bounds = {"question": limits.FAQ_QUESTION, "answer": limits.FAQ_ANSWER}
    is_right = isinstance(value, list) and all(
        _has_only(row, bounds) and all(_is_text(row.get(name), limit=limit) for name, limit in bounds.items())
        for row in value
    )
    if not is_right or len(value) > limits.FAQS:
        raise ValidationError(
            f"Write at most {limits.FAQS} questions, each of at most {limits.FAQ_QUESTION} characters"
            f" with an answer of at most {limits.FAQ_ANSWER}."
        )


def check_socials(value: Any) -> None:
    if not _has_only(value, limits.PLATFORMS):
        raise ValidationError(f"Write links by platform, which is one of: {', '.join(limits.PLATFORMS)}.")
    for link in value.values():
        if not _is_text(link, limit=limits.SOCIAL_LINK):
            raise ValidationError(f"A link is a text of at most {limits.SOCIAL_LINK} characters.")
        IS_LINK(link)


def check_story(value: Any) -> None:
    if not _has_only(value, STORY) or not all(
        _is_text(text, limit=STORY[name]) for name, text in value.items()
    ):
        raise ValidationError(f"Write texts by section, which is one of: {', '.join(STORY)}.")


def check_attributes(value: Any) -> None:
    if not isinstance(value, list):
        raise ValidationError("Write a list of attributes.")
    for number, row in enumerate(value, start=1):
        if not (isinstance(row, dict) and _is_attribute(row)):
            kinds = ", ".join(READERS)
            raise ValidationError(
                f"Attribute {number} is not one: it has key, label, kind ({kinds}), fields, phrases or choices."
            )


def _is_attribute(row: dict[str, Any]) -> bool:
    kind, fields, equals = row.get("kind"), row.get("fields", []), row.get("equals", [])
    if not (_is_text(row.get("key")) and _is_text(row.get("label")) and kind in READERS):
        return False
    if not (_are_texts(fields) and all(hasattr(Listing, name) for name in fields)):
        return False
    if kind == "choices":
        choices = row.get("choices")
        return isinstance(choices, dict) and bool(choices) and all(map(_are_texts, choices.values()))
    return (equals == [] or _are_texts(equals)) and (kind not in SAYS or _are_texts(row.get("phrases")))


def check_name(value: str) -> None:
    """What a thing or a person is called: text in which nothing is hidden."""
    if HIDDEN.search(value) or not value.strip():
        raise ValidationError("The name has invisible characters. Type it again.")


def check_country(value: str) -> None:
    if value and value not in country_names():
        raise ValidationError("Write a country's two letters in capitals (ISO 3166-1), or nothing.")


def check_stage(value: str) -> None:
    if value and value not in limits.STAGES:
        raise ValidationError(f"Write one of: {', '.join(limits.STAGES)}, or nothing.")


def check_year(value: int | None) -> None:
    first, last = limits.FOUNDED_YEAR_MIN, limits.FOUNDED_YEAR_MAX
    if value is not None and not first <= value <= last:
        raise ValidationError(f"Write a year from {first} to {last}, or nothing.")


CHECKS: dict[str, Callable[[Any], None]] = {
    "slug": IS_SLUG,
    "faqs": check_faqs,
    "socials": check_socials,
    "story": check_story,
    "attributes": check_attributes,
    "country": check_country,
    "name": check_name,
}
OF_LISTINGS: dict[str, Callable[[Any], None]] = {"founded_year": check_year}
OF_LISTINGS |= {fact.name: IS_LINK for fact in FACTS.values() if fact.kind == "link"}
OF_LISTINGS |= {"stage": check_stage, "url": IS_LINK}


def checks_of(field: "models.Field[Any, Any]") -> list[Callable[[Any], None]]:
    """What a value of this column has to hold, in forms and in imports alike."""
    tables = [CHECKS, OF_LISTINGS] if field.model is Listing else [CHECKS]
    return [check_text, *(table[field.name] for table in tables if field.name in table)]


def checked(field: Field, column: "models.Field[Any, Any]") -> Field:
    """The field of a form, with what its column has to hold."""
    field.validators += [check for check in checks_of(column) if check not in field.validators]
    return field


def faqs_field(*, label: str) -> PartsField:
    """Questions with their answers as rows, never as JSON."""
    columns = {"question": limits.FAQ_QUESTION, "answer": limits.FAQ_ANSWER}
    return PartsField(widget=RowsWidget(columns=columns, most=limits.FAQS), required=False, label=label)


class CheckedAdmin(StaffAdmin):
    """Forms that refuse what answers cannot hold; an address without a scheme is taken for https."""

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        if isinstance(db_field, models.URLField):
            options["assume_scheme"] = "https"
        if isinstance(db_field, models.ImageField):
            options |= {"form_class": PictureField, "help_text": HELP}
        if db_field.name == "faqs":
            result: Any = faqs_field(label="Questions")
        else:
            result = super().formfield_for_dbfield(db_field, request, **options)
        return result and checked(result, db_field)


class PublicAdmin(CheckedAdmin):
    """Rows that public answers are made of. `stamps` names the bodies of data they belong to."""

    stamps: ClassVar[tuple[str, ...]] = ()

    def _tell(self) -> None:
        for stamp in self.stamps:
            changed(stamp)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: Any) -> None:
        """After a form, with what hangs on the row."""
        super().save_related(request, form, formsets, change)
        self._tell()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """After a row of an editable list, too."""
        super().save_model(request, obj, form, change)
        self._tell()

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        super().delete_model(request, obj)
        self._tell()

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        super().delete_queryset(request, queryset)
        self._tell()
