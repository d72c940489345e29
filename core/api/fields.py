"""The fields of answers, each with its sentence for OpenAPI: `name = Str("The product's name.")`."""

from collections.abc import Callable
from typing import Any, TypeVar

from rest_framework import serializers

F = TypeVar("F", bound="serializers.Field[Any, Any, Any, Any]")


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
