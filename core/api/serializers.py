"""Strict input fields and answer shapes.

A number is not a string and a string is not a number; unknown properties are refused; text is trimmed and stored as
NFC; control characters other than line breaks and tabs are refused; an empty string in a nullable text is null, and
in another that may be left out it counts as left out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import Any, ClassVar, TypeVar

from django.core.exceptions import ValidationError as DjangoValidationError
from django.core.validators import EmailValidator, RegexValidator
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from core import slugs
from core.api.errors import MAX_ERRORS, FieldError, pointer
from core.email_addresses import AddressRefusedError, typed_email
from core.fetch import InvalidUrlError, UrlNotPublicError, check_link
from core.normal_forms import normalize

F = TypeVar("F", bound="serializers.Field[Any, Any, Any, Any]")
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f]")
# Names an object's own fault, as NON_FIELD_ERRORS_KEY does: each string may be a property's name
WHOLE: Any = None
SURROGATE = re.compile(r"[\ud800-\udfff]")
HIDDEN = re.compile(r"[\u115f\u1160\u180e\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff]")


def _described(kind: Callable[..., F]) -> Callable[..., F]:
    def field(help_text: str | None = None, *, null: bool = False, **options: Any) -> F:
        return kind(help_text=help_text, allow_null=null, **options)

    return field


def _holding(kind: Callable[..., F]) -> Callable[..., F]:
    def field(child: Any, help_text: str, *, null: bool = False, **options: Any) -> F:
        return kind(child=child, help_text=help_text, allow_null=null, **options)

    return field


Str = _described(serializers.CharField)
Int = _described(serializers.IntegerField)
Float = _described(serializers.FloatField)
Bool = _described(serializers.BooleanField)
Date = _described(serializers.DateField)
Moment = _described(serializers.DateTimeField)
Url = _described(serializers.URLField)
Uuid = _described(serializers.UUIDField)
ListOf = _holding(serializers.ListField)
DictOf = _holding(serializers.DictField)


"""Marks that turn the order of text and characters that cannot be seen; joiners, which scripts and emoji need, are not
among them."""
LIMITS = {"max_length", "min_length", "max_value", "min_value"}
Words = Sequence[str] | Callable[[], Iterable[str]]
LISTS = (serializers.ListField, serializers.ListSerializer)
PLAIN = (dict, list, Mapping)  # most are the first, which is found at once


class StrictSerializer(serializers.Serializer[Any]):
    """An input that refuses properties it does not declare. All failing fields are reported at once.

    `elsewhere` says of properties that belong to another place where that is.
    """

    elsewhere: ClassVar[Mapping[str, str]] = {}
    default_error_messages = {
        "unknown": "This property is not known here. {elsewhere}",
        "invalid": "This must be a JSON object.",
    }

    def to_internal_value(self, data: Any) -> Any:
        """Validated values, or one ValidationError that names every failing property."""
        if not isinstance(data, Mapping):
            raise ValidationError(
                {WHOLE: [ErrorDetail(str(self.error_messages["invalid"]), code="not_an_object")]}
            )
        unknown = {
            str(name): [ErrorDetail(self._unknown(str(name)), code="unknown_property")]
            for name in islice((name for name in data if name not in self.fields), MAX_ERRORS)
        }
        try:
            values = super().to_internal_value(data)
        except ValidationError as error:
            raise ValidationError({**error.detail, **unknown}) from error  # type: ignore[dict-item]
        if unknown:
            raise ValidationError(unknown)
        return values

    def passing(self, data: Any) -> dict[str, Any]:
        """The values of those properties that break no rule of their shape; entries of lists that do are None."""
        data = data if isinstance(data, Mapping) else {}
        present = {name: field for name, field in self.fields.items() if name in data}
        return {name: _passing(field, data[name]) for name, field in present.items()}

    def _unknown(self, name: str) -> str:
        return str(self.error_messages["unknown"]).format(elsewhere=self.elsewhere.get(name, "")).rstrip()


def _passing(field: Any, value: Any) -> Any:
    if isinstance(field, StrictSerializer):
        return field.passing(value)
    try:
        return field.run_validation(value)
    except (ValidationError, serializers.SkipField):
        is_list = isinstance(field, LISTS) and isinstance(value, list)
        fits = is_list and len(value) <= (field.max_length or MAX_ERRORS)
        return [_passing_entry(field.child, entry) for entry in value] if fits else None


def _passing_entry(field: Any, value: Any) -> Any:
    try:
        return field.run_validation(value)
    except (ValidationError, serializers.SkipField):
        return None


class Text(serializers.CharField):
    """A string. `pattern` is matched on the trimmed value."""

    default_error_messages = {
        "invalid": "This must be a string.",
        "control_character": "Control characters other than line breaks and tabs are not allowed.",
        "surrogate": "This holds half of a surrogate pair.",
        "pattern": "This has another form than is asked for here: {pattern}",
    }

    def __init__(self, *, pattern: str | None = None, **options: Any) -> None:
        self.pattern = pattern
        super().__init__(**options)
        if pattern:
            message = self.error_messages["pattern"].format(pattern=pattern)
            self.validators.append(RegexValidator(pattern, message=message, code="pattern"))

    def run_validation(self, data: Any = serializers.empty) -> Any:
        """Trim, then treat an empty string as null where null is allowed, else as left out where that may be."""
        if isinstance(data, str) and not data.strip():
            if self.allow_null:
                data = None
            elif not self.required and not self.allow_blank:
                raise serializers.SkipField
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> str:
        if isinstance(data, int) and not isinstance(data, bool):
            raise ValidationError(f'This must be a string, in quotes: "{data}".', code="invalid")
        if not isinstance(data, str):
            self.fail("invalid")
        if SURROGATE.search(data):
            self.fail("surrogate")
        value = normalize("NFC", data.replace("\r\n", "\n").replace("\r", "\n")).strip()
        if CONTROL.search(value):
            self.fail("control_character")
        return value


class Name(Text):
    """What a thing or a person is called: text in which nothing is hidden."""

    default_error_messages = {
        "hidden_character": "Characters that cannot be seen or that turn the order of text are not allowed here."
    }

    def to_internal_value(self, data: Any) -> str:
        value = super().to_internal_value(data)
        if HIDDEN.search(value) or (value and not value.strip("\u200c\u200d ")):
            self.fail("hidden_character")
        return value


class Link(Text):
    """An http or https address that may be shown to anybody: with a public host, without user name and password."""

    schemes: tuple[str, ...] = ("http", "https")
    default_error_messages = {"link": "This must be a link that begins with {schemes}. {why}"}

    def to_internal_value(self, data: Any) -> str:
        value = super().to_internal_value(data)
        if not value or len(value) > (self.max_length or len(value)):
            return value
        schemes = " or ".join(f"{scheme}://" for scheme in self.schemes)
        if not value.lower().startswith(tuple(f"{scheme}://" for scheme in self.schemes)):
            self.fail("link", schemes=schemes, why="")
        try:
            return check_link(value)
        except (InvalidUrlError, UrlNotPublicError) as error:
            self.fail("link", schemes=schemes, why=error.detail)


class SecureLink(Link):
    schemes = ("https",)


class Slug(Text):
    def __init__(self, **options: Any) -> None:
        super().__init__(**{"pattern": slugs.PATTERN, "max_length": slugs.LENGTH, **options})

    default_error_messages = {
        "pattern": "This must be a slug: small letters, digits and hyphens, as page addresses have it."
    }


class Country(Text):
    """Two letters (ISO 3166-1 alpha-2) in any case; stored upper-case."""

    default_error_messages = {"pattern": "This must be a country's two-letter code (ISO 3166-1), such as DE."}

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"pattern": r"^[A-Za-z]{2}$", **options})

    def to_internal_value(self, data: Any) -> str:
        """Upper-case code, of ASCII letters alone: others can turn into two letters."""
        value = super().to_internal_value(data)
        return value.upper() if value.isascii() else value


class PublicEmailValidator(EmailValidator):
    """An address that mail from outside can reach: at a public name, neither localhost nor a number."""

    def validate_domain_part(self, domain_part: str) -> bool:
        return not domain_part.startswith("[") and super().validate_domain_part(domain_part)


PUBLIC_EMAIL = PublicEmailValidator(allowlist=[])


class Email(Text):
    """One e-mail address at a public name, without display name."""

    default_error_messages = {"invalid_email": "This is not an e-mail address."}

    def to_internal_value(self, data: Any) -> str:
        """The address as it was typed, with its domain in small letters and punycode."""
        value = super().to_internal_value(data)
        if not value or len(value) > (self.max_length or 254):
            return value
        try:
            address = typed_email(data)
            PUBLIC_EMAIL(address)
        except AddressRefusedError as error:
            raise ValidationError(str(error), code="invalid_email") from error
        except DjangoValidationError as error:
            raise ValidationError(self.error_messages["invalid_email"], code="invalid_email") from error
        return address


class Integer(serializers.IntegerField):
    """A JSON integer, however it is written: not a string, not a boolean, nothing with a fractional part."""

    default_error_messages = {
        "invalid": "This must be an integer.",
        "min_value": "Enter a number of at least {min_value}.",
        "max_value": "Enter a number of at most {max_value}.",
    }

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return int(data)


class Choice(serializers.ChoiceField):
    """One of a closed list of strings, or of those that a function gives when it is asked."""

    def __init__(self, choices: Words, **options: Any) -> None:
        super().__init__(choices=list(choices()) if callable(choices) else choices, **options)

    default_error_messages = {"invalid_choice": "This must be one of: {choices}."}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            raise ValidationError(
                self.error_messages["invalid_choice"].format(choices=", ".join(map(str, self.choices))),
                code="invalid_choice",
            )
        return data


class OpenWord(serializers.CharField):
    """A word in an answer, of a list that may grow: OpenAPI names those that are known and closes nothing."""

    def __init__(self, help_text: str, *, values: Words, **options: Any) -> None:
        self.values = list(values() if callable(values) else values)
        words = ", ".join(self.values)
        super().__init__(help_text=f"{help_text} Known: {words}; more may come.", **options)


@extend_schema_field({})
class AnyValue(serializers.JSONField):
    """A value of any type in an answer. Not `allow_null`: null is one of its values, not an alternative to them."""


class Shape(serializers.Serializer[Any]):
    """An answer's shape: its fields describe it for OpenAPI, `render` builds it.

    Answers are built as plain dicts, because serializing row by row costs seven times as much (benchmarks/).
    `sends` names the headers of its own that `headers` may give.
    """

    sends: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def list_of(cls, help_text: str, **options: Any) -> serializers.ListSerializer[Any]:
        return cls(many=True, help_text=help_text, **options)  # type: ignore[return-value]

    @classmethod
    def render(cls, value: Any) -> Any:
        """The JSON-ready value; by default what the fields say of an object, while plain data are ready already."""
        return value if value is None or isinstance(value, PLAIN) else cls.of(value)

    @classmethod
    def of(cls, value: Any, **values: Any) -> dict[str, Any]:
        """Each declared field: as it is given, else from the object's attribute of its `source` or name."""
        return {
            name: values[name] if name in values else show(read(value)) for name, read, show in _readers(cls)
        }

    @classmethod
    def headers(cls, value: Any) -> dict[str, str]:
        return {}


@cache
def _readers(shape: type[Shape]) -> tuple[tuple[str, Callable[[Any], Any], Callable[[Any], Any]], ...]:
    """What reads each field of a shape from an object, and what makes it ready."""
    fields = shape._declared_fields  # noqa: SLF001  (Django REST framework's own list)
    return tuple(
        (name, _as_is if field.source == "*" else attrgetter(field.source or name), _shower(field))
        for name, field in fields.items()
    )


def _shower(field: serializers.Field[Any, Any, Any, Any]) -> Callable[[Any], Any]:
    child = getattr(field, "child", None)
    if isinstance(child, Shape):
        return lambda rows: [child.render(row) for row in (rows.all() if hasattr(rows, "all") else rows)]
    if isinstance(field, Shape):
        return field.render
    if isinstance(field, serializers.CharField) and field.allow_null:
        return lambda text: text or None
    return getattr(field, "show", _as_is)


def _as_is(value: Any) -> Any:
    return value


def _flatten(
    *, detail: Any, field: Any, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], ErrorDetail, int | str | None]]:
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            child = field.fields.get(name) if hasattr(field, "fields") else getattr(field, "child", None)
            own = name is WHOLE
            yield from _flatten(
                detail=inner, field=field if own else child, path=path if own else (*path, str(name))
            )
        return
    for index, inner in enumerate(detail if isinstance(detail, list) else [detail]):
        if isinstance(inner, Mapping | list):
            yield from _flatten(detail=inner, field=getattr(field, "child", None), path=(*path, str(index)))
        else:
            limit = getattr(field, inner.code, None) if inner.code in LIMITS else None
            yield path, inner, limit if limit is not None else getattr(inner, "limit", None)


def body_errors(error: ValidationError, *, serializer: Any = None) -> list[FieldError]:
    """The failing values of a body, by pointer, with the limit each broke; the first hundred of them."""
    return [
        FieldError(code=detail.code or "invalid", message=str(detail), limit=limit, pointer=pointer(path))
        for path, detail, limit in islice(
            _flatten(detail=error.detail, field=serializer, path=()), MAX_ERRORS
        )
    ]


def parameter_errors(error: ValidationError, *, serializer: Any = None) -> list[FieldError]:
    """Every failing parameter of a query or path, by name, with the limit it broke."""
    return [
        FieldError(code=detail.code or "invalid", message=str(detail), limit=limit, parameter=".".join(path))
        for path, detail, limit in _flatten(detail=error.detail, field=serializer, path=())
    ]
